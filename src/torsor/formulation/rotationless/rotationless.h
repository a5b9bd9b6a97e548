#pragma once
// The rotationless formulation: bodies by directors, joints as quadratic constraints, any topology, in the
// plane (D = 2) and in space (D = 3).

#include <memory>

#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/formulation/rotationless/elements.h"
#include "torsor/numerics/border_rank.h"

namespace torsor {

class Cartesian;
template <int D>
class NullSpace;
template <int D>
class RotationlessWeakForm;
class CartesianWeakForm;

/// Uhlar-Betsch (1) in increments. A body has u = the increment of its centre of mass and the Cayley vector
/// omega of its directors (rotationless_body.h), so that the internal constraints (9) hold by themselves, and
/// the span of their gradients, orthogonal to all turns of the directors on the left, drops out:
///   force = m w_phi - ...,   moment = sum d_i,left x (E_i w_i - ...)                                     (1)
/// That is the discrete null space method for the single body. Multipliers of the spanning tree's joints
/// stand beside the body that they carry; those of loop joints and servo efforts form the border
/// (tree_kkt.h).
template <int D>
class Rotationless final : public ConstrainedMechanism {
 public:
  /// `loop_rank`: independent constraints among those of the loop joints.
  Rotationless(const Model& model, int loop_rank);

  int coordinate_count() const override { return kCoordinates<D> * ground_; }
  int unknown_count() const override { return kkt_.size() + kkt_.border_size(); }
  int angle_count() const override { return joints_.angle_count; }
  int flow_count() const override { return elements_.flow_count(); }
  int servo_count() const override { return static_cast<int>(elements_.outputs.size()); }
  const std::vector<double>& breakpoints() const override { return elements_.breakpoints; }
  void retract(std::span<const double> x_a, std::span<const double> unknowns, std::span<double> dx,
               std::span<double> x_b) const override;
  void set_increments(std::span<const double> x, std::span<const double> v, double h,
                      std::span<double> unknowns) const override;
  double begin_step(double time, std::span<const double> x, std::span<const double> v,
                    std::span<const double> angles) override;
  void residual(const ConstrainedPoint& point, std::span<const double> unknowns,
                std::span<double> r) override;
  bool factorise(const ConstrainedPoint& point, std::span<const double> unknowns) override;
  void solve(std::span<double> r) override;
  double correct(std::span<const double> step, std::span<double> unknowns) const override;
  double size(std::span<const double> unknowns) const override;
  double rounding(std::span<const double> x) const override;
  bool accelerate(double t, std::span<const double> x, std::span<const double> v,
                  std::span<const double> angles, std::span<double> unknowns, std::span<double> a) override;
  void add_flows(const ConstrainedPoint& point, std::span<const double> unknowns, double h,
                 std::span<double> z) override;
  void lead_rates(double t, std::span<const double> x, std::span<const double> angles, std::span<double> v,
                  std::span<double> z) override;
  void settle(std::span<double> x, std::span<double> angles) const override;
  std::unique_ptr<WeakForm> make_weak_form(const GalerkinBasis& basis) override;

  const std::vector<std::string>& sources() const override { return elements_.sources; }
  const std::vector<std::string>& dampers() const override { return elements_.dampers; }
  void start(const Model& model, std::span<const double> q, std::span<const double> qd, std::span<double> x,
             std::span<double> v, std::span<double> angles) const override;
  EnergyParts energies(std::span<const double> x, std::span<const double> v,
                       std::span<const double> angles) override;
  double position_error(std::span<const double> x, std::span<const double> angles) override;
  double velocity_error(std::span<const double> x, std::span<const double> v) override;
  void project_rates(std::span<const double> x, std::span<const double> angles, std::span<const double> v,
                     std::span<double> projected) override;
  void body_motions(std::span<const double> x, std::span<const double> v,
                    std::span<BodyMotion> motions) override;
  void body_angles(std::span<const double> angles, std::span<double> by_body) const override;
  void joint_motions(std::span<const double> x, std::span<const double> v, std::span<const double> angles,
                     std::span<const JointMotion> motions) override;
  void tendons(std::span<const double> x, std::span<const double> v,
               std::span<TendonMotion> motions) override;
  void efforts(double t, std::span<const double> unknowns, std::span<double> by_actuator) const override;
  void reactions(double t, std::span<const double> x, std::span<const double> v,
                 std::span<const double> angles, std::span<const double> unknowns,
                 std::span<Wrench<double>> on_child) override;
  ServoMaps servo_maps(double t, std::span<const double> x, std::span<const double> angles) override;
  std::vector<OutputMotion> outputs(double t, std::span<const double> x, std::span<const double> v,
                                    std::span<const double> angles) override;

 private:
  friend class NullSpace<D>;  // which reduces the same system
  friend class RotationlessWeakForm<D>;
  friend class CartesianWeakForm;
  friend class Cartesian;  // which writes it in fewer coordinates
  using Elements = RotationlessElements<D>;
  /// What acts on a body: on its centre of mass, on its directors, and pure moments.
  struct NodeForce {
    VecD<D> force{};
    std::array<VecD<D>, D> on_directors{};
    SpinD<D> moment{};
  };
  /// The constraints of a joint, small enough that a long chain streams through the cache.
  struct PlacedRows {
    int joint, child, parent;
    int unknown;  ///< first multiplier in the vector of unknowns
    int border;   ///< first border row of a loop joint; -1 in the tree
    bool coincident;
    int first_product, product_count;  ///< in products_
    int screw;                         ///< in screws_; -1: none
    Arm<D> child_point, parent_point;  ///< the latter negated

    int count() const { return (coincident ? D : 0) + product_count + (screw >= 0 ? 1 : 0); }
  };
  struct PlacedScrew {
    Screw<D> law;
    MeasuredPair pair;  ///< at the last residual
  };
  enum class ServoSide { efforts, outputs };
  struct TendonPair {
    double rate = 0, elastic = 0, tension = 0;
    double d_tension = 0, d_elastic = 0;  ///< by the length b
  };
  /// A segment of a tendon at both configurations: from point to point, and its length.
  struct Stretch {
    VecD<D> e_a{}, e_b{};
    double s_a = 0, s_b = 0;
  };
  using Square = std::array<double, D * D>;
  /// Of a tendon: the direction n of its pull, which changes by turning (q - (n_right . q) n) as the vector
  /// between its ends changes by q at b.
  struct Segment {
    VecD<D> n{}, n_right{};
    double turning = 0;
  };

  static constexpr double kLongestTurn = 1.6;  ///< of a body in a step [rad]
  static constexpr double kSingular = 1e-13;  ///< below it, a pivot of the loops over the largest is rounding

  static int loop_row_count(const Model& model, const RotationlessJoints<D>& joints);
  KktPattern pattern(const Model& model) const;
  void place_rows(const Model& model);
  PlacedRows placed(const JointRows<D>& rows, int unknown, int border);
  std::span<const Product<D>> products(const PlacedRows& rows) const {
    return std::span(products_).subspan(rows.first_product, rows.product_count);
  }
  double longest_lever() const;
  void start_body_angles(const Model& model, const std::vector<double>& q, std::span<double> angles) const;
  Wrench<double> wrench_at_joint(int joint) const;
  /// A state by itself: both ends of the pair the same.
  ConstrainedPoint state_point(double t, std::span<const double> x, std::span<const double> v,
                               std::span<const double> angles) const;
  int servo_unknown(int servo) const { return kkt_.size() + loop_count_ + servo; }

  void load(std::span<const double> x, Configuration<D>& X) const;
  void load_pair(const ConstrainedPoint& point);
  void push(const Arm<D>& arm, const VecD<D>& force) {
    NodeForce& on = forces_[arm.node];
    on.force += arm.t * force;
    for (int i = 0; i < D; ++i) on.on_directors[i] += arm.beta[i] * force;
  }
  void push_spin(const typename Elements::Spin& spin, const SpinD<D>& moment) {
    forces_[spin.child].moment += moment;
    forces_[spin.parent].moment -= moment;
  }

  MeasuredPair pair_of(const Measure<D>& measure, const ConstrainedPoint& point) const;

  // What acts, added to the left side of (1) of rotationless.h; rotationless_forces.hpp.
  /// All but the constraints.
  void push_elements(const ConstrainedPoint& point, std::span<const double> unknowns = {});
  void push_inertia(const ConstrainedPoint& point);
  void push_constraints(const PlacedRows& rows, const ConstrainedPoint& point,
                        std::span<const double> unknowns);
  void push_tendons(const ConstrainedPoint& point);
  void push_springs(const ConstrainedPoint& point);
  void push_spins(const ConstrainedPoint& point);
  void push_loads(const ConstrainedPoint& point);
  void push_efforts(const ConstrainedPoint& point, std::span<const double> unknowns);
  void push_controllers(const ConstrainedPoint& point);
  void collect(std::span<double> r) const;
  void set_constraints(const PlacedRows& rows, std::span<const double> angles, std::span<double> r) const;
  void set_constraint_accelerations(const PlacedRows& rows, std::span<const double> angles,
                                    std::span<double> r) const;
  double output_error(const typename Elements::Output& output, double t,
                      std::span<const double> angles) const;
  double output_rate_error(const typename Elements::Output& output, double t,
                           std::span<const double> angles) const;
  double output_acceleration_error(const typename Elements::Output& output, double t,
                                   std::span<const double> angles) const;
  /// Times the force gain, as the unknowns are.
  double scaled_effort(const typename Elements::Effort& effort, const ConstrainedPoint& point,
                       std::span<const double> unknowns) const;
  /// By the velocities of the pair.
  double effort_speed(const typename Elements::Effort& effort, const ConstrainedPoint& point) const;
  VecD<D> load_vector(const typename Elements::Load& load, double t) const;
  TendonPair tendon_pair(std::size_t t, const ConstrainedPoint& point);
  Segment pair_segment(const Stretch& stretch, double kappa) const;
  Segment segment_on_way(const Stretch& stretch, double way) const;
  std::pair<double, double> tension_on_way(const typename Elements::Tendon& tendon, double way) const;
  template <class Use>
  void for_each_pull(std::size_t t, const ConstrainedPoint& point, Use&& use) const;
  static double log_spring_slope(double stiffness, double angle_a, double angle_b);
  double log_angle(const typename Elements::LogSpring& spring, const Configuration<D>& X) const;
  SpinD<D> spin_rate(int node) const;
  double spring_effort(const typename Elements::Spring& spring, const MeasuredPair& pair) const;
  double hold_effort(const typename Elements::CoordinateHold& hold, const MeasuredPair& pair, double t) const;
  VecD<D> hold_force(const typename Elements::PointHold& hold, double t) const;
  VecD<D> carried_pull(const typename Elements::CarriedTendon& carried, std::size_t via) const;
  void push_carried(int carrier, const VecD<D>& place, const VecD<D>& force);
  double carried_power(int carrier, const VecD<D>& place, const VecD<D>& force) const;
  void add_control_flows(const ConstrainedPoint& point, double h, std::span<double> z);
  void add_compensation_flows(const ConstrainedPoint& point, double h, std::span<double> z);
  VecD<D> euler_moment(const typename Elements::EulerSpring& spring) const;
  VecD<D> damper_moment(const typename Elements::SpinDamper& damper) const;
  double coordinate_acceleration(const Measure<D>& measure, std::span<const double> angles) const;
  void add_spin_flows(double h, std::span<double> z);
  VecD<D> axis_sum(const std::array<Arm<D>, 3>& axes, const std::array<double, 3>& components) const;

  // The tangent; rotationless_tangent.hpp.
  void assemble(const ConstrainedPoint& point, std::span<const double> unknowns);
  void add_bodies(double kappa, bool turning);
  void put_rows(const PlacedRows& rows);
  void add_constraint_tangent(const PlacedRows& rows, double kappa, std::span<const double> unknowns);
  void add_tendons(const ConstrainedPoint& point);
  void add_pull(const Arm<D>& on, const Arm<D>& by, const Square& H);
  void add_springs(const ConstrainedPoint& point);
  void add_spins(const ConstrainedPoint& point);
  void add_euler_springs(const ConstrainedPoint& point);
  void add_loads(const ConstrainedPoint& point);
  void add_efforts(const ConstrainedPoint& point, std::span<const double> unknowns);
  void add_controllers(const ConstrainedPoint& point);
  void add_carried_lever(int carrier, const Arm<D>& place, const VecD<D>& force);
  void add_carried_tendon(const typename Elements::CarriedTendon& carried, const ConstrainedPoint& point);
  void put_effort(std::size_t i, bool left, double sign);
  void put_output(std::size_t j, double t, bool left, double sign);
  void put_pair(bool left, int row, int child, int parent, double sign, const PairRow<D>& pair);
  bool turns_are_short(std::span<const double> unknowns) const;
  void put_servos(double t, ServoSide left, ServoSide right);
  void add_spin_block(const typename Elements::Spin& spin, int node, const Mat3<double>& by_turn);
  double* border_entry(bool left, int row, int node);
  void drop_idle_multipliers(std::span<double> border) const;
  void assemble_bare();
  bool factorise_bare(double t, ServoSide left = ServoSide::efforts, ServoSide right = ServoSide::outputs);
  /// -P^T M v of the velocities that are loaded.
  void set_momenta(std::span<double> r);
  /// The rates P eta of the twists eta = -r at the right configuration.
  void set_rates(std::span<const double> r, std::span<double> v) const;
  /// Restricts the loops' rows to that many independent ones, or with -1 to those that there are; to how many.
  int keep_rank(int loop_rank);
  bool factorise_loops(bool& usable);
  void set_screws(const ConstrainedPoint& point);
  std::vector<double> held_schur() const;
  std::vector<double> free_mobilities();

  NodeFrames<D> frames_;
  RotationlessJoints<D> joints_;
  Elements elements_;
  int ground_;
  VecD<D> gravity_{};
  double length_;                                  ///< of the mechanism: the longest lever [m]
  std::vector<PlacedRows> tree_rows_, loop_rows_;  ///< the former by node
  std::vector<Product<D>> products_;               ///< of their rows
  std::vector<PlacedScrew> screws_;
  int loop_rank_, loop_count_;  ///< independent rows, and rows, of the loop joints
  KktPattern pattern_;
  BodyKkt<D> kkt_;
  BorderRank border_rank_;

  Configuration<D> start_, left_, right_, velocity_, w_;
  std::vector<NodeForce> forces_, joint_forces_;
  std::vector<Mat3<double>> R_DK_;  ///< by joint: the child's joint frame among its directors
  std::vector<MeasuredPair> spring_pairs_, effort_pairs_, hold_pairs_;
  std::vector<TendonPair> tendon_pairs_;
  std::vector<Stretch> stretches_;              ///< by segment of all tendons
  std::vector<VecD<D>> pull_, lengthening_;     ///< of one tendon, by point of its path
  std::vector<Square> pull_by_place_;           ///< likewise, by two points
  std::vector<Row<D>> path_left_, path_right_;  ///< of one tendon
  mutable Configuration<D> counted_;
  std::vector<double> basis_, scratch_, scratch_accelerations_, bare_w_;
};

/// The formulation for the model's dimension.
std::unique_ptr<ConstrainedMechanism> make_rotationless(const Model& model, int loop_rank);

}  // namespace torsor
