#include "cli/answering_verb.h"
#include "cli/output_flags.h"
#include "cli/passing_result.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/format/model_files.h"
#include "torsor/page/report.h"
#include "torsor/result/modes_answer.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr const char* kModesFooter = R"(Examples:
  torsor modes four_bar
  torsor modes engine_mount --out engine_mount.mat
  torsor modes heavy_top --at start --json
  torsor modes stewart --report mode.html --mode 2
  torsor modes tendon_arm --at t=1.5
--at equilibrium is the rest position nearest to the start (`torsor equilibrium`); t=SECONDS simulates there with the
model's own method. Files and --json have the state space A, B, C, D with names of states, inputs (actuators, motors of
tendons) and outputs (independent coordinates and rates, named points and their velocities).)";

/// A page on which a mode moves.
struct ModePage {
  std::string report;
  int mode = 1;
  bool force = false;
};

/// Before the work rather than after.
void require_places(const ModesOptions& options, const ModePage& page, std::vector<std::string> read) {
  require_replaceable(options.out, "--out", read, page.force);
  read.push_back(options.out);
  require_replaceable(page.report, "--report", read, page.force);
}

void write_files(const ModesOptions& options, const ModePage& page, const Model& model) {
  if (!options.out.empty()) say("result: {}\n", options.out);
  if (page.report.empty()) return;
  const PassingResult passing;
  write_mode_result(model, options.at, page.mode, passing.path());
  write_report({{passing.path()}, {}}, page.report, "--report");
  say("report: {}\n", page.report);
}

}  // namespace

RunVerb add_modes(CLI::App& verb) {
  const auto options = add_answering<ModesOptions>(verb, kModesFooter);
  const auto page = std::make_shared<ModePage>();
  verb.add_option("--at", options->of.at, "equilibrium, start, or t=SECONDS")
      ->type_name("WHERE")
      ->capture_default_str();
  verb.add_option("--out", options->of.out, "frequencies, shapes and matrices, .json or .mat")
      ->type_name("FILE");
  verb.add_option("--report", page->report, "page on which a mode moves")->type_name("FILE.html");
  add_force(verb, page->force);
  verb.add_option("--mode", page->mode, "which one the page shows")->type_name("N")->capture_default_str();
  const RunVerb run = run_answer(
      verb, options, answer_modes,
      [options, page](const Model& model, const ImportReport& imported) {
        require_places(options->of, *page, files_of(model, imported));
      },
      [options, page](const Model& model) { write_files(options->of, *page, model); });
  return [run, page] {
    if (!page->report.empty()) require_report_place(page->report, "--report");
    return run();
  };
}

}  // namespace torsor
