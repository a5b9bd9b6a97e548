#pragma once
// Explicit methods of fixed step on several trees at once.

#include "torsor/integrator/pack_tree.h"
#include "torsor/integrator/rkmk.h"

namespace torsor {

template <class P>
class PackRkmk final : public PackTreeIntegrator<P> {
 public:
  static bool have_same_options(const Rkmk& a, const Rkmk& b) {
    return &a.scheme_.tableau() == &b.scheme_.tableau();
  }
  PackRkmk(PackTreeSystem<P>& system, std::vector<Rkmk*> lanes);

  typename P::Mask step(double h, const typename P::Mask& asked) override;
  void undo(int lane) override;
  void take_over(int lane) override;

 private:
  struct State {
    std::vector<P> q, v, z;
  };
  void show(int lane);  ///< where it stands now
  template <class Use>
  static void for_each_number(State& state, TreeState& own, Use&& use);

  std::vector<Rkmk*> lanes_;
  RkmkScheme<P> scheme_;
  State state_, before_;
  Clock clock_, clock_before_;
};

extern template class PackRkmk<Pack<4>>;
extern template class PackRkmk<Pack<8>>;

}  // namespace torsor
