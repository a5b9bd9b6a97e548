#include "torsor/integrator/pack_gauss_legendre.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace torsor {
namespace {

constexpr double kFloor = 1e-9;  // below it, corrections that no longer shrink are rounding
constexpr int kPatience = 3;     // sweeps before a growing correction ends them
constexpr int kMany = 20;        // sweeps that cost more than a step of the integrator alone

template <class P>
P largest(const std::vector<P>& values) {
  LargestAbsOf<P> most;
  for (const P& value : values) most.keep(value);
  return most.value();
}

template <class P>
void move_lanes(const typename P::Mask& mask, const std::vector<P>& from, std::vector<P>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = select(mask, from[i], to[i]);
}

}  // namespace

template <class P>
PackGaussLegendre<P>::PackGaussLegendre(PackTreeSystem<P>& system, std::vector<GaussLegendre*> lanes)
    : system_(system),
      lanes_(std::move(lanes)),
      tableau_(lanes_[0]->tableau_),
      stages_(lanes_[0]->stages_),
      rates_(system.rate_count()),
      coordinates_(system.coordinate_count()),
      flows_(system.flow_count()),
      state_{Vector(coordinates_), Vector(rates_), Vector(flows_),
             Vector(coordinates_), Vector(rates_), Vector(flows_)},
      before_(state_),
      clock_(lanes_[0]->clock_),
      clock_before_(clock_),
      Z_(stages_ * rates_),
      V_(stages_ * rates_),
      A_(stages_ * rates_),
      P_(stages_ * flows_),
      Q_(stages_ * coordinates_),
      r_(stages_ * rates_),
      a_(rates_),
      p_(flows_),
      dq_(coordinates_),
      dv_(rates_),
      dz_(flows_),
      history_(stages_ * rates_),
      contraction_(1.0) {
  // A lane that nobody asks for repeats the first one: numbers that are none would be slow.
  for (int lane = 0; lane < Pack::size; ++lane) {
    GaussLegendre& own = *lanes_[lane < static_cast<int>(lanes_.size()) ? lane : 0];
    for_each_number(state_, own, [lane](Pack& pack, double number) { pack[lane] = number; });
  }
}

template <class P>
template <class Use>
void PackGaussLegendre<P>::for_each_number(State& state, GaussLegendre& own, Use&& use) {
  const auto each = [&](Vector& packs, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < packs.size(); ++i) use(packs[i], numbers[i]);
  };
  each(state.q, own.state_.q);
  each(state.v, own.state_.v);
  each(state.z, own.state_.z);
  each(state.lost_q, own.lost_.q);
  each(state.lost_v, own.lost_.v);
  each(state.lost_z, own.lost_.z);
}

template <class P>
void PackGaussLegendre<P>::show(State& state, const Clock& clock, int lane) {
  GaussLegendre& own = *lanes_[lane];
  for_each_number(state, own, [lane](const Pack& pack, double& number) { number = pack[lane]; });
  own.clock_ = clock;
  own.state_.time = clock.time();
  own.forget();
}

template <class P>
void PackGaussLegendre<P>::undo(int lane) {
  show(before_, clock_before_, lane);
  history_.forget(lane);
}

template <class P>
void PackGaussLegendre<P>::take_over(int lane) {
  GaussLegendre& own = *lanes_[lane];
  for_each_number(state_, own, [lane](Pack& pack, double number) { pack[lane] = number; });
  own.clock_ = clock_;
  own.state_.time = clock_.time();
  history_.forget(lane);
}

/// Accelerations go on as in the last steps; stages start at rest where there are none.
template <class P>
void PackGaussLegendre<P>::predict(double h) {
  if (std::abs(h - last_h_) > 1e-9 * h) history_.forget();  // the last step of a run differs by rounding
  last_h_ = h;
  history_.predict(A_);
  const Mask known = history_.steps() > 0.0;
  for (Pack& a : A_) a = select(known, a, Pack(0.0));
  sum_stages(h, Z_);
}

template <class P>
void PackGaussLegendre<P>::set_stages(double h) {
  for (int i = 0; i < stages_; ++i) {
    for (int k = 0; k < rates_; ++k) V_[i * rates_ + k] = state_.v[k] + Z_[i * rates_ + k];
  }
  system_.collocate({h, tableau_.lean, tableau_.b, state_.q, lanes_[0]->settings_.unit_quaternions}, V_, Q_,
                    dq_);
}

template <class P>
void PackGaussLegendre<P>::sum_stages(double h, Vector& sums) {
  for (int k = 0; k < rates_; ++k) {
    std::array<Pack, kMostGaussStages> y;
    dv_[k] = 0.0;
    for (int j = 0; j < stages_; ++j) {
      y[j] = (h * tableau_.b[j]) * A_[j * rates_ + k];
      dv_[k] += y[j];
    }
    for (int i = 0; i < stages_; ++i) {
      Pack sum(0.0);
      for (int j = 0; j < stages_; ++j) sum += tableau_.lean[i * stages_ + j] * y[j];
      sums[i * rates_ + k] = sum;
    }
  }
}

/// Accelerations and powers of the stages, in the lanes that go on.
template <class P>
void PackGaussLegendre<P>::evaluate(const Interval& times, const Mask& active) {
  for (int i = 0; i < stages_; ++i) {
    const auto part = [i](const Vector& all, int n) { return std::span(all).subspan(i * n, n); };
    system_.evaluate(times.at(tableau_.c[i]), part(Q_, coordinates_), part(V_, rates_), a_, p_);
    for (int k = 0; k < rates_; ++k) A_[i * rates_ + k] = select(active, a_[k], A_[i * rates_ + k]);
    for (int k = 0; k < flows_; ++k) P_[i * flows_ + k] = select(active, p_[k], P_[i * flows_ + k]);
  }
}

/// As GaussLegendre::scale.
template <class P>
P PackGaussLegendre<P>::size_of_rates(double h) const {
  return larger(larger(Pack(h), largest(state_.v)), largest(Z_));
}

/// As GaussLegendre::iterate, lane by lane.
template <class P>
typename P::Mask PackGaussLegendre<P>::find_stages(const Interval& times, double h, const Mask& asked) {
  const double tolerance = lanes_[0]->tolerance_;
  const int most = std::min(kMany, lanes_[0]->settings_.max_iterations);
  Mask active = asked, found = !all_lanes<Pack>();
  Pack previous(0.0), worst(0.0);
  Pack contraction = pow(max(contraction_, Pack(1e-16)), 0.8);
  iterations_ = 0.0;
  for (int sweep = 1; sweep <= most && any(active); ++sweep) {
    set_stages(h);
    evaluate(times, active);
    sum_stages(h, r_);
    for (std::size_t i = 0; i < Z_.size(); ++i) {
      r_[i] = Z_[i] - r_[i];
      Z_[i] = select(active, Z_[i] - r_[i], Z_[i]);
    }
    const Pack now = largest(r_), size = size_of_rates(h);
    iterations_ = select(active, iterations_ + 1.0, iterations_);
    correction_ = select(active, now, correction_);
    const Mask is_small = now <= kFloor * size, is_finite = now * 0.0 == Pack(0.0);
    Mask ends = !all_lanes<Pack>(), grows = ends;
    if (sweep > 1) {
      contraction = now / previous;
      worst = select(is_small, worst, larger(worst, contraction));
      ends = (contraction > 0.5) & is_small;
      if (sweep > kPatience) grows = (contraction > 1.0) & !is_small;
    }
    const Pack left = select(contraction < 1.0, now * contraction / (1.0 - contraction), now);
    const Mask done = active & is_finite & ((smaller(left, now) <= tolerance * size) | ends);
    contraction_ = select(done & (worst > 0.0), worst, contraction_);
    found = found | done;
    active = active & is_finite & !done & !grows;
    previous = now;
  }
  contraction_ = select(found, contraction_, Pack(1.0));
  return found;
}

/// What the step adds; the lanes in which that is finite.
template <class P>
typename P::Mask PackGaussLegendre<P>::complete(double h, const Mask& found) {
  set_stages(h);
  sum_stages(h, r_);
  for (int k = 0; k < flows_; ++k) {
    dz_[k] = 0.0;
    for (int i = 0; i < stages_; ++i) dz_[k] += (h * tableau_.b[i]) * P_[i * flows_ + k];
  }
  return found & all_finite<Pack>(dq_) & all_finite<Pack>(dv_) & all_finite<Pack>(dz_);
}

template <class P>
void PackGaussLegendre<P>::commit(const Mask& found) {
  add_compensated<Pack>(dq_, state_.q, state_.lost_q);
  add_compensated<Pack>(dv_, state_.v, state_.lost_v);
  add_compensated<Pack>(dz_, state_.z, state_.lost_z);
  const Mask stay = !found;
  for (Vector State::*part :
       {&State::q, &State::v, &State::z, &State::lost_q, &State::lost_v, &State::lost_z}) {
    move_lanes(stay, before_.*part, state_.*part);
  }
  history_.remember(A_);
}

template <class P>
typename P::Mask PackGaussLegendre<P>::step(double h, const Mask& asked) {
  before_ = state_;
  clock_before_ = clock_;
  const Interval times{clock_.time(), clock_.after(h)};
  system_.hold_states({state_.z, 0, {}, h, times.begin});
  predict(h);
  const Mask found = complete(h, find_stages(times, h, asked));
  commit(found);
  clock_.advance(h);
  for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) {
    if (!found[lane]) {
      history_.forget(lane);  // others may have had its guess remembered as a step
      continue;
    }
    GaussLegendre& own = *lanes_[lane];
    show(state_, clock_, lane);
    own.solver_ = {static_cast<int>(iterations_[lane]), correction_[lane]};
    own.evaluations_ += static_cast<long>(stages_) * own.solver_.iterations;
  }
  return found;
}

template class PackGaussLegendre<Pack<4>>;
template class PackGaussLegendre<Pack<8>>;

}  // namespace torsor
