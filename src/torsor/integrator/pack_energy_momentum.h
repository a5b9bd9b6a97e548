#pragma once
// The energy-momentum scheme on several mechanisms of one build at once.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/formulation/pack_system.h"
#include "torsor/integrator/energy_momentum.h"

namespace torsor {

/// Steps integrators in lock-step, a lane each; their states follow after every step, or when show() is called. A lane's
/// numbers do not depend on its neighbours, nor on how many there are, to the last bit. Where Newton's method does not
/// converge in a lane, its integrator goes on alone, in parts of the step, and comes back with a new history; where that
/// fails, too, the lane stays where it is.
template <class P>
class PackEnergyMomentum {
 public:
  static constexpr int kMost = P::size;

  static bool have_same_options(const EnergyMomentum& a, const EnergyMomentum& b) {
    return are_alike(a.scheme_, b.scheme_);
  }
  bool has_options_of(const EnergyMomentum& lane) const { return are_alike(lane.scheme_, scheme_); }
  /// All stand at one time and have options in common. They and the system must outlive it.
  PackEnergyMomentum(PackSystem<P>& system, std::vector<EnergyMomentum*> lanes);
  /// As if it were made with these: the system has taken their systems in the places of those before (take_lanes).
  void restart(std::vector<EnergyMomentum*> lanes);

  /// Advances the lanes that are asked for by h > 0; what went wrong in a lane is in failure(). The integrators' time and
  /// flows follow at once, the rest of their states unless it is left for show().
  void step(double h, const typename P::Mask& asked, bool shown = true);
  /// Makes the integrators stand where their lanes do, all that do not yet.
  void show();
  const std::optional<StepFailure>& failure(int lane) const { return failures_[lane]; }
  const ConstrainedStateOf<P>& state() const { return state_; }
  /// Makes a step with the lane's integrator alone, by `take()`; others step by `step`, all by the same h.
  template <class Take>
  void step_alone(int lane, Take&& take) {
    leave(lane);
    try {
      take();
    } catch (const StepFailure& failure) {
      failures_[lane] = failure;
    }
    come_back(lane);
  }

 private:
  /// In all that the user may choose.
  template <class S>
  static bool are_alike(const EnergyMomentumScheme<double>& a, const EnergyMomentumScheme<S>& b) {
    return a.settings() == b.settings() && a.elastic_points() == b.elastic_points();
  }
  void load();               ///< all lanes, from where their integrators stand
  void leave(int lane);      ///< makes its integrator stand where the lane does
  void come_back(int lane);  ///< the other way round; the time is that of the pack
  /// Copies lists of the state into those of the integrators of lanes: of 7 those from `first` to `last`.
  void copy_out(const typename P::Mask& lanes, int first, int last);
  void settle(const typename P::Mask& lanes);
  /// Hands on the lists of a lane's own state, each with that of the pack; the first two are the flows.
  template <class Use>
  void for_each_list(int lane, Use&& use);

  PackSystem<P>& system_;
  std::vector<EnergyMomentum*> lanes_;
  EnergyMomentumScheme<P> scheme_;
  ConstrainedStateOf<P> state_;
  std::vector<P> x_, x_lost_, angles_;  ///< of settle()
  std::vector<double> unseen_;          ///< where lanes go that are not shown
  typename P::Mask behind_;             ///< lanes whose integrators do not stand there yet
  Clock clock_;
  std::array<std::optional<StepFailure>, kMost> failures_;
};

extern template class PackEnergyMomentum<Pack<4>>;
extern template class PackEnergyMomentum<Pack<8>>;

}  // namespace torsor
