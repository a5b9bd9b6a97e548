#include "cli/answering_verb.h"
#include "cli/verbs.h"
#include "torsor/result/pose_answer.h"

namespace torsor {
namespace {

constexpr const char* kPoseFooter = R"(Examples:
  torsor pose driven_arm --reach palm=0.6,0.5
  torsor pose driven_arm --reach palm=0.6,0.5 --all --json
  torsor pose four_bar --assembly-modes
Loops stay closed, and coordinates with stops stay between them. Exit status 4 where no pose reaches. --all is what a
search from many starts finds, which need not be all there is.)";

}  // namespace

RunVerb add_pose(CLI::App& verb) {
  const auto options = add_answering<PoseOptions>(verb, kPoseFooter);
  verb.add_option("--reach", options->of.reach, "where to bring a named point [m]; repeat for more")
      ->type_name("POINT=X,Y,Z")
      ->allow_extra_args(false);
  verb.add_flag("--all", options->of.all, "all poses that a search finds, instead of the nearest");
  verb.add_flag("--assembly-modes", options->of.assembly_modes,
                "the ways in which the loops close with the independent coordinates of the start");
  verb.add_option("--starts", options->of.starts, "from how many positions a search starts")->type_name("N");
  return run_answer(verb, options, answer_pose);
}

}  // namespace torsor
