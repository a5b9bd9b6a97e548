#include "torsor/integrator/pack_energy_momentum.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace torsor {
namespace {

template <class P>
ConstrainedStateOf<P> empty_state(const ConstrainedState& like) {
  ConstrainedStateOf<P> state;
  state.time = like.time;
  for (auto [to, from] : {std::pair(&state.x, &like.x),
                          {&state.v, &like.v},
                          {&state.angles, &like.angles},
                          {&state.z, &like.z},
                          {&state.lost, &like.lost},
                          {&state.x_lost, &like.x_lost},
                          {&state.v_lost, &like.v_lost}}) {
    to->resize(from->size());
  }
  return state;
}

template <class P>
void copy_lanes(const typename P::Mask& mask, const std::vector<P>& from, std::vector<P>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = select(mask, from[i], to[i]);
}

}  // namespace

template <class P>
PackEnergyMomentum<P>::PackEnergyMomentum(PackSystem<P>& system, std::vector<EnergyMomentum*> lanes)
    : system_(system),
      lanes_(std::move(lanes)),
      scheme_(system, lanes_[0]->scheme_.settings(), lanes_[0]->scheme_.elastic_points(), system.flow_count(),
              system.free_axes()),
      state_(empty_state<P>(lanes_[0]->state())),
      x_(state_.x),
      x_lost_(state_.x_lost),
      angles_(state_.angles),
      behind_(!all_lanes<P>()),
      clock_(lanes_[0]->clock_) {
  assert(!lanes_.empty() && lanes_.size() <= kMost);
  load();
}

template <class P>
void PackEnergyMomentum<P>::restart(std::vector<EnergyMomentum*> lanes) {
  lanes_ = std::move(lanes);
  assert(!lanes_.empty() && lanes_.size() <= kMost);
  scheme_.restart(system_.free_axes());
  state_.time = lanes_[0]->state().time;
  clock_ = lanes_[0]->clock_;
  behind_ = !all_lanes<P>();
  failures_ = {};
  load();
}

template <class P>
void PackEnergyMomentum<P>::load() {
  // A lane that nobody asks for repeats the first one: numbers that are none would be slow.
  for (int lane = kMost; lane-- > 0;) {
    for_each_list(lane, [&](const std::vector<double>& own, std::vector<P>& packs) {
      for (std::size_t i = 0; i < packs.size(); ++i) packs[i][lane] = own[i];
      unseen_.resize(std::max(unseen_.size(), packs.size()));
    });
  }
}

template <class P>
template <class Use>
void PackEnergyMomentum<P>::for_each_list(int lane, Use&& use) {
  ConstrainedState& own = lanes_[lane < static_cast<int>(lanes_.size()) ? lane : 0]->state_;
  use(own.z, state_.z);
  use(own.lost, state_.lost);
  use(own.x, state_.x);
  use(own.v, state_.v);
  use(own.angles, state_.angles);
  use(own.x_lost, state_.x_lost);
  use(own.v_lost, state_.v_lost);
}

template <class P>
void PackEnergyMomentum<P>::leave(int lane) {
  EnergyMomentum& own = *lanes_[lane];
  typename P::Mask alone = !all_lanes<P>();
  set_lane<kMost>(alone, lane, true);
  copy_out(alone, 0, 7);
  set_lane<kMost>(behind_, lane, false);
  own.clock_ = clock_;
  own.state_.time = clock_.time();
  own.scheme_.most_loops = scheme_.most_loops[lane];
  own.scheme_.most_energy = scheme_.most_energy[lane];
  own.forget();
}

template <class P>
void PackEnergyMomentum<P>::come_back(int lane) {
  for_each_list(lane, [&](const std::vector<double>& own, std::vector<P>& packs) {
    for (std::size_t i = 0; i < packs.size(); ++i) packs[i][lane] = own[i];
  });
  set_lane<kMost>(behind_, lane, false);
  scheme_.most_loops[lane] = lanes_[lane]->scheme_.most_loops;
  scheme_.most_energy[lane] = lanes_[lane]->scheme_.most_energy;
  scheme_.forget(lane);
  lanes_[lane]->forget();
}

template <class P>
void PackEnergyMomentum<P>::show() {
  if (!any(behind_)) return;
  copy_out(behind_, 2, 7);
  behind_ = !all_lanes<P>();
}

/// All lanes of a pack at once: it is read from memory once.
template <class P>
void PackEnergyMomentum<P>::copy_out(const typename P::Mask& lanes, int first, int last) {
  std::array<std::array<double*, kMost>, 7> to;
  for (int lane = 0; lane < kMost; ++lane) {
    const bool wanted = lanes[lane] && lane < static_cast<int>(lanes_.size());
    int list = 0;
    for_each_list(lane, [&](std::vector<double>& own, const std::vector<P>&) {
      to[list++][lane] = wanted ? own.data() : unseen_.data();
    });
  }
  int list = 0;
  for_each_list(0, [&](const std::vector<double>&, const std::vector<P>& packs) {
    const std::array<double*, kMost>& own = to[list];
    const bool asked = list >= first && list < last;
    ++list;
    for (std::size_t i = 0; asked && i < packs.size(); ++i) {
      const P pack = packs[i];
      for (int lane = 0; lane < kMost; ++lane) own[lane][i] = pack[lane];
    }
  });
}

template <class P>
void PackEnergyMomentum<P>::settle(const typename P::Mask& lanes) {
  if (all(lanes)) return system_.settle(state_.x, state_.x_lost, state_.angles);
  if (!any(lanes)) return;
  x_ = state_.x;
  x_lost_ = state_.x_lost;
  angles_ = state_.angles;
  system_.settle(x_, x_lost_, angles_);
  copy_lanes(lanes, x_, state_.x);
  copy_lanes(lanes, x_lost_, state_.x_lost);
  copy_lanes(lanes, angles_, state_.angles);
}

template <class P>
void PackEnergyMomentum<P>::step(double h, const typename P::Mask& asked, bool shown) {
  const P loops = system_.begin_step(clock_.time(), state_.x, state_.v, state_.angles);
  const typename P::Mask found = scheme_.advance(h, clock_, state_, loops, asked);
  settle(found);
  copy_out(found, 0, 2);
  behind_ = behind_ | found;
  for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) {
    if (!asked[lane]) {
      scheme_.forget(lane);  // others may have had its guess remembered as a step
      continue;
    }
    EnergyMomentum& own = *lanes_[lane];
    own.watch_.feed(clock_.time(), loops[lane]);
    if (!found[lane]) {
      step_alone(lane, [&] { own.step(h); });
      continue;
    }
    own.solver_ = {static_cast<int>(scheme_.report.iterations[lane]), scheme_.report.correction[lane]};
    own.evaluations_ += static_cast<long>(scheme_.report.evaluations[lane]);
  }
  if (shown) show();
  clock_.advance(h);
  state_.time = clock_.time();
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (failures_[lane]) continue;
    lanes_[lane]->clock_ = clock_;
    lanes_[lane]->state_.time = state_.time;
  }
}

template class PackEnergyMomentum<Pack<4>>;
template class PackEnergyMomentum<Pack<8>>;

}  // namespace torsor
