#pragma once
// A step of a mechanism in directors: what acts, the equations and their matrix. Plain data and functions on
// it, for all who solve these equations: Rotationless itself, its null space, the formulation cartesian.

#include "torsor/formulation/elements/all.h"
#include "torsor/formulation/rotationless/servo_output.h"
#include "torsor/formulation/rotationless/servo_shares.h"
#include "torsor/numerics/border_rank.h"

namespace torsor {

template <int D, class S = double>
struct RotationlessWork : ElementForces<D, S> {
  /// What is in the input may be null.
  RotationlessWork(const Model& model, int loop_rank, SystemInput inputs) requires std::same_as<S, double>
      : RotationlessWork(model, RotationlessMechanism<D, S>(model, loop_rank),
                         make_flow_book(model, inputs.external.get()), inputs) {}
  /// Of a pack, whose lanes are built as `like` is, without servos. Elements follow (pack.cc).
  RotationlessWork(const RotationlessWork<D>& like,
                   RotationlessMechanism<D, S> packed) requires(!std::same_as<S, double>);

  /// Takes the numbers of a model that is built like the one before (model/alike.h), but for those of the mechanism if
  /// that is the same. False, and then of no more use, where not all that was made for that one serves this one, too.
  bool take(const Model& model, int loop_rank, bool is_same_mechanism) requires std::same_as<S, double>;
  /// Forgets the matrix and its factors; all else is overwritten before it is read.
  void forget();

  RotationlessMechanism<D, S> mechanism;  ///< constant, until numbers are taken
  FlowBook book;                          ///< likewise
  std::vector<ServoOutput<D>> outputs;    ///< as many as unknowns of servos
  ServoShares shares;                     ///< of efforts in these
  KktPattern pattern;
  BodyKkt<D, S> kkt;
  BorderRank border_rank;
  std::vector<MeasuredPairOf<S>> row_pairs;  ///< of screws, then of couplings, at the last residual
  std::vector<double> basis;                 ///< of the border's unknowns that act, row-major
  std::vector<S> r, bare_w, scratch;

  int unknown_count() const { return kkt.size() + kkt.border_size(); }
  int servo_unknown(std::size_t servo) const {
    return mechanism.tree_size + mechanism.loop_count + static_cast<int>(servo);
  }
  /// Times the force gain, as the unknowns are.
  std::span<const S> servo_efforts(const ConstrainedPointOf<S>& point, std::span<const S> unknowns) const {
    if constexpr (std::same_as<S, double>) {
      return unknowns.empty() ? unknowns
                              : shares.efforts(point.force_gain, unknowns.subspan(servo_unknown(0)));
    }
    return {};
  }
  PairView<D, S> view(const ConstrainedPointOf<S>& point, std::span<const S> unknowns) const {
    return {point, mechanism, this->X, servo_efforts(point, unknowns)};
  }
  std::span<const Effort<D, S>> efforts() const {
    return std::get<std::vector<Effort<D, S>>>(this->elements);
  }
  std::span<const TendonEffort<D, S>> tendon_efforts() const {
    return std::get<std::vector<TendonEffort<D, S>>>(this->elements);
  }
  /// Hands all efforts that servos find to `use`.
  template <class Use>
  void for_each_servo_effort(Use&& use) const {
    for (const Effort<D, S>& effort : efforts()) {
      if (effort.servo >= 0) use(effort);
    }
    for (const TendonEffort<D, S>& effort : tendon_efforts()) {
      if (effort.servo >= 0) use(effort);
    }
  }

 private:
  RotationlessWork(const Model& model, RotationlessMechanism<D, S> made, FlowBook booked,
                   SystemInput inputs) requires std::same_as<S, double>;
};

/// From now on loops as a dense border, however many, and a block K_ab for any two bodies that a joint or a loop joins, be
/// it zero: for those who read the Schur complement, or compose bodies in these blocks.
template <int D>
void use_all_blocks(RotationlessWork<D>& work);

/// A state by itself: both ends of the pair the same; w is that of the workspace.
template <int D, class S>
ConstrainedPointOf<S> state_point(const RotationlessWork<D, S>& work, double t,
                                  std::span<const std::type_identity_t<S>> x,
                                  std::span<const std::type_identity_t<S>> v,
                                  std::span<const std::type_identity_t<S>> angles);

// The left side: forces that act, and what they are by the increments.
/// Inertia, weights and elements, all but the constraints; loads the pair.
template <int D, class S>
void push_elements(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                   std::span<const std::type_identity_t<S>> unknowns);
template <int D, class S>
void collect(const RotationlessWork<D, S>& work, std::span<std::type_identity_t<S>> r);
/// All of (2) of system.h.
template <int D, class S>
void set_residual(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                  std::span<const std::type_identity_t<S>> unknowns, std::span<std::type_identity_t<S>> r);

// The matrix.
/// The exact derivative of the left side, of the last residual.
template <int D, class S>
void assemble(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
              std::span<const std::type_identity_t<S>> unknowns);
/// The same, and its factorisation, with a right-hand side that is reduced on the way unless it is empty
/// (TreeKkt::factorise): part by part, where nothing but joints of the tree couples bodies.
template <int D, class S>
MaskOf<S> assemble_and_factorise(RotationlessWork<D, S>& work, const ConstrainedPointOf<S>& point,
                                 std::span<const std::type_identity_t<S>> unknowns,
                                 std::span<std::type_identity_t<S>> nodes,
                                 std::span<std::type_identity_t<S>> border);
/// Whether all turns of bodies in a step can be told from others, lane by lane.
template <int D, class S>
MaskOf<S> turns_are_short(const RotationlessWork<D, S>& work,
                          std::span<const std::type_identity_t<S>> unknowns);
/// Where row or column `row` of the border meets a body.
template <int D, class S>
S* border_entry(RotationlessWork<D, S>& work, bool left, int row, int node);
/// Masses and constraints of joints alone; the pair has been loaded.
template <int D, class S>
void assemble_bare(RotationlessWork<D, S>& work);
/// Measures at the pair what efforts act on.
template <int D>
void set_efforts(RotationlessWork<D>& work, const PairView<D>& view);
/// Finds the shares of redundant efforts at the pair that is loaded, a state. Measures the efforts, uses the
/// matrix. False where it is singular.
template <int D>
bool set_servo_shares(RotationlessWork<D>& work, const PairView<D>& view);
enum class ServoSide { efforts, outputs };
/// The same with servos: efforts that are unknowns as columns on the left, outputs as rows on the right; or
/// either on both sides. False where it is singular.
template <int D, class S>
MaskOf<S> factorise_bare(RotationlessWork<D, S>& work, double t, ServoSide left = ServoSide::efforts,
                         ServoSide right = ServoSide::outputs);
/// The border of what factorise_bare() left; the rank of redundant loops is fixed anew.
template <int D>
bool factorise_bare_border(RotationlessWork<D>& work);
/// Restricts the loops' rows to that many independent ones, or with -1 to those that there are; to how many.
template <int D>
int keep_rank(RotationlessWork<D>& work, int loop_rank);
/// After factorise_bare(). False in a singular position, where only what is left of the loops is kept; `usable`
/// tells whether that can be solved.
template <int D>
bool factorise_loops(RotationlessWork<D>& work, bool& usable);
/// Steps have no part that acts on nothing, but a guess from steps with other null spaces has, and it would
/// grow from step to step. Of the border's unknowns, or, where loops are sparse, of all.
template <int D>
void drop_idle_multipliers(const RotationlessWork<D>& work, std::span<double> unknowns);
/// Where loops are sparse, after factorise_bare(): of the multipliers that act alike, the least ones.
template <int D>
void make_multipliers_least(RotationlessWork<D>& work, std::span<double> unknowns);

// Rates.
/// What velocities alone make of accelerations, into bare_w: Omega x d' of directors, and of rotors; the state is
/// loaded.
template <int D>
void set_bare_accelerations(RotationlessWork<D>& work, std::span<const double> angles);
/// The gradient of a rotor's coordinate at the state that is loaded.
template <int D, class S>
PairRow<D, S> rotor_gradient(const RotationlessWork<D, S>& work, const Rotor<D, S>& rotor) {
  const Configuration<D, S>& X = work.X.right;
  return end_gradient(rotor.coordinate, value_at(rotor.coordinate, X, S(0.0)), X);
}
/// The rate of a rotor along the twists eta of the bodies, `sign` times the entries of all unknowns.
template <int D>
double rotor_rate(const RotationlessWork<D>& work, const Rotor<D>& rotor, std::span<const double> eta,
                  double sign);
/// -P^T M v of the velocities v, which are loaded.
template <int D>
void set_momenta(RotationlessWork<D>& work, std::span<const double> v, std::span<double> r);
/// The rates P eta of the twists eta = -r at the right configuration.
template <int D>
void set_rates(const RotationlessWork<D>& work, std::span<const double> r, std::span<double> v);

}  // namespace torsor
