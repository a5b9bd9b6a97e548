#include "torsor/integrator/pack_energy_momentum.h"

#include <cassert>
#include <utility>

namespace torsor {
namespace {

ConstrainedStateOf<StepPack> empty_state(const ConstrainedState& like) {
  ConstrainedStateOf<StepPack> state;
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

void copy_lanes(const StepPack::Mask& mask, const std::vector<StepPack>& from, std::vector<StepPack>& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = select(mask, from[i], to[i]);
}

}  // namespace

PackEnergyMomentum::PackEnergyMomentum(PackSystem& system, std::vector<EnergyMomentum*> lanes)
    : system_(system),
      lanes_(std::move(lanes)),
      scheme_(system, lanes_[0]->scheme_.settings(), lanes_[0]->scheme_.elastic_points(),
              system.flow_count()),
      state_(empty_state(lanes_[0]->state())),
      x_(state_.x),
      x_lost_(state_.x_lost),
      angles_(state_.angles),
      clock_(lanes_[0]->clock_) {
  assert(!lanes_.empty() && lanes_.size() <= kMost);
  // A lane that nobody asks for repeats the first one: numbers that are none would be slow.
  for (int lane = kMost; lane-- > 0;) {
    for_each_number(lane, [&](double& number, StepPack& pack) { pack[lane] = number; });
  }
}

template <class Use>
void PackEnergyMomentum::for_each_number(int lane, Use&& use) {
  ConstrainedState& own = lanes_[lane < static_cast<int>(lanes_.size()) ? lane : 0]->state_;
  const auto each = [&](std::vector<double>& numbers, std::vector<StepPack>& packs) {
    for (std::size_t i = 0; i < packs.size(); ++i) use(numbers[i], packs[i]);
  };
  each(own.x, state_.x);
  each(own.v, state_.v);
  each(own.angles, state_.angles);
  each(own.z, state_.z);
  each(own.lost, state_.lost);
  each(own.x_lost, state_.x_lost);
  each(own.v_lost, state_.v_lost);
}

void PackEnergyMomentum::leave(int lane) {
  EnergyMomentum& own = *lanes_[lane];
  for_each_number(lane, [&](double& number, const StepPack& pack) { number = pack[lane]; });
  own.clock_ = clock_;
  own.state_.time = clock_.time();
  own.forget();
}

void PackEnergyMomentum::come_back(int lane) {
  EnergyMomentum& own = *lanes_[lane];
  for_each_number(lane, [&](const double& number, StepPack& pack) { pack[lane] = number; });
  scheme_.forget(lane);
  own.forget();
}

void PackEnergyMomentum::show(int lane) {
  ConstrainedState& own = lanes_[lane]->state_;
  const auto each = [&](std::vector<double>& numbers, const std::vector<StepPack>& packs) {
    for (std::size_t i = 0; i < packs.size(); ++i) numbers[i] = packs[i][lane];
  };
  each(own.x, state_.x);
  each(own.v, state_.v);
  each(own.angles, state_.angles);
  each(own.z, state_.z);
  each(own.lost, state_.lost);
}

void PackEnergyMomentum::settle(const StepPack::Mask& lanes) {
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

void PackEnergyMomentum::step(double h, const StepPack::Mask& asked) {
  const StepPack loops = system_.begin_step(clock_.time(), state_.x, state_.v, state_.angles);
  const StepPack::Mask found = scheme_.advance(h, clock_, state_, asked);
  settle(found);
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
    own.evaluations_ += 1 + own.solver_.iterations;
    show(lane);
  }
  clock_.advance(h);
  state_.time = clock_.time();
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (failures_[lane]) continue;
    lanes_[lane]->clock_ = clock_;
    lanes_[lane]->state_.time = state_.time;
  }
}

}  // namespace torsor
