#pragma once
// The Gauss-Legendre methods on several trees at once.

#include "torsor/integrator/extrapolation.h"
#include "torsor/integrator/gauss_legendre.h"
#include "torsor/integrator/pack_tree.h"

namespace torsor {

/// The stages (2) of gauss_legendre.h are found by sweeps of the fixed point, in lock-step: a lane that has converged is
/// held still. One that does not converge so, as where joints are stiff, is left to its integrator, which has more to solve
/// with. The accelerations are guessed by extrapolation, lane by lane.
template <class P>
class PackGaussLegendre final : public PackTreeIntegrator<P> {
 public:
  static bool have_same_options(const GaussLegendre& a, const GaussLegendre& b) {
    return a.settings_ == b.settings_;
  }
  PackGaussLegendre(PackTreeSystem<P>& system, std::vector<GaussLegendre*> lanes);

  typename P::Mask step(double h, const typename P::Mask& asked) override;
  void undo(int lane) override;
  void take_over(int lane) override;

 private:
  using Pack = P;
  using Mask = typename P::Mask;
  using Vector = std::vector<Pack>;
  struct State {
    Vector q, v, z, lost_q, lost_v, lost_z;
  };
  template <class Use>
  static void for_each_number(State& state, GaussLegendre& own, Use&& use);
  void show(State& state, const Clock& clock, int lane);
  void predict(double h);
  void set_stages(double h);
  void sum_stages(double h, Vector& sums);  ///< and dv_
  void evaluate(const Interval& times, const Mask& active);
  Mask find_stages(const Interval& times, double h, const Mask& asked);
  Mask complete(double h, const Mask& found);
  void commit(const Mask& found);
  Pack size_of_rates(double h) const;

  PackTreeSystem<P>& system_;
  std::vector<GaussLegendre*> lanes_;
  const GaussTableau& tableau_;
  int stages_, rates_, coordinates_, flows_;
  State state_, before_;
  Clock clock_, clock_before_;
  Vector Z_, V_, A_, P_, Q_, r_;  ///< stage after stage
  Vector a_, p_;                  ///< of one stage
  Vector dq_, dv_, dz_;
  ExtrapolationOf<Pack> history_;  ///< of the accelerations, in steps of the length last_h_
  double last_h_ = 0;
  Pack contraction_, iterations_, correction_;  ///< of the last step
};

extern template class PackGaussLegendre<Pack<4>>;
extern template class PackGaussLegendre<Pack<8>>;

}  // namespace torsor
