// Second derivatives in time, by dual numbers of dual numbers: at t = e1 + e2 with e1^2 = e2^2 = 0 the part of e1 is the
// first derivative, that of e1 e2 the second.

#include "torsor/base/error.h"
#include "torsor/evaluation/reduced_pass.hpp"
#include "torsor/numerics/dense.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/inverse_dynamics.hpp"
#include "torsor/tree/kinematics.hpp"

namespace torsor {
namespace {

using Second = AlongMotion;

/// x + x' t + x'' t^2 / 2.
Second series(double x, double rate, double acceleration) {
  return {Dual1(x, {rate}), {Dual1(rate, {acceleration})}};
}
double first_of(const Second& x) { return x.value.tangent[0]; }
double second_of(const Second& x) { return x.tangent[0].tangent[0]; }

template <class Pass>
void set_motion(const Tree& tree, std::span<const double> q, std::span<const double> v,
                std::span<const double> a, std::span<const double> jerk, std::span<const double> snap,
                Pass& pass) {
  std::vector<Second> from(q.begin(), q.end()), step(tree.rate_count);
  for (int i = 0; i < tree.rate_count; ++i) {
    // The increment of a curve of body-fixed rates v(t) differs from their integral in the third order.
    step[i] = series(0, v[i], a[i]);
    pass.v[i] = series(v[i], a[i], jerk[i]);
    pass.a[i] = series(a[i], jerk[i], snap[i]);
  }
  retract<Second>(tree, from, step, pass.q);
}

}  // namespace

std::vector<double> ReducedMechanism::snaps(const ReducedConfiguration& at, std::span<const double> v,
                                            std::span<const double> a, std::span<const double> jerk,
                                            const Eigen::VectorXd& u_snap) const {
  require_size("u_snap", u_snap.size(), at.dof());
  const Eigen::VectorXd along = product(at.N, u_snap);
  std::vector<double> snap(along.begin(), along.end());
  if (at.dependent.empty()) return snap;
  Pass<Second> pass(open_.tree);
  set_motion(open_.tree, at.q, v, a, jerk, snap, pass);
  inverse_dynamics<Second>(open_.tree, pass.inverse, pass.q, pass.v, pass.a, {}, pass.missing);
  const std::vector<Second> gaps = acceleration_gaps(pass, at.length);
  Eigen::VectorXd rates(at.G.rows());
  for (std::size_t i = 0; i < gaps.size(); ++i) rates[i] = second_of(gaps[i]);
  const Eigen::VectorXd correction = product(at.inverse, rates);
  for (std::size_t d = 0; d < at.dependent.size(); ++d) snap[at.dependent[d]] -= correction[d];
  return snap;
}

/// With lambda(t) such that M a + h - G^T lambda has no part on dependent rates at any time, f is its independent part.
/// A change of lambda leaves N^T of it alone, so that f' needs lambda, and f'' lambda' beside it.
ReducedMechanism::ForceRates ReducedMechanism::force_rates(const ReducedConfiguration& at,
                                                           const ReducedMotion& motion,
                                                           std::span<const double> jerk,
                                                           std::span<const double> snap) const {
  const Eigen::VectorXd lambda = equations(at, motion).lambda;
  Eigen::VectorXd lambda_rate = Eigen::VectorXd::Zero(lambda.size());
  Pass<Second> pass(open_.tree);
  pass.elapsed = series(0, 1, 0);
  set_motion(open_.tree, at.q, motion.v, motion.a, jerk, snap, pass);
  const auto derivative = [&](auto part) {
    std::vector<Second> held;
    for (Eigen::Index i = 0; i < lambda.size(); ++i) held.push_back(series(lambda[i], lambda_rate[i], 0));
    run<Second>(pass, motion, held, at.length);
    Eigen::VectorXd missing(rate_count());
    for (int i = 0; i < rate_count(); ++i) missing[i] = part(pass.missing[i]);
    return missing;
  };
  const Eigen::VectorXd first = derivative(first_of);
  if (at.dependent.empty()) return {first, derivative(second_of)};
  lambda_rate = product(at.inverse.transpose(), first(at.dependent));
  return {product(at.N.transpose(), first), product(at.N.transpose(), derivative(second_of))};
}

}  // namespace torsor
