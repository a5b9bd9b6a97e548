// How rest positions are found (equilibrium.h).

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/coordinate_metric.h"
#include "torsor/evaluation/equilibrium.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/numerics/dense.h"
#include "torsor/numerics/rank.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

constexpr int kMostSteps = 400;
constexpr double kFirstRadius = 0.3, kLargestRadius = 1;  ///< rad, or of the mechanism's size
constexpr double kNear = 1e-6;                            ///< from here Newton's method goes on alone
constexpr double kFlat = 1e-10;  ///< share of the largest eigenvalue that counts as zero
constexpr double kAlike = 1e-6;

/// f = 0 to second order in y = L^T du, where L L^T is the coordinate metric: forces g and stiffness J, and the symmetric
/// part of J by its principal directions.
struct Local {
  ReducedConfiguration at;
  VectorXd f;
  MatrixXd K, L, J;
  VectorXd g, along;  ///< along: g on the principal directions
  SymmetricEigen principal;

  double largest() const { return max_abs(principal.values); }
  bool is_flat(Eigen::Index i) const { return std::abs(principal.values[i]) <= kFlat * largest(); }
  /// Forces that count as none: of a motion of kFlat against all stiffness.
  bool is_quiet(Eigen::Index i) const { return std::abs(along[i]) <= kFlat * largest(); }
  VectorXd du(const VectorXd& y) const { return solve_transposed(L, y); }
  VectorXd du_of(const VectorXd& principal_shares) const {
    return du(product(principal.vectors, principal_shares));
  }
};

class Search {
 public:
  Search(const ReducedMechanism& mechanism, double t) : mechanism_(mechanism), rest_(mechanism.rest(t)) {}

  std::optional<ReducedConfiguration> descend(const ReducedConfiguration& from) const;
  std::optional<ReducedConfiguration> root(const ReducedConfiguration& from) const;
  Local local(const ReducedConfiguration& at) const;

 private:
  double size(const Local& here, const VectorXd& du) const { return largest_motion(mechanism_, here.at, du); }
  bool at_rest(const Local& here) const;
  std::optional<ReducedConfiguration> polished(ReducedConfiguration at) const;
  std::optional<ReducedConfiguration> moved(const Local& here, const VectorXd& du) const {
    try {
      return mechanism_.moved(here.at, du);
    } catch (const ModelError&) {
      return std::nullopt;
    }
  }

  const ReducedMechanism& mechanism_;
  ReducedMotion rest_;
};

Local Search::local(const ReducedConfiguration& at) const {
  Local here;
  here.at = at;
  const ReducedLinearisation d = mechanism_.linearise(at, rest_);
  here.f = d.at.f;
  here.K = d.K;
  here.L = cholesky(coordinate_metric(mechanism_, at));
  here.J = solve_lower(here.L, MatrixXd(solve_lower(here.L, d.K).transpose())).transpose();
  here.g = solve_lower(here.L, here.f);
  here.principal = symmetric_eigen(0.5 * (here.J + here.J.transpose()));
  here.along = product(here.principal.vectors.transpose(), here.g);
  return here;
}

/// Every principal direction is within kNear of its own rest, or neutral.
bool Search::at_rest(const Local& here) const {
  for (Eigen::Index i = 0; i < here.along.size(); ++i) {
    if (here.is_quiet(i)) continue;
    if (here.is_flat(i) || !(std::abs(here.along[i]) <= kNear * std::abs(here.principal.values[i])))
      return false;
  }
  return true;
}

/// Newton's method from nearby, until rounding ends it.
std::optional<ReducedConfiguration> Search::polished(ReducedConfiguration at) const {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 12; ++i) {
    const Local here = local(at);
    const VectorXd du = here.du(least_squares(here.J, -here.g));
    const double step = size(here, du);
    if (!(step < 0.5 * before) || step == 0) break;
    if (step > 100 * kNear) return std::nullopt;
    before = step;
    const std::optional<ReducedConfiguration> next = moved(here, du);
    if (!next) return std::nullopt;
    at = *next;
  }
  if (!(before <= kNear)) return std::nullopt;
  return at;
}

std::optional<ReducedConfiguration> Search::descend(const ReducedConfiguration& from) const {
  if (from.dof() == 0) return from;
  Local here = local(from);
  if (at_rest(here)) return polished(here.at);
  double radius = kFirstRadius;
  for (int step = 0; step < kMostSteps; ++step) {
    const VectorXd& values = here.principal.values;
    const double largest = std::max(here.largest(), max_abs(here.along));
    if (at_rest(here)) {
      if (values[0] >= -kFlat * largest) return polished(here.at);
      here = local(moved_as_far(mechanism_, here.at, here.du_of(VectorXd::Unit(values.size(), 0) * 0.01)));
    }
    // Down along every principal direction, by its curvature without sign; the more damped, the shorter.
    const auto damped = [&](double damping) {
      VectorXd shares(values.size());
      for (Eigen::Index i = 0; i < values.size(); ++i) {
        const double stiffness = std::abs(values[i]) + damping;
        shares[i] = here.is_quiet(i) && stiffness <= kFlat * largest
                        ? 0
                        : -here.along[i] / std::max(stiffness, kFlat * largest);
      }
      return VectorXd(here.du_of(shares));
    };
    VectorXd du = damped(0);
    for (double damping = 1e-9 * largest; !(size(here, du) <= radius); damping *= 1.5) du = damped(damping);
    const double predicted = here.f.dot(du) + 0.5 * du.dot(VectorXd(product(here.K, du)));
    const std::optional<ReducedConfiguration> next = moved(here, du);
    if (!next) {
      radius = size(here, du) / 4;
      if (radius < 1e-12) return std::nullopt;
      continue;
    }
    // The work against all forces on the way, by the trapezoidal rule: a change of the energy where there is one.
    const double done = 0.5 * (here.f + mechanism_.equations(*next, rest_).f).dot(du);
    const double ratio = predicted < 0 ? done / predicted : 1;
    if (ratio > 0.1) {
      if (ratio > 0.7) radius = std::min(kLargestRadius, 2 * radius);
      here = local(mechanism_.configure(next->q));
    } else {
      radius = size(here, du) / 4;
      if (radius < 1e-12) return std::nullopt;
    }
    if (!std::isfinite(max_abs(here.f))) return std::nullopt;
  }
  return std::nullopt;
}

/// To rest positions of any kind: |g| becomes less, by Levenberg's method on the principal directions.
std::optional<ReducedConfiguration> Search::root(const ReducedConfiguration& from) const {
  if (from.dof() == 0) return from;
  Local here = local(from);
  double radius = kFirstRadius;
  for (int step = 0; step < kMostSteps / 4; ++step) {
    if (at_rest(here)) return polished(here.at);
    const VectorXd& values = here.principal.values;
    const double largest = here.largest();
    if (!(largest > 0)) return std::nullopt;
    double damping = 1e-12 * largest;
    VectorXd du;
    for (;; damping *= 2) {
      VectorXd shares(values.size());
      for (Eigen::Index i = 0; i < values.size(); ++i) {
        shares[i] = -values[i] * here.along[i] / (values[i] * values[i] + damping * damping);
      }
      du = here.du_of(shares);
      if (size(here, du) <= radius) break;
      if (!(damping < 1e6 * largest)) return std::nullopt;
    }
    const std::optional<ReducedConfiguration> next = moved(here, du);
    std::optional<Local> there;
    if (next) there = local(mechanism_.configure(next->q));
    if (there && there->g.norm() < here.g.norm()) {
      radius = std::min(kLargestRadius, 2 * radius);
      here = std::move(*there);
    } else {
      radius = size(here, du) / 4;
      if (radius < 1e-9) return std::nullopt;
    }
  }
  return std::nullopt;
}

bool is_close(double a, double b) {
  return std::abs(a - b) <= kAlike * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Along motions without stiffness rest positions lie side by side, all of one potential: one stands for them.
bool is_one_family(const RestPosition& a, const RestPosition& b) {
  return a.neutral > 0 && a.neutral == b.neutral && a.falling == b.falling &&
         is_close(a.potential, b.potential) && is_close(a.least_eigenvalue, b.least_eigenvalue);
}

}  // namespace

std::optional<RestPosition> nearest_equilibrium(const ReducedMechanism& mechanism,
                                                const ReducedConfiguration& from, double t) {
  const std::optional<ReducedConfiguration> at = Search(mechanism, t).descend(from);
  if (!at) return std::nullopt;
  return describe_rest(mechanism, *at, t);
}

EquilibriumSearch find_equilibria(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                                  double t, int starts) {
  const Search search(mechanism, t);
  const int dof = from.dof();
  if (starts <= 0) starts = std::clamp(dof == 0 ? 1 : 400 / dof, 16, 120);
  EquilibriumSearch result;
  const auto add = [&](const std::optional<ReducedConfiguration>& at) {
    if (!at) return;
    RestPosition rest = describe_rest(mechanism, mechanism.configure(at->q), t);
    for (const RestPosition& known : result.found) {
      if (is_one_family(known, rest)) return;
      if (is_close(known.potential, rest.potential) &&
          stand_alike(mechanism, known.q, rest.q, from.length, kAlike))
        return;
    }
    result.found.push_back(std::move(rest));
  };
  const auto search_from = [&](const ReducedConfiguration& at) {
    ++result.starts;
    try {
      add(search.descend(at));
      add(search.root(at));
    } catch (const ModelError&) {
      // The way led to a place where the loops do not close.
    }
  };
  search_from(from);
  if (dof == 0) return result;
  SpreadNumbers spread;
  VectorXd reach = rate_scales(mechanism, from.length)(from.independent).cwiseInverse();
  for (int k = 1; k < starts; ++k) {
    const VectorXd du = std::numbers::pi * spread.next(dof).cwiseProduct(reach);
    search_from(moved_as_far(mechanism, from, du));
  }
  // Grows while it is gone through; each rest position is left once.
  for (std::size_t known = 0; known < result.found.size() && known < 64; ++known) {
    const Local here = search.local(mechanism.configure(result.found[known].q));
    for (int i = 0; i < std::min(dof, 4); ++i) {
      const VectorXd direction = here.du_of(VectorXd::Unit(dof, i));
      const double unit = largest_motion(mechanism, here.at, direction);
      for (const double far : {0.05, -0.05, 0.8, -0.8}) {
        search_from(moved_as_far(mechanism, here.at, far / unit * direction));
      }
    }
  }
  std::stable_sort(result.found.begin(), result.found.end(),
                   [](const RestPosition& a, const RestPosition& b) { return a.potential < b.potential; });
  return result;
}

}  // namespace torsor
