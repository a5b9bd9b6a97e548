#pragma once
// The joints of a model as constraints at most quadratic in directors, and their coordinates as functions of
// directors (Uhlar-Betsch section 4, in the plane and in space).

#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "torsor/formulation/rotationless/product.h"
#include "torsor/model/model.h"

namespace torsor {

/// Where bodies are: nodes are the bodies in an order in which parents come first; the ground is the last.
template <int D, class S = double>
struct NodeFrames {
  std::vector<int> node_of;         ///< by body
  std::vector<Pose<double>> X_BD;   ///< by body: the frame of directors in the body frame; of packs none
  std::vector<S> mass;              ///< by node [kg]
  std::vector<std::array<S, D>> E;  ///< by node: principal Euler values, (13) [kg m^2]
  int ground = 0;

  int node(int body) const { return body == kWorld ? ground : node_of[body]; }
  Arm<D> point(int body, const Vec3<double>& p_B) const;      ///< a point fixed on the body
  Arm<D> direction(int body, const Vec3<double>& n_B) const;  ///< a direction fixed on the body
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.node_of, s.mass, s.E, s.ground);
  }
};

template <int D>
NodeFrames<D> make_node_frames(const Model& model);

/// A coordinate of a joint. An angle follows from two sums of products,
///   s(x) = sin theta, c(x) = cos theta,  theta = atan2(s, c), counted on from the last step's,       (1)
/// which have no singular position, unlike (28). With D = theta_b - theta_a and theta_m their mean
///   Dtheta = (D/2)/sin(D/2) (cos theta_m grad s - sin theta_m grad c)(x_m),  Dtheta . (x_b - x_a) = D (2)
/// exactly, since s and c are quadratic: the discrete derivative (39), in a chart about the mean angle.
template <int D, class S = double>
struct Measure {
  int child = 0, parent = 0;  ///< nodes
  int angle = -1;             ///< index among the angles of the state; -1: a displacement
  std::vector<Product<D, S>> sine, cosine;
  std::optional<Product<D, S>> displacement;
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.child, s.parent, s.angle, s.sine, s.cosine, s.displacement);
  }
};

template <int D, class S>
S sum(const std::vector<Product<D, S>>& products, const Configuration<D, S>& X) {
  S total(0.0);
  for (const Product<D, S>& product : products) total += value_at(product, X);
  return total;
}
/// The same angle up to full turns, nearest to `last`.
double counted_on(double angle, double last);
template <int N>
Pack<N> counted_on(const Pack<N>& angle, const Pack<N>& last) {
  constexpr double kTurn = 2 * std::numbers::pi;
  return angle + kTurn * round((last - angle) / kTurn);
}
/// The angle nearest to `last`, or the displacement.
template <int D, class S>
S value_at(const Measure<D, S>& measure, const Configuration<D, S>& X, const std::type_identity_t<S>& last);
/// The same to 1e-4 rad, at a fraction of the time: enough to count the next one on from.
template <int D, class S>
S near_value_at(const Measure<D, S>& measure, const Configuration<D, S>& X,
                const std::type_identity_t<S>& last);

/// A measure on a pair of configurations a, b, of which b moves the left one by the share kappa.
template <class S>
struct MeasuredPairOf {
  S a{}, b{};              ///< its values
  S sine{}, cosine{};      ///< weights of grad s and grad c in Dtheta, (2)
  S d_sine{}, d_cosine{};  ///< their derivatives by theta_b
};
using MeasuredPair = MeasuredPairOf<double>;
template <int D, class S>
MeasuredPairOf<S> measured_pair(const Measure<D, S>& measure, const Configuration<D, S>& X_a,
                                const Configuration<D, S>& X_b, const std::type_identity_t<S>& last,
                                double kappa);

/// Dtheta (or the gradient of the displacement) on the left.
template <int D, class S>
PairRow<D, S> discrete_gradient(const Measure<D, S>& measure, const MeasuredPairOf<S>& pair,
                                const Configuration<D, S>& left);
/// The gradient of the value b.
template <int D, class S>
PairRow<D, S> end_gradient(const Measure<D, S>& measure, const std::type_identity_t<S>& b,
                           const Configuration<D, S>& right);
/// Its change from X along the increment dX, with the relative rounding of the increment: s and c are quadratic.
template <int D, class S>
S increment_of(const Measure<D, S>& measure, const Configuration<D, S>& X, const Configuration<D, S>& dX);
/// Its rate along V, by the discrete gradient.
template <int D, class S>
S rate_at(const Measure<D, S>& measure, const MeasuredPairOf<S>& pair, const Configuration<D, S>& left,
          const Configuration<D, S>& V);
/// The tangent of `effort` times the discrete gradient; `d_effort` is the derivative of the effort by b.
template <int D, class S>
void add_tangent(TreeKkt<kWidth<D>, S>& K, int ground, const Measure<D, S>& measure,
                 const MeasuredPairOf<S>& pair, const Configuration<D, S>& left,
                 const Configuration<D, S>& right, double kappa, const std::type_identity_t<S>& effort,
                 const std::type_identity_t<S>& d_effort);

template <int D, class S, class Push>
void push_gradient(const Measure<D, S>& measure, const MeasuredPairOf<S>& pair,
                   const Configuration<D, S>& left, const std::type_identity_t<S>& effort, Push&& push) {
  for (const Product<D, S>& product : measure.sine) push_gradient(product, left, effort * pair.sine, push);
  for (const Product<D, S>& product : measure.cosine)
    push_gradient(product, left, effort * pair.cosine, push);
  if (measure.displacement) push_gradient(*measure.displacement, left, effort, push);
}

/// advance - pitch * angle = 0.
template <int D, class S = double>
struct Screw {
  Measure<D, S> angle;
  Product<D, S> advance;
  S pitch = 0.0;  ///< [m/rad]
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.angle, s.advance, s.pitch);
  }
};

/// The constraints of one joint: rows of coincidence of two points first, then products that vanish.
template <int D, class S = double>
struct JointRows {
  int joint = 0;                        ///< of the model
  int child = 0, parent = 0;            ///< nodes
  bool coincident = false;              ///< D rows p_child - p_parent = 0, (21)
  Arm<D, S> child_point, parent_point;  ///< the latter negated
  std::vector<Product<D, S>> products;
  std::optional<Screw<D, S>> screw;  ///< of a helical joint, the last row

  int count() const { return (coincident ? D : 0) + static_cast<int>(products.size()) + (screw ? 1 : 0); }
};

/// A mass on a coordinate, whose kinetic energy is mass/2 times the square of its rate.
template <int D, class S = double>
struct Rotor {
  Measure<D, S> coordinate;
  S mass;     ///< [kg m^2, kg]
  int joint;  ///< of the model
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.coordinate, s.mass, s.joint);
  }
};

/// All joints of the model, and all their coordinates that are angles or displacements.
template <int D, class S = double>
struct RotationlessJoints {
  std::vector<JointRows<D, S>> rows;                    ///< by joint of the model
  std::vector<std::vector<Measure<D, S>>> coordinates;  ///< by joint; none for spherical and free ones
  std::vector<Measure<D, S>> body_angles;               ///< by node, in the plane
  std::vector<Rotor<D, S>> rotors;                      ///< of joints with armature
  int angle_count = 0;
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.coordinates, s.body_angles, s.rotors, s.angle_count);
  }
};

template <int D>
RotationlessJoints<D> make_rotationless_joints(const Model& model, const NodeFrames<D>& frames);

}  // namespace torsor
