#include "torsor/result/pose_answer.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "torsor/assembly/assembly.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/evaluation/pose.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/result/json_configuration.h"

namespace torsor {
namespace {

/// `tip=0.5,0.3` in words of the model.
Reach parse_reach(const Model& model, const std::string& text) {
  const auto refuse = [&] {
    throw ModelError("--reach", model.dimension() == 2 ? "POINT=X,Y in metres" : "POINT=X,Y,Z in metres",
                     in_quotes(text));
  };
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse();
  Reach reach;
  const std::string name = text.substr(0, equals);
  std::vector<std::string> names;
  for (const Point& point : model.points()) {
    names.push_back(point.name);
    if (point.name == name) reach.point = point;
  }
  if (reach.point.name.empty())
    throw ModelError("--reach", "a point of the model", did_you_mean(name, names));
  const char *at = text.data() + equals + 1, *end = text.data() + text.size();
  int count = 0;
  for (; count < 3; ++count) {
    const auto [next, fault] = std::from_chars(at, end, reach.place[count]);
    if (fault != std::errc() || !std::isfinite(reach.place[count])) refuse();
    at = next;
    if (at == end) break;
    if (*at++ != ',') refuse();
  }
  if (at != end || (count != 2 && !(count == 1 && model.dimension() == 2))) refuse();
  return reach;
}

Json pose_json(const ReducedMechanism& mechanism, const ReachedPose& pose) {
  return {{"q", json_of_coordinates(mechanism.model(), pose.q)},
          {"independent", rate_names(mechanism.model(), pose.independent)},
          {"points", json_of_points(mechanism, pose.q)},
          {"miss", pose.miss},
          {"beyond", pose.beyond},
          {"self_motions", pose.self_motions},
          {"distance", pose.distance},
          {"reaches", pose.reaches}};
}

std::string coordinates_text(const Model& model, std::span<const double> q) {
  std::string text;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int first = model.coordinate_offset(static_cast<int>(j)),
              end = model.coordinate_offset(static_cast<int>(j) + 1);
    if (first == end) continue;
    text += fmt::format("    {:<20}", model.joints()[j].name);
    for (int i = first; i < end; ++i) text += (i > first ? ", " : " ") + number_text(q[i]);
    text += "\n";
  }
  return text;
}

std::string poses_text(const Model& model, const std::vector<ReachedPose>& poses,
                       const PoseOptions& options) {
  std::string text = model.name() + "\n";
  int count = 0;
  for (const ReachedPose& pose : poses) {
    text += fmt::format("  {}: {} by {:.3g} m", options.all ? std::to_string(++count) : "nearest",
                        pose.reaches ? "reached, off" : "not reached, misses", pose.miss);
    if (pose.beyond > 0) text += fmt::format(", {:.3g} rad (m) beyond a range", pose.beyond);
    text += fmt::format("; {:.6g} from the start\n", pose.distance);
    if (pose.self_motions > 0) {
      text += fmt::format("    one of a family: {} independent motions leave the points where they are\n",
                          pose.self_motions);
    }
    text += coordinates_text(model, pose.q);
  }
  if (poses.empty()) text += "  no pose found that reaches\n";
  if (options.all) text += "found by a search from many starts; there may be others\n";
  return text;
}

Answer answer_assembly_modes(const ReducedMechanism& mechanism, const PoseOptions& options, bool json,
                             int indent) {
  const Model& model = mechanism.model();
  const ReducedConfiguration start = mechanism.configure(assemble(model).q);
  const AssemblyModes modes = assembly_modes(mechanism, start, options.starts);
  if (json) {
    Json all;
    all["model"] = model.name();
    all["kept"] = modes.kept;
    all["assembly_modes"] = Json::array();
    for (const std::vector<double>& q : modes.found) {
      all["assembly_modes"].push_back(
          {{"q", json_of_coordinates(model, q)}, {"points", json_of_points(mechanism, q)}});
    }
    return {json_text(all, indent)};
  }
  std::string text = fmt::format("{}, with {} kept: {} found, the first is the start\n", model.name(),
                                 modes.kept.empty() ? "nothing" : listed(modes.kept), modes.found.size());
  int count = 0;
  for (const std::vector<double>& q : modes.found) {
    text += fmt::format("  {}\n{}", ++count, coordinates_text(model, q));
  }
  return {text + "found by a search from many starts; there may be others\n"};
}

}  // namespace

Answer answer_pose(const Model& model, const PoseOptions& options, bool json, int indent) {
  const ReducedMechanism mechanism(model);
  if (options.assembly_modes) return answer_assembly_modes(mechanism, options, json, indent);
  if (options.reach.empty()) {
    throw ModelError("--reach", "a point and where it shall be, POINT=X,Y,Z, or --assembly-modes", "neither");
  }
  std::vector<Reach> wanted;
  for (const std::string& text : options.reach) wanted.push_back(parse_reach(model, text));
  const ReducedConfiguration start = mechanism.configure(assemble(model).q);
  std::vector<ReachedPose> poses;
  if (options.all) {
    poses = reach_all(mechanism, start, wanted, options.starts);
  } else {
    poses.push_back(reach(mechanism, start, wanted));
    if (!poses[0].reaches) {  // in a dead end: the nearest of all, where there is one
      std::vector<ReachedPose> others = reach_all(mechanism, start, wanted, options.starts);
      if (!others.empty()) poses[0] = std::move(others[0]);
    }
  }
  const bool fell_short = poses.empty() || !poses[0].reaches;
  if (!json) return {poses_text(model, poses, options), fell_short};
  Json all;
  all["model"] = model.name();
  all["search"] = options.all ? "all" : "nearest";
  all["poses"] = Json::array();
  for (const ReachedPose& pose : poses) all["poses"].push_back(pose_json(mechanism, pose));
  return {json_text(all, indent), fell_short};
}

}  // namespace torsor
