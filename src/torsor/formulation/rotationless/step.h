#pragma once
// A step of the rotationless formulation, of one mechanism or of a pack of them: what Newton's method asks for.

#include "torsor/formulation/rotationless/work.h"

namespace torsor {

/// Rotationless (rotationless.h) without what its observers and servos need; the verbs are those of StepEquations
/// and ConstrainedStates. A pack has neither servos nor redundant or sparse loops.
template <int D, class S = double>
class RotationlessStep {
 public:
  explicit RotationlessStep(RotationlessWork<D, S>& work);

  int coordinate_count() const { return mechanism_.coordinate_count(); }
  int unknown_count() const { return work_.unknown_count(); }
  int angle_count() const { return mechanism_.joints.angle_count; }
  int flow_count() const { return work_.book.flow_count(); }

  void retract(std::span<const S> x_a, std::span<const S> unknowns, std::span<S> dx, std::span<S> x_b) const;
  void set_increments(std::span<const S> x, std::span<const S> v, double h, std::span<S> unknowns) const;
  void residual(const ConstrainedPointOf<S>& point, std::span<const S> unknowns, std::span<S> r);
  /// With a right-hand side, this becomes the solution.
  MaskOf<S> factorise(const ConstrainedPointOf<S>& point, std::span<const S> unknowns, std::span<S> r = {});
  void solve(std::span<S> r);
  void drop_idle(std::span<S> unknowns) const;
  void correct(std::span<const S> step, std::span<S> unknowns) const;
  S size(std::span<const S> unknowns) const;
  std::vector<S> weights() const;
  S rounding(std::span<const S> x) const;
  S kinetic_energy(std::span<const S> v) const;
  void add_flows(const ConstrainedPointOf<S>& point, std::span<const S> unknowns, double h, std::span<S> z);
  void settle(std::span<S> x, std::span<S> x_lost, std::span<S> angles) const;
  /// At a state: factorises the loops, all of whose rows are independent. The least over the largest pivot.
  S watch_loops(double time, std::span<const S> x, std::span<const S> v, std::span<const S> angles);
  /// The numbers of the mechanism have changed.
  void take_mechanism();

 private:
  static constexpr bool kPlain = std::same_as<S, double>;

  /// An angle in the plane: slope times the turn of the child less that of the parent, and its zero.
  struct Turn {
    int angle, child, parent;
    S slope, zero;
  };
  Turn make_turn(const Measure<D, S>& measure);
  void count_turns(std::span<const S> x, std::span<S> angles) const;

  RotationlessWork<D, S>& work_;
  const RotationlessMechanism<D, S>& mechanism_;
  std::vector<Turn> turns_;            ///< in the plane, of all angles
  mutable std::vector<S> body_turns_;  ///< by node; the ground's is zero
  mutable Configuration<D, S> counted_, increment_;
};

extern template class RotationlessStep<2>;
extern template class RotationlessStep<3>;
extern template class RotationlessStep<2, Pack<4>>;
extern template class RotationlessStep<2, Pack<8>>;
extern template class RotationlessStep<3, Pack<4>>;
extern template class RotationlessStep<3, Pack<8>>;

}  // namespace torsor
