#include "torsor/evaluation/reduced_mechanism.h"

#include <fmt/format.h>

#include <cmath>

#include "torsor/assembly/close_loops.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/dense_room.h"
#include "torsor/evaluation/independent_rates.h"
#include "torsor/evaluation/reduced_pass.hpp"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"
#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

constexpr int kMostCorrections = 20;
constexpr double kClosed = 1e-10;     ///< rad, or of the mechanism's size
constexpr double kConsistent = 1e-8;  ///< share of accelerations that loops may be left with

}  // namespace

ReducedMechanism::ReducedMechanism(const Model& model)
    : model_(model.with_period(0)),
      open_(make_open_tree(model_)),
      elements_(make_joint_elements(model_, open_.tree)),
      live_(live_rows(model.dimension())) {}

int ReducedMechanism::row_count() const {
  return static_cast<int>(live_.size() * open_.loops.size() + model_.couplings().size());
}

/// What carries both child and copy does not move them apart.
void ReducedMechanism::set_rows(ReducedConfiguration& at) const {
  const Tree& tree = open_.tree;
  std::vector<Pose<double>> X_W(tree.size());
  std::vector<Twist<double>> screws(tree.rate_count);
  node_poses<double>(tree, at.q, X_W);
  spatial_joint_screws<double>(tree, X_W, screws);
  at.G = Eigen::MatrixXd::Zero(row_count(), tree.rate_count);
  Eigen::Index first = 0;
  for (const OpenLoop& loop : open_.loops) {
    const auto add = [&](int node, const Pose<double>& X_NK, double sign) {
      const Pose<double> X_WK = X_W[node] * X_NK;
      const int other = node == loop.child ? loop.copy : loop.child;
      for (; node != 0 && !is_ancestor(tree, node, other); node = tree.nodes[node].parent) {
        for (int i = 0; i < torsor::rate_count(tree.nodes[node].joint); ++i) {
          const int rate = tree.nodes[node].v + i;
          Eigen::Index row = first;
          for_each_row(live_, to_child(X_WK, screws[rate]), at.length,
                       [&](double x) { at.G(row++, rate) += sign * x; });
        }
      }
    };
    add(loop.child, loop.child_X_NK, +1);
    add(loop.copy, loop.copy_X_NK, -1);
    first += static_cast<Eigen::Index>(live_.size());
  }
  for (const Coupling& coupling : model_.couplings()) {
    for (const Coupling::Term& term : coupling.terms) {
      at.G(first, model_.rate_offset(term.joint) + term.coordinate) +=
          term.factor / coupling.largest_factor();
    }
    ++first;
  }
}

Eigen::VectorXd ReducedMechanism::gaps(std::span<const double> q, double length) const {
  std::vector<Pose<double>> X_W(open_.tree.size());
  node_poses<double>(open_.tree, q, X_W);
  Eigen::VectorXd gaps(row_count());
  Eigen::Index row = 0;
  for (const OpenLoop& loop : open_.loops) {
    const Pose<double> apart = inverse(X_W[loop.copy] * loop.copy_X_NK) * (X_W[loop.child] * loop.child_X_NK);
    const SE3<double> X = se3(apart);
    for_each_row(live_, Twist<double>{log(X.rotation), X.position}, length,
                 [&](double x) { gaps[row++] = x; });
  }
  for (const Coupling& coupling : model_.couplings()) {
    double sum = -coupling.offset;
    for (const Coupling::Term& term : coupling.terms) {
      sum += term.factor * q[model_.coordinate_offset(term.joint) + term.coordinate];
    }
    gaps[row++] = sum / coupling.largest_factor();
  }
  return gaps;
}

double ReducedMechanism::gap(std::span<const double> q, double length) const {
  return max_abs(gaps(q, length));
}

/// Gauss-Newton on dependent coordinates, down to rounding; G, inverse and N are those of the end.
bool ReducedMechanism::close(ReducedConfiguration& at) const {
  const auto reduce = [&] {
    set_rows(at);
    const Eigen::MatrixXd G_d = at.G(Eigen::all, at.dependent);
    at.inverse = least_squares(G_d, Eigen::MatrixXd::Identity(G_d.rows(), G_d.rows()));
  };
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostCorrections; ++i) {
    const Eigen::VectorXd g = gaps(at.q, at.length);
    const double now = max_abs(g);
    if (!(now < before) || now == 0) break;
    before = now;
    if (i > 0 || at.inverse.size() == 0) reduce();
    const Eigen::VectorXd correction = -product(at.inverse, g);
    std::vector<double> increment(rate_count());
    for (std::size_t d = 0; d < at.dependent.size(); ++d) increment[at.dependent[d]] = correction[d];
    std::vector<double> q = at.q;
    retract<double>(open_.tree, at.q, increment, q);
    normalize(open_.tree, q);
    if (!(gap(q, at.length) < now)) break;
    at.q = std::move(q);
  }
  reduce();
  at.N = Eigen::MatrixXd::Zero(rate_count(), at.dof());
  for (int c = 0; c < at.dof(); ++c) at.N(at.independent[c], c) = 1;
  if (!at.dependent.empty()) {
    at.N(at.dependent, Eigen::all) = -product(at.inverse, at.G(Eigen::all, at.independent));
  }
  return gap(at.q, at.length) <= kClosed;
}

ReducedConfiguration ReducedMechanism::configure(std::vector<double> q, const std::vector<int>& first,
                                                 const std::vector<int>& preferred) const {
  require_size("q", q.size(), open_.tree.coordinate_count);
  ReducedConfiguration at;
  at.q = std::move(q);
  at.length = loop_size(model_, at.q);
  require_dense_room("the conditions of all loops", row_count(), rate_count(), kMostLoopEntries);
  set_rows(at);

  std::vector<int> of(rate_count(), 3);
  for (const Actuator& actuator : model_.actuators()) {
    if (!actuator.tendon) of[model_.rate_offset(actuator.joint) + actuator.coordinate] = 2;
  }
  const auto put = [&](const std::vector<int>& joints, int into) {
    for (const int j : joints) {
      for (int i = model_.rate_offset(j); i < model_.rate_offset(j + 1); ++i) of[i] = into;
    }
  };
  put(preferred, 1);
  put(first, 0);
  Eigen::MatrixXd comparable = at.G;
  for (int i = 0; i < rate_count(); ++i) {
    if (!is_angular(model_, i)) comparable.col(i) *= at.length;
  }
  RateClasses classes{comparable, of};
  RateChoice choice = classes.choose();
  for (const int j : first) {
    const auto is_of_joint = [&](int rate) {
      return rate >= model_.rate_offset(j) && rate < model_.rate_offset(j + 1);
    };
    if (model_.rate_offset(j) == model_.rate_offset(j + 1) ||
        std::any_of(choice.independent.begin(), choice.independent.end(), is_of_joint))
      continue;
    throw ModelError("independent", "joints whose rates the loops leave open, each beside the others",
                     in_quotes(model_.joints()[j].name) + ", which follows from the rest");
  }
  at.independent = std::move(choice.independent);
  at.dependent = std::move(choice.dependent);
  require_dense_room("a matrix of rates", rate_count(), at.dof(), kMostReducedEntries);
  if (!close(at)) {
    throw ModelError("q", "coordinates at which the loops close",
                     fmt::format("a gap of {:.3g} rad, or of the mechanism's size", gap(at.q, at.length)));
  }
  return at;
}

ReducedConfiguration ReducedMechanism::moved(const ReducedConfiguration& from,
                                             const Eigen::VectorXd& du) const {
  require_size("du", du.size(), from.dof());
  ReducedConfiguration at = from;
  // In parts so small that dependent coordinates follow on the same branch.
  const Eigen::VectorXd whole = product(from.N, du);
  const int parts = static_cast<int>(std::min(100.0, std::ceil(max_abs(whole) / 0.25)));
  for (int k = 0; k < parts; ++k) {
    const Eigen::VectorXd step = product(at.N, du / parts);
    const std::vector<double> increment(step.begin(), step.end());
    retract<double>(open_.tree, at.q, increment, at.q);
    normalize(open_.tree, at.q);
    if (!close(at)) {
      throw ModelError("q", "a motion along which the loops stay closed",
                       fmt::format("a gap of {:.3g} rad, or of the mechanism's size", gap(at.q, at.length)));
    }
  }
  return at;
}

std::vector<double> ReducedMechanism::rates(const ReducedConfiguration& at,
                                            const Eigen::VectorXd& u_rate) const {
  require_size("u_rate", u_rate.size(), at.dof());
  const Eigen::VectorXd v = product(at.N, u_rate);
  return {v.begin(), v.end()};
}

std::vector<double> ReducedMechanism::accelerations(const ReducedConfiguration& at, std::span<const double> v,
                                                    const Eigen::VectorXd& u_acceleration) const {
  require_size("u_acceleration", u_acceleration.size(), at.dof());
  const Eigen::VectorXd along = product(at.N, u_acceleration);
  std::vector<double> a(along.begin(), along.end());
  if (at.dependent.empty()) return a;
  Pass<double> pass(open_.tree);
  std::copy(at.q.begin(), at.q.end(), pass.q.begin());
  std::copy(v.begin(), v.end(), pass.v.begin());
  const auto gaps_of = [&] {
    std::copy(a.begin(), a.end(), pass.a.begin());
    inverse_dynamics<double>(open_.tree, pass.inverse, pass.q, pass.v, pass.a, {}, pass.missing);
    const std::vector<double> found = acceleration_gaps(pass, at.length);
    return Eigen::VectorXd(Eigen::VectorXd::Map(found.data(), static_cast<Eigen::Index>(found.size())));
  };
  double size = 0;
  for (int pass_number = 0; pass_number < 2; ++pass_number) {  // the second takes off what rounding left
    const Eigen::VectorXd g = gaps_of(), correction = product(at.inverse, g);
    size = std::max(size, max_abs(g));
    for (std::size_t d = 0; d < at.dependent.size(); ++d) a[at.dependent[d]] -= correction[d];
  }
  if (!(max_abs(gaps_of()) <= kConsistent * size + 1e-9)) {
    throw ModelError("q", "a position that is not singular, so that loops have accelerations to stay closed",
                     "one where they have none at these rates");
  }
  return a;
}

ReducedMotion ReducedMechanism::rest(double t) const {
  return {t, std::vector<double>(rate_count()), std::vector<double>(rate_count())};
}

std::vector<double> ReducedMechanism::start_states(const ReducedConfiguration& at, double t) const {
  const Tree& tree = open_.tree;
  std::vector<double> z(elements_.flow_count());
  std::vector<Pose<double>> X_W(tree.size());
  std::vector<Twist<double>> V(tree.size());
  const std::vector<double> still(tree.rate_count);
  forward_kinematics<double>(tree, at.q, still, X_W, V);
  const TreeView<double> view{tree, t, at.q, still, X_W, V};
  for_each_element(elements_.lists, [&](const auto& element) {
    if constexpr (requires { element.start(view, std::span<double>(z)); }) element.start(view, z);
  });
  return z;
}

std::string rate_name(const Model& model, int rate) {
  const int j = joint_of_rate(model, rate), first = model.rate_offset(j);
  const std::string& name = model.joints()[j].name;
  return model.rate_offset(j + 1) - first == 1 ? name : fmt::format("{}[{}]", name, rate - first);
}

}  // namespace torsor
