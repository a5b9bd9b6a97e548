#include "torsor/assembly/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/assembly/close_loops.h"
#include "torsor/assembly/consistent_rates.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

constexpr double kTolerance = 1e-6;    ///< of the mechanism's size, or [rad]
constexpr double kFartherAtMost = 3;   ///< that others move so that the first named joints may stay
constexpr double kIndependent = 1e-3;  ///< share of a motion that other joints cannot make
constexpr int kStarts = 12;

/// Of the loop, or the coupling, that gapes most.
Assembly::Gap widest_gap(const Model& model, const LoopConditions& conditions) {
  Assembly::Gap widest;
  double most = -1;
  for (const LoopState& loop : conditions.loops) {
    const double measure = loop.gap() / conditions.length + loop.gap_angle();
    if (!(measure > most)) continue;
    most = measure;
    widest = {model.joints()[loop.joint].name, loop.gap(), loop.gap_angle()};
  }
  for (const CouplingState& coupling : conditions.couplings) {
    const double measure = std::abs(coupling.scale * coupling.error);
    if (!(measure > most)) continue;
    most = measure;
    const double error = std::abs(coupling.error);
    widest = {model.couplings()[coupling.coupling].name, coupling.angular ? 0 : error,
              coupling.angular ? error : 0, "coupling"};
  }
  return widest;
}

bool is_within(const Assembly::Gap& gap, double size) {
  return gap.length <= kTolerance * size && gap.angle <= kTolerance;
}

std::string gap_text(const Assembly::Gap& gap) {
  const auto clean = [](double x) { return x < 1e-14 ? 0 : x; };
  return fmt::format("a gap of {:.3g} m and {:.3g} rad at {} {}", clean(gap.length), clean(gap.angle), gap.at,
                     in_quotes(gap.joint));
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

/// Of the tree joints that are named, those that the others need not move with to close the loops; where
/// there is a choice, the first in the file. The others are found first: joints whose motion adds to the span
/// of G, beginning with those that are not named, then from the last in the file.
Held first_named(const Model& model, const std::vector<double>& guess, double size) {
  const Held all = named(model);
  std::vector<int> joints = joints_in_loops(model);
  std::reverse(joints.begin(), joints.end());
  std::stable_partition(joints.begin(), joints.end(), [&](int j) { return !all.joints[j]; });
  const TreeMotion tree(model, guess, joints);
  const Eigen::MatrixXd G = LoopConditions(tree, size).jacobian();

  Held held(model);
  for (const int j : joints) held.joints[j] = all.joints[j];
  Eigen::MatrixXd span(G.rows(), std::min(G.rows(), G.cols()));
  Eigen::Index rank = 0;
  for (Eigen::Index c = 0; c < G.cols() && rank < span.cols(); ++c) {
    Eigen::VectorXd left = G.col(c);
    for (int pass = 0; pass < 2; ++pass) {  // the second takes off what rounding left
      left -= product(span.leftCols(rank), product(span.leftCols(rank).transpose(), left));
    }
    if (left.norm() <= kIndependent * G.col(c).norm()) continue;
    span.col(rank++) = left.normalized();
    held.joints[joint_of_rate(model, tree.rates()[c])] = false;
  }
  return held;
}

double farthest(const Model& model, const std::vector<double>& guess, const Closing& closing) {
  return max_abs(difference(model, guess, closing.q));
}

/// What is named stays; or the first of it, if others then need not move much farther than if all may; or all
/// may move.
Closing close(const Model& model, const std::vector<double>& guess, double size, int starts) {
  const Closing whole = close_loops(model, guess, named(model), starts);
  if (whole.closed()) return whole;
  const Closing part = close_loops(model, guess, first_named(model, guess, size), starts);
  const Closing none = close_loops(model, guess, Held(model), starts);
  if (!none.closed()) return part.closed() ? part : none;
  const bool is_worth_it =
      part.closed() && farthest(model, guess, part) <= kFartherAtMost * farthest(model, guess, none);
  return is_worth_it ? part : none;
}

/// By how much the loop joint's coordinates differ from `said`: angles, lengths, and the angle between
/// quaternions.
Assembly::Change loop_change(const Model& model, int j, std::span<const double> said,
                             std::span<const double> q) {
  Assembly::Change change{model.joints()[j].name};
  const bool turns = components(model.joints()[j].type, model.dimension()).quaternions > 0;
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

/// Coordinates that the file does not name follow those that it does: of a coupling with one open joint, that
/// one is solved for, until none is left.
void follow_couplings(const Model& model, std::vector<double>& q) {
  std::vector<bool> known(model.joints().size());
  for (std::size_t j = 0; j < known.size(); ++j) {
    known[j] = model.initial().joints.count(model.joints()[j].name) > 0;
  }
  for (bool more = true; more;) {
    more = false;
    for (const Coupling& coupling : model.couplings()) {
      const Coupling::Term* open = nullptr;
      int count = 0;
      double sum = -coupling.offset;
      for (const Coupling::Term& term : coupling.terms) {
        sum += term.factor * q[model.coordinate_offset(term.joint) + term.coordinate];
        if (known[term.joint]) continue;
        open = &term;
        ++count;
      }
      if (count != 1) continue;
      q[model.coordinate_offset(open->joint) + open->coordinate] -= sum / open->factor;
      known[open->joint] = more = true;
    }
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
  // From a guess that is as good as closed, another way to assemble the mechanism is the last resort.
  Closing closing;
  if (is_near) closing = close(model, guess, size, 1);
  if (!is_near || !closing.closed()) closing = close(model, guess, size, kStarts);
  const LoopConditions closed = conditions(closing.q);
  result.gap_after = widest_gap(model, closed);
  if (!closing.closed()) {
    throw ModelError("initial.joints", "loops that can be closed from this guess",
                     fmt::format("at best {}", gap_text(result.gap_after)));
  }
  result.q = closing.q;
  set_loop_coordinates(model, guess, result.q);
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
  std::vector<double> guess = initial_coordinates(model);
  follow_couplings(model, guess);
  if (!has_conditions(model)) {
    result.q = guess;
    result.qd = initial_rates(model, guess);
    return result;
  }
  set_coordinates(model, guess, result);
  set_rates(model, result);
  return result;
}

}  // namespace torsor
