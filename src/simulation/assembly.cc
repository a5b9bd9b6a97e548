#include "simulation/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "base/error.h"
#include "base/nearest.h"
#include "model/initial.h"
#include "numerics/rank.h"
#include "simulation/close_loops.h"
#include "simulation/consistent_rates.h"
#include "simulation/loop_conditions.h"

namespace torsor {
namespace {

constexpr double kTolerance = 1e-6;  ///< of the mechanism's size, or [rad]

Assembly::Gap widest_gap(const Model& model, const LoopConditions& loops) {
  const LoopState& widest = loops.widest();
  return {model.joints()[widest.joint].name, widest.gap(), widest.gap_angle()};
}

bool is_within(const Assembly::Gap& gap, double size) {
  return gap.length <= kTolerance * size && gap.angle <= kTolerance;
}

std::string gap_text(const Assembly::Gap& gap) {
  return fmt::format("joint {} gapes by {:.3g} m and {:.3g} rad", in_quotes(gap.joint), gap.length,
                     gap.angle);
}

Held named(const Model& model) {
  Held held(model);
  const InitialState& initial = model.initial();
  for (std::size_t j = 0; j < held.joints.size(); ++j) {
    held.joints[j] = initial.joints.count(model.joints()[j].name) > 0;
  }
  for (const auto& [name, state] : initial.bodies) {
    if (state.position || state.rotation) held.bodies[model.body_index(name)] = true;
  }
  return held;
}

/// Of the tree joints that are named, in file order, those that leave the loops as many ways to close as all
/// joints together have.
Held first_named(const Model& model, const std::vector<double>& guess, double size) {
  const Held all = named(model);
  const auto closing_ways = [&](const Held& held) {
    std::vector<int> free;
    for (const int j : joints_in_loops(model)) {
      if (!held.joints[j]) free.push_back(j);
    }
    return rank(LoopConditions(TreeMotion(model, guess, free), size).jacobian());
  };
  Held held(model);
  const int ways = closing_ways(held);
  for (const int j : joints_in_loops(model)) {
    if (!all.joints[j]) continue;
    held.joints[j] = true;
    if (closing_ways(held) < ways) held.joints[j] = false;
  }
  return held;
}

/// From a guess that is as good as closed another way to assemble the mechanism is the last resort; from any
/// other, to move what is named is.
Closing close(const Model& model, const std::vector<double>& guess, bool is_near, double size) {
  const Held choices[] = {named(model), first_named(model, guess, size), Held(model)};
  Closing closing;
  for (const bool shakes : {false, true}) {
    if (!shakes && !is_near) continue;
    for (const Held& held : choices) {
      closing = close_loops(model, guess, held, shakes ? 12 : 1);
      if (closing.closed()) return closing;
    }
  }
  return closing;
}

/// The same pose with angles and the sign of quaternions as near as can be to `said`.
void count_turns(JointType type, int dimension, std::span<const double> said, std::span<double> q) {
  const auto near = [&](int i) {
    const double full = 2 * std::numbers::pi;
    q[i] += full * std::round((said[i] - q[i]) / full);
  };
  switch (type) {
    case JointType::revolute:
    case JointType::cylindrical:
    case JointType::planar:
      return near(0);
    case JointType::universal:
      return near(0), near(1);
    case JointType::free:
      if (dimension == 2) return near(0);
      [[fallthrough]];
    case JointType::spherical: {
      double same = 0;
      for (int i = 0; i < 4; ++i) same += q[i] * said[i];
      if (same < 0) std::for_each(q.begin(), q.begin() + 4, [](double& x) { x = -x; });
      return;
    }
    default:
      return;
  }
}

void set_loop_coordinates(const Model& model, const LoopConditions& loops, const std::vector<double>& guess,
                          std::vector<double>& q) {
  for (const LoopState& loop : loops.loops) {
    const int first = model.coordinate_offset(loop.joint);
    std::copy(loop.q.begin(), loop.q.end(), q.begin() + first);
    count_turns(model.joints()[loop.joint].type, model.dimension(),
                std::span(guess).subspan(first, loop.q.size()), std::span(q).subspan(first, loop.q.size()));
  }
}

/// By how much the loop joint's coordinates differ from `said`: angles, lengths, and the angle between
/// quaternions.
Assembly::Change loop_change(const Model& model, int j, std::span<const double> said,
                             std::span<const double> q) {
  Assembly::Change change{model.joints()[j].name};
  const bool turns = q.size() >= 4;  // a quaternion comes first
  if (turns) {
    const SO3<double> from{said[0], said[1], said[2], said[3]}, to{q[0], q[1], q[2], q[3]};
    change.amount = norm(log(inverse(from) * to));
  }
  for (std::size_t i = turns ? 4 : 0; i < q.size(); ++i) {
    if (std::abs(q[i] - said[i]) <= std::abs(change.amount)) continue;
    change.amount = q[i] - said[i];
    change.angular = !turns && is_angular(model, model.rate_offset(j) + static_cast<int>(i));
  }
  return change;
}

/// The largest change of a coordinate of the tree, or of a loop joint that the file names.
Assembly::Change largest_change(const Model& model, const std::vector<double>& guess,
                                const std::vector<double>& q) {
  Assembly::Change largest;
  const auto consider = [&](const Assembly::Change& change) {
    if (std::abs(change.amount) > std::abs(largest.amount)) largest = change;
  };
  const std::vector<double> increment = difference(model, guess, q);
  for (int rate = 0; rate < model.rate_count(); ++rate) {
    consider({model.joints()[joint_of_rate(model, rate)].name, increment[rate], is_angular(model, rate)});
  }
  for (const int j : model.topology().loop_joints) {
    if (!model.initial().joints.count(model.joints()[j].name)) continue;
    const int first = model.coordinate_offset(j), count = model.coordinate_offset(j + 1) - first;
    consider(
        loop_change(model, j, std::span(guess).subspan(first, count), std::span(q).subspan(first, count)));
  }
  return largest;
}

constexpr char kOrAssemble[] = "or `assemble: true` in `initial`, which takes what is given as a guess";

/// A named coordinate of a loop joint at which the loop closes elsewhere.
void refuse_moved_loop_joints(const Model& model, const std::vector<double>& guess,
                              const std::vector<double>& q, double size) {
  for (const int j : model.topology().loop_joints) {
    const std::string& name = model.joints()[j].name;
    if (!model.initial().joints.count(name)) continue;
    const int first = model.coordinate_offset(j), count = model.coordinate_offset(j + 1) - first;
    const Assembly::Change change =
        loop_change(model, j, std::span(guess).subspan(first, count), std::span(q).subspan(first, count));
    if (std::abs(change.amount) <= kTolerance * (change.angular ? 1 : size)) continue;
    throw ModelError("initial.joints." + name,
                     fmt::format("the coordinates at which the loop closes, {}", kOrAssemble),
                     fmt::format("coordinates that are off by {:.3g} {}", std::abs(change.amount),
                                 change.angular ? "rad" : "m"));
  }
}

void set_coordinates(const Model& model, const std::vector<double>& guess, Assembly& result) {
  const double size = loop_size(model, guess);
  const auto conditions = [&](const std::vector<double>& q) {
    return LoopConditions(TreeMotion(model, q, {}), size);
  };
  result.gap_before = widest_gap(model, conditions(guess));
  const bool assembles = model.initial().assemble, is_near = is_within(result.gap_before, size);
  if (!assembles && !is_near) {
    throw ModelError("initial.joints", fmt::format("coordinates that close the loops, {}", kOrAssemble),
                     gap_text(result.gap_before));
  }
  const Closing closing = close(model, guess, is_near, size);
  const LoopConditions closed = conditions(closing.q);
  result.gap_after = widest_gap(model, closed);
  if (!closing.closed()) {
    throw ModelError("initial.joints", "loops that can be closed from this guess",
                     fmt::format("at best, {}", gap_text(result.gap_after)));
  }
  result.q = closing.q;
  set_loop_coordinates(model, closed, guess, result.q);
  if (!assembles) refuse_moved_loop_joints(model, guess, result.q, size);
  result.moved = largest_change(model, guess, result.q);
}

void set_rates(const Model& model, Assembly& result) {
  const ConsistentRates rates = consistent_rates(model, result.q);
  if (!model.initial().assemble && rates.contradict()) {
    throw ModelError(rates.key, fmt::format("rates that the loops allow, {}", kOrAssemble),
                     fmt::format("one that differs by {:.3g} {} from the nearest they allow", rates.missed,
                                 rates.angular ? "rad/s" : "m/s"));
  }
  result.qd = rates.qd;
  if (rates.contradict()) result.rate_changed = {rates.name, rates.missed, rates.angular};
}

}  // namespace

Assembly assemble(const Model& model) {
  Assembly result;
  const std::vector<double> guess = initial_coordinates(model);
  if (model.topology().is_tree()) {
    result.q = guess;
    result.qd = initial_rates(model, guess);
    return result;
  }
  set_coordinates(model, guess, result);
  set_rates(model, result);
  return result;
}

}  // namespace torsor
