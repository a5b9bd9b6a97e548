#include "torsor/integrator/gauss_legendre.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

// What sweeps leave, unlike rounding, has the same sign in every step and adds up: at the floor it is to be
// well below.
constexpr double kWellBelow = 0.01;
constexpr double kFloor = 1e-9;  // below it, corrections that no longer shrink are rounding
constexpr double kSlow = 0.1;    // a contraction above it asks for fresh factors
constexpr int kPatience = 3;     // sweeps before a growing correction ends them

}  // namespace

GaussLegendre::GaussLegendre(TreeSystem& system, TreeState initial, const Settings& settings)
    : ImplicitTreeIntegrator(system, std::move(initial)),
      dynamics_(system),
      states_(system),
      settings_(settings),
      tolerance_(settings.tolerance <= std::numeric_limits<double>::epsilon()
                     ? kWellBelow * settings.tolerance
                     : settings.tolerance),
      tableau_(settings.stages),
      stages_(settings.stages),
      rates_(system.rate_count()),
      coordinates_(system.coordinate_count()),
      flows_(system.flow_count()),
      lost_{0, Vector(coordinates_), Vector(rates_), Vector(flows_)},
      Z_(stages_ * rates_),
      V_(stages_ * rates_),
      A_(stages_ * rates_),
      P_(stages_ * flows_),
      Q_(stages_ * coordinates_),
      r_(stages_ * rates_),
      times_(stages_),
      dq_(coordinates_),
      dv_(rates_),
      dz_(flows_),
      predictor_(tableau_.c, rates_) {
  if (settings_.iteration != Iteration::newton) return;
  const int modes = static_cast<int>(tableau_.modes.size());
  stiff_ = system.make_stiff_inverse(modes);
  use_inverse_ = stiff_ && stiff_->has_joint_forces();
  sigma_.resize(modes);
  mode_.resize(rates_);
  sum_.resize(stages_ * rates_);
  anderson_ = std::make_unique<Anderson>(stages_ * rates_);
}

double GaussLegendre::scale(double h) const { return larger(rate_scale(h), max_abs(Z_)); }

void GaussLegendre::set_stages(double h, std::span<const double> Z) {
  for (int i = 0; i < stages_; ++i) {
    for (int k = 0; k < rates_; ++k) V_[i * rates_ + k] = state_.v[k] + Z[i * rates_ + k];  // (2)
  }
  dynamics_.collocate({h, tableau_.lean, tableau_.b, state_.q, settings_.unit_quaternions}, V_, Q_,
                      dq_);  // (1)
}

/// Z_i - h sum a_ij a_j; leaves accelerations and powers of the stages.
void GaussLegendre::set_residual(const Interval& times, double h, std::span<const double> Z,
                                 std::span<double> r) {
  set_stages(h, Z);
  for (int i = 0; i < stages_; ++i) times_[i] = times.at(tableau_.c[i]);
  evaluations_ += stages_;
  dynamics_.evaluate_stages(times_, Q_, V_, A_, P_);
  sum_stages(h, r);
  for (std::size_t i = 0; i < Z.size(); ++i) r[i] = Z[i] - r[i];
}

/// h sum a_ij a_j, and what the step adds to the rates if that is Z_i.
void GaussLegendre::sum_stages(double h, std::span<double> sums) {
  const auto with_stages = [&](auto known) {
    constexpr int kKnown = decltype(known)::value;
    const int stages = kKnown > 0 ? kKnown : stages_;
    for (int k = 0; k < rates_; ++k) {
      std::array<double, kMostGaussStages> y;
      double dv = 0;
      for (int j = 0; j < stages; ++j) {
        y[j] = h * tableau_.b[j] * A_[j * rates_ + k];
        dv += y[j];  // (3)
      }
      dv_[k] = dv;
      for (int i = 0; i < stages; ++i) {
        double sum = 0;
        for (int j = 0; j < stages; ++j) sum += tableau_.lean[i * stages + j] * y[j];
        sums[i * rates_ + k] = sum;
      }
    }
  };
  // The usual numbers of stages, known to the compiler: these loops are a tenth of a small mechanism's step.
  switch (stages_) {
    case 2:
      return with_stages(std::integral_constant<int, 2>{});
    case 3:
      return with_stages(std::integral_constant<int, 3>{});
    default:
      return with_stages(std::integral_constant<int, 0>{});
  }
}

/// In the middle of the step.
void GaussLegendre::factorise(double h) {
  for (std::size_t k = 0; k < sigma_.size(); ++k) sigma_[k] = h * tableau_.modes[k].lambda;
  const auto middle = [&](const Vector& all, int n) { return std::span(all).subspan(stages_ / 2 * n, n); };
  stiff_->factorise(middle(Q_, coordinates_), middle(V_, rates_), middle(A_, rates_), sigma_);
  factorised_ = true;
}

/// r becomes (1 + h A (x) M^-1 C + h^2 A^2 (x) M^-1 K)^-1 r, one eigenvalue of A after the other.
void GaussLegendre::apply_inverse(double h, std::span<double> r) {
  if (!use_inverse_) return;
  if (!factorised_) factorise(h);
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (std::size_t m = 0; m < tableau_.modes.size(); ++m) {
    const GaussTableau::Mode& mode = tableau_.modes[m];
    for (int k = 0; k < rates_; ++k) {
      Complex part;
      for (int i = 0; i < stages_; ++i) part += r[i * rates_ + k] * mode.left[i];
      mode_[k] = part;
    }
    stiff_->solve(static_cast<int>(m), mode_);
    for (int i = 0; i < stages_; ++i) {
      const Complex& right = mode.right[i];
      for (int k = 0; k < rates_; ++k) {
        sum_[i * rates_ + k] += right.re * mode_[k].re - right.im * mode_[k].im;
      }
    }
  }
  std::copy(sum_.begin(), sum_.end(), r.begin());
}

/// Accelerations go on as in the last steps.
void GaussLegendre::predict(double h) {
  predictor_.predict(h, A_);
  sum_stages(h, Z_);
}

/// Sweeps until what is left of the corrections, if they go on shrinking as they did, is below the
/// tolerance, or they are rounding.
NewtonReport GaussLegendre::iterate(const Interval& times, double h) {
  NewtonReport report;
  double previous = 0, worst = 0;
  // One sweep does not tell how they shrink; the last step does, with some caution (Hairer and Wanner).
  double contraction = std::pow(std::max(contraction_, 1e-16), 0.8);
  while (report.iterations < settings_.max_iterations) {
    ++report.iterations;
    set_residual(times, h, Z_, r_);
    apply_inverse(h, r_);
    for (std::size_t i = 0; i < Z_.size(); ++i) Z_[i] -= r_[i];
    report.correction = max_abs(r_);
    if (!std::isfinite(report.correction)) break;
    const double size = scale(h);
    const bool small = report.correction <= kFloor * size;
    if (report.iterations > 1) {
      contraction = report.correction / previous;
      if (!small) worst = larger(worst, contraction);
    }
    const double left =
        contraction < 1 ? report.correction * contraction / (1 - contraction) : report.correction;
    const bool stagnates = report.iterations > 1 && contraction > 0.5 && small;
    if (smaller(left, report.correction) <= tolerance_ * size || stagnates) {
      report.converged = true;
      if (worst > 0) contraction_ = worst;
      return report;
    }
    if (report.iterations > 1 && contraction > kSlow && !small) {
      factorised_ = false;
      use_inverse_ = stiff_ != nullptr;
    }
    if (report.iterations > kPatience && contraction > 1 && !small) break;
    previous = report.correction;
  }
  contraction_ = 1;
  return report;
}

NewtonReport GaussLegendre::accelerate(const Interval& times, double h) {
  NewtonSettings settings;
  settings.tolerance = settings_.tolerance;
  settings.rounding_floor = kFloor;
  settings.max_iterations = settings_.max_iterations;
  factorised_ = false;
  return anderson_->solve(Z_, scale(h), settings, [&](std::span<const double> Z, std::span<double> r) {
    set_residual(times, h, Z, r);
    apply_inverse(h, r);
  });
}

/// Where sweeps are many, the next steps take the inverse: with it a sweep costs twice as much. Where they
/// are still many, or do not end, this step or the next ones are accelerated; and where the last steps are no
/// guess, as after a kink, the stages start at rest.
NewtonReport GaussLegendre::solve(const Interval& times, double h) {
  constexpr int kMany = 15, kWorthAnInverse = 6, kStepsAtOnce = 20;
  states_.hold_states({state_.z, 0, {}, h, times.begin});
  factorised_ = false;  // factors of the last step would do, but with more sweeps, which cost as much
  NewtonReport report;
  if (to_accelerate_ == 0) {
    const bool all_is_used = use_inverse_ || !stiff_;
    predict(h);
    report = iterate(times, h);
    is_fixed_point_ = !use_inverse_;
    usual_sweeps_ += 0.2 * (report.iterations - usual_sweeps_);
    if (usual_sweeps_ > kWorthAnInverse) use_inverse_ = stiff_ != nullptr;
    if (anderson_ && all_is_used && report.iterations > kMany) to_accelerate_ = kStepsAtOnce;
    if (report.converged || !anderson_) return report;
  } else {
    --to_accelerate_;
  }
  is_fixed_point_ = false;
  for (const bool again : {false, true}) {
    if (again) predictor_.forget();
    predict(h);
    report = accelerate(times, h);
    if (report.converged) return report;
  }
  return report;
}

void GaussLegendre::stand_at(const TreeState& state, const TreeState& lost) {
  state_ = state;
  lost_ = lost;
}

const char* GaussLegendre::advice(bool finite) const {
  if (!finite) return ImplicitTreeIntegrator::advice(finite);
  return settings_.iteration == Iteration::fixed_point
             ? "the fixed-point iteration does not converge: take `iteration: newton` or a smaller step"
             : "the stages do not converge: take a smaller step";
}

bool GaussLegendre::complete(const Interval&, double h) {
  set_stages(h, Z_);
  if (!is_fixed_point_) {
    // Where joints are stiff, accelerations before the last correction are far from those at Z:
    // h sum b_j a_j = sum d_i Z_i, of which the first has the smaller rounding.
    sum_stages(h, r_);
    for (int i = 0; i < stages_; ++i) {
      for (int k = 0; k < rates_; ++k) dv_[k] += tableau_.d[i] * (Z_[i * rates_ + k] - r_[i * rates_ + k]);
    }
  }
  for (int k = 0; k < flows_; ++k) {
    dz_[k] = 0;
    for (int i = 0; i < stages_; ++i) dz_[k] += h * tableau_.b[i] * P_[i * flows_ + k];
  }
  return all_finite(dq_) && all_finite(dv_) && all_finite(dz_);
}

void GaussLegendre::commit(const Interval&, double h) {
  add_compensated(dq_, state_.q, lost_.q);
  add_compensated(dv_, state_.v, lost_.v);
  add_compensated(dz_, state_.z, lost_.z);
  predictor_.remember(h, A_);
}

}  // namespace torsor
