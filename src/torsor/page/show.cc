#include "torsor/page/show.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "torsor/assembly/close_loops.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/assembly/start.h"
#include "torsor/base/error.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/model/initial.h"
#include "torsor/page/page.h"
#include "torsor/page/report.h"
#include "torsor/result/base64.h"
#include "torsor/result/hdf5_id.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/json_scene.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

constexpr int kPlaces = 30;  ///< of a table, to either side of the start

constexpr const char* kAxes[] = {"x", "y", "z"};

struct Limits {
  double lower, upper;
};

/// By its stops, or half a turn and half the mechanism's size to either side.
Limits limits_of(const Model& model, int joint, int coordinate, double start, double size) {
  const bool turns =
      components(model.joints()[joint].type, model.dimension()).rate(coordinate) == Component::angle;
  const double reach = turns ? std::numbers::pi : 0.5 * size;
  Limits limits{start - reach, start + reach};
  for (const JointStop& stop : model.elements().stops) {
    if (stop.tendon || stop.joint != joint) continue;
    const JointStop::Range& range = stop.ranges[coordinate];
    if (std::isfinite(range.lower)) limits.lower = std::min(range.lower, start);
    if (std::isfinite(range.upper)) limits.upper = std::max(range.upper, start);
  }
  return limits;
}

Vec3<double> com_of(const Body& body, const SE3<double>& X) { return act(X.rotation, body.com) + X.position; }

/// Diagonal of the box around the origins and centres of mass of all bodies.
double size_of(const Model& model, const std::vector<SE3<double>>& poses) {
  Vec3<double> low{}, high{};
  for (std::size_t b = 0; b < poses.size(); ++b) {
    for (const Vec3<double>& p : {poses[b].position, com_of(model.bodies()[b], poses[b])}) {
      for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
    }
  }
  const double size = norm(high - low);
  return size > 0 ? size : 1;
}

Json column(const char* unit, int width, const std::vector<double>& values) {
  return {{"unit", unit}, {"width", width}, {"type", "float64"}, {"data", base64_float64(values)}};
}

/// As a record of one state has them.
Json start_columns(const Model& model, const std::vector<SE3<double>>& poses) {
  Json columns{{"time", column("s", 1, {0})}};
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const Vec3<double> com = com_of(model.bodies()[b], poses[b]);
    const SO3<double>& r = poses[b].rotation;
    const std::string& name = model.bodies()[b].name;
    if (model.dimension() == 2) {
      columns[hdf5_path({"bodies", name, "com"})] = column("m", 2, {com.x, com.y});
      columns[hdf5_path({"bodies", name, "angle"})] = column("rad", 1, {2 * std::atan2(r.z, r.w)});
    } else {
      columns[hdf5_path({"bodies", name, "com"})] = column("m", 3, {com.x, com.y, com.z});
      columns[hdf5_path({"bodies", name, "quaternion"})] = column("1", 4, {r.w, r.x, r.y, r.z});
    }
  }
  return columns;
}

/// Turns and slides of which the page makes the motion of a joint, from the parent to the child; behind them a turn
/// that stays.
class MovableJoint {
 public:
  MovableJoint(const Model& model, int joint, const std::vector<double>& q, double size)
      : model_(model), joint_(joint), q_(&q[model.coordinate_offset(joint)]), size_(size) {
    const Joint& of = model.joints()[joint];
    for (const JointPart& part : joint_parts(of.type, model.dimension())) {
      const double at = components(part.primitive).coordinates() ? q_[part.coordinate] : 0;
      switch (part.primitive) {
        case Primitive::fixed:
          break;
        case Primitive::revolute:
          add("turn", part.axis, part.rate, at, part.output);
          break;
        case Primitive::prismatic:
          add("slide", part.axis, part.rate, at, part.output);
          break;
        case Primitive::helical:
          add("turn", 2, part.rate, at, part.output);
          parts_.back()["pitch"] = of.pitch;
          break;
        case Primitive::planar:
          add("slide", 0, 1, q_[1], "x");
          add("slide", 1, 2, q_[2], "y");
          add("turn", 2, 0, q_[0], "angle");
          break;
        case Primitive::free:
          for (int i = 0; i < 3; ++i) add("slide", i, 3 + i, q_[4 + i], kAxes[i]);
          [[fallthrough]];
        case Primitive::spherical:
          for (int i = 0; i < 3; ++i) add("turn", i, i, 0, (std::string("turn ") + kAxes[i]).c_str());
          rest_ = {q_[0], q_[1], q_[2], q_[3]};
          break;
      }
    }
  }
  Json json() const { return {{"joint", joint_}, {"parts", parts_}, {"rest", json_of(rest_)}}; }

 private:
  void add(const char* kind, int axis, int rate, double start, const std::string& what) {
    const Joint& of = model_.joints()[joint_];
    const Limits limits = limits_of(model_, joint_, rate, start, size_);
    const bool alone = rate_count(of.type, model_.dimension()) == 1;
    parts_.push_back({{"kind", kind},
                      {"axis", axis},
                      {"label", alone ? of.name : of.name + " " + what},
                      {"unit", std::string(kind) == "turn" ? "rad" : "m"},
                      {"start", start},
                      {"lower", limits.lower},
                      {"upper", limits.upper}});
  }

  const Model& model_;
  int joint_;
  const double* q_;
  double size_;
  Json parts_ = Json::array();
  SO3<double> rest_;
};

void add_poses(const Model& model, const std::vector<double>& q, std::vector<double>& numbers) {
  const std::vector<SE3<double>> poses = body_poses(model, q);
  for (std::size_t b = 0; b < poses.size(); ++b) {
    const Vec3<double> com = com_of(model.bodies()[b], poses[b]);
    const SO3<double>& r = poses[b].rotation;
    numbers.insert(numbers.end(), {com.x, com.y, com.z, r.w, r.x, r.y, r.z});
  }
}

/// `hip`, `ball turn x`, `guide angle`: of a joint's rate.
std::string label_of(const Model& model, int joint, int rate) {
  const Joint& of = model.joints()[joint];
  if (rate_count(of.type, model.dimension()) == 1) return of.name;
  for (const JointPart& part : joint_parts(of.type, model.dimension())) {
    if (components(part.primitive).rates() == 1 && part.rate == rate) return of.name + " " + part.output;
  }
  const int turns = components(of.type, model.dimension()).turns();
  if (rate >= turns) return of.name + " " + kAxes[rate - turns];
  return of.name + (turns == 1 ? " angle" : std::string(" turn ") + kAxes[rate]);
}

/// Closed positions along one independent rate, the others held; it ends where they close no more. Coordinates of balls and
/// free bodies are counted from the start, along axes of the child.
Json table_of(const ReducedMechanism& mechanism, const ReducedConfiguration& start, int column, double size) {
  const Model& model = mechanism.model();
  const int index = start.independent[column], joint = joint_of_rate(model, index);
  const int rate = index - model.rate_offset(joint);
  const JointType type = model.joints()[joint].type;
  const double from = has_twist_rates(type) ? 0 : start.q[model.coordinate_offset(joint) + rate];
  const Limits limits = limits_of(model, joint, rate, from, size);
  std::vector<double> values, poses;
  const auto put = [&](double value, const ReducedConfiguration& at) {
    values.push_back(value);
    add_poses(model, at.q, poses);
  };
  const auto places = [&](double end) {
    std::vector<std::pair<double, ReducedConfiguration>> found;
    const Eigen::VectorXd step = (end - from) / kPlaces * Eigen::VectorXd::Unit(start.dof(), column);
    for (int i = 1; i <= kPlaces && end != from; ++i) {
      try {
        found.emplace_back(from + (end - from) * i / kPlaces,
                           mechanism.moved(found.empty() ? start : found.back().second, step));
      } catch (const ModelError&) {
        break;
      }
    }
    return found;
  };
  auto below = places(limits.lower);
  std::reverse(below.begin(), below.end());
  for (const auto& [value, at] : below) put(value, at);
  put(from, start);
  for (const auto& [value, at] : places(limits.upper)) put(value, at);
  const bool turns = components(type, model.dimension()).rate(rate) == Component::angle;
  return {{"label", label_of(model, joint, rate)},
          {"unit", turns ? "rad" : "m"},
          {"start", below.size()},
          {"values", base64_float64(values)},
          {"poses", base64_float32(poses)}};
}

Json tables_of(const Model& model, const std::vector<double>& q, double size) {
  const ReducedMechanism mechanism(model);
  std::vector<int> preferred;  // where no actuator says better
  for (std::size_t j = 0; j < model.joints().size() && model.actuators().empty(); ++j) {
    if (rate_count(model.joints()[j].type, model.dimension()) == 1) preferred.push_back(static_cast<int>(j));
  }
  const ReducedConfiguration start = mechanism.configure(q, {}, preferred);
  Json tables = Json::array();
  for (int i = 0; i < start.dof(); ++i) tables.push_back(table_of(mechanism, start, i, size));
  return tables;
}

}  // namespace

std::string show_data(const Model& model) {
  const Start start = make_start(model);
  const std::vector<double>& q = start.assembly.q;
  const std::vector<SE3<double>> poses = body_poses(model, q);
  const double size = size_of(model, poses);
  Json show{{"dof", start.mobility.dof}, {"assembled", text_or_null(summary(start.assembly))}};
  if (has_conditions(model)) {
    show["tables"] = tables_of(model, q, size);
  } else {
    Json joints = Json::array();
    for (int j = 0; j < static_cast<int>(model.joints().size()); ++j) {
      joints.push_back(MovableJoint(model, j, q, size).json());
    }
    show["joints"] = joints;
  }
  const Json result{{"name", model.name()},
                    {"version", kVersion},
                    {"records", 1},
                    {"every", 1},
                    {"frames", 1},
                    {"scene", Json::parse(scene_json(model))},
                    {"model", model.text()},
                    {"settings", nullptr},
                    {"claims", nullptr},
                    {"ledger", nullptr},
                    {"columns", start_columns(model, poses)}};
  return without_tags(
      json_text({{"format", 1}, {"version", kVersion}, {"results", Json::array({result})}, {"show", show}}));
}

void write_show(const Model& model, const std::string& path, const std::string& key) {
  require_report_place(path, key);
  write_text_file(path, fill_report_page(report_page(), show_data(model)), key);
}

}  // namespace torsor
