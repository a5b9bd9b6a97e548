#include "torsor/integrator/pack_rkmk.h"

#include <utility>

namespace torsor {

PackRkmk::PackRkmk(PackTreeSystem& system, std::vector<Rkmk*> lanes)
    : lanes_(std::move(lanes)),
      scheme_(system, system, lanes_[0]->scheme_.tableau()),
      state_{std::vector<StepPack>(system.coordinate_count()), std::vector<StepPack>(system.rate_count()),
             std::vector<StepPack>(system.flow_count())},
      before_(state_),
      clock_(lanes_[0]->clock_),
      clock_before_(clock_) {
  // A lane that nobody asks for repeats the first one: numbers that are none would be slow.
  for (int lane = 0; lane < StepPack::size; ++lane) {
    TreeState& own = lanes_[lane < static_cast<int>(lanes_.size()) ? lane : 0]->state_;
    for_each_number(state_, own, [lane](StepPack& pack, double number) { pack[lane] = number; });
  }
}

template <class Use>
void PackRkmk::for_each_number(State& state, TreeState& own, Use&& use) {
  const auto each = [&](std::vector<StepPack>& packs, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < packs.size(); ++i) use(packs[i], numbers[i]);
  };
  each(state.q, own.q);
  each(state.v, own.v);
  each(state.z, own.z);
}

StepPack::Mask PackRkmk::step(double h, const StepPack::Mask& asked) {
  before_ = state_;
  clock_before_ = clock_;
  const Interval times{clock_.time(), clock_.after(h)};
  const StepPack::Mask found = scheme_.advance(times, h, state_.q, state_.v, state_.z, asked);
  clock_.advance(h);
  for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) {
    if (!found[lane]) continue;
    show(lane);
    lanes_[lane]->evaluations_ += scheme_.tableau().stages;
  }
  return found;
}

void PackRkmk::show(int lane) {
  Rkmk& own = *lanes_[lane];
  for_each_number(state_, own.state_, [lane](const StepPack& pack, double& number) { number = pack[lane]; });
  own.clock_ = clock_;
  own.state_.time = clock_.time();
}

void PackRkmk::undo(int lane) {
  Rkmk& own = *lanes_[lane];
  for_each_number(before_, own.state_, [lane](const StepPack& pack, double& number) { number = pack[lane]; });
  own.clock_ = clock_before_;
  own.state_.time = clock_before_.time();
}

void PackRkmk::take_over(int lane) {
  Rkmk& own = *lanes_[lane];
  for_each_number(state_, own.state_, [lane](StepPack& pack, double number) { pack[lane] = number; });
  own.clock_ = clock_;
  own.state_.time = clock_.time();
}

}  // namespace torsor
