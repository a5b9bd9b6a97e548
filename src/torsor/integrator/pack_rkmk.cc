#include "torsor/integrator/pack_rkmk.h"

#include <utility>

namespace torsor {

template <class P>
PackRkmk<P>::PackRkmk(PackTreeSystem<P>& system, std::vector<Rkmk*> lanes)
    : lanes_(std::move(lanes)),
      scheme_(system, system, lanes_[0]->scheme_.tableau()),
      state_{std::vector<P>(system.coordinate_count()), std::vector<P>(system.rate_count()),
             std::vector<P>(system.flow_count())},
      before_(state_),
      clock_(lanes_[0]->clock_),
      clock_before_(clock_) {
  // A lane that nobody asks for repeats the first one: numbers that are none would be slow.
  for (int lane = 0; lane < P::size; ++lane) {
    TreeState& own = lanes_[lane < static_cast<int>(lanes_.size()) ? lane : 0]->state_;
    for_each_number(state_, own, [lane](P& pack, double number) { pack[lane] = number; });
  }
}

template <class P>
template <class Use>
void PackRkmk<P>::for_each_number(State& state, TreeState& own, Use&& use) {
  const auto each = [&](std::vector<P>& packs, std::vector<double>& numbers) {
    for (std::size_t i = 0; i < packs.size(); ++i) use(packs[i], numbers[i]);
  };
  each(state.q, own.q);
  each(state.v, own.v);
  each(state.z, own.z);
}

template <class P>
typename P::Mask PackRkmk<P>::step(double h, const typename P::Mask& asked) {
  before_ = state_;
  clock_before_ = clock_;
  const Interval times{clock_.time(), clock_.after(h)};
  const typename P::Mask found = scheme_.advance(times, h, state_.q, state_.v, state_.z, asked);
  clock_.advance(h);
  for (int lane = 0; lane < static_cast<int>(lanes_.size()); ++lane) {
    if (!found[lane]) continue;
    show(lane);
    lanes_[lane]->evaluations_ += scheme_.tableau().stages;
  }
  return found;
}

template <class P>
void PackRkmk<P>::show(int lane) {
  Rkmk& own = *lanes_[lane];
  for_each_number(state_, own.state_, [lane](const P& pack, double& number) { number = pack[lane]; });
  own.clock_ = clock_;
  own.state_.time = clock_.time();
}

template <class P>
void PackRkmk<P>::undo(int lane) {
  Rkmk& own = *lanes_[lane];
  for_each_number(before_, own.state_, [lane](const P& pack, double& number) { number = pack[lane]; });
  own.clock_ = clock_before_;
  own.state_.time = clock_before_.time();
}

template <class P>
void PackRkmk<P>::take_over(int lane) {
  Rkmk& own = *lanes_[lane];
  for_each_number(state_, own.state_, [lane](P& pack, double number) { pack[lane] = number; });
  own.clock_ = clock_;
  own.state_.time = clock_.time();
}

template class PackRkmk<Pack<4>>;
template class PackRkmk<Pack<8>>;

}  // namespace torsor
