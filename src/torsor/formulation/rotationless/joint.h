#pragma once
// The joints of a model as constraints at most quadratic in directors, and their coordinates as functions of
// directors (Uhlar-Betsch section 4, in the plane and in space).

#include <optional>
#include <string>
#include <vector>

#include "torsor/formulation/rotationless/product.h"
#include "torsor/model/model.h"

namespace torsor {

/// Where bodies are: nodes are the bodies in an order in which parents come first; the ground is the last.
template <int D>
struct NodeFrames {
  std::vector<int> node_of;              ///< by body
  std::vector<Pose<double>> X_BD;        ///< by body: the frame of directors in the body frame
  std::vector<double> mass;              ///< by node [kg]
  std::vector<std::array<double, D>> E;  ///< by node: principal Euler values, (13) [kg m^2]
  int ground = 0;

  int node(int body) const { return body == kWorld ? ground : node_of[body]; }
  Arm<D> point(int body, const Vec3<double>& p_B) const;      ///< a point fixed on the body
  Arm<D> direction(int body, const Vec3<double>& n_B) const;  ///< a direction fixed on the body
};

template <int D>
NodeFrames<D> make_node_frames(const Model& model);

/// A coordinate of a joint. An angle follows from two sums of products,
///   s(x) = sin theta, c(x) = cos theta,  theta = atan2(s, c), counted on from the last step's,       (1)
/// which have no singular position, unlike (28). With D = theta_b - theta_a and theta_m their mean
///   Dtheta = (D/2)/sin(D/2) (cos theta_m grad s - sin theta_m grad c)(x_m),  Dtheta . (x_b - x_a) = D (2)
/// exactly, since s and c are quadratic: the discrete derivative (39), in a chart about the mean angle.
template <int D>
struct Measure {
  int child = 0, parent = 0;  ///< nodes
  int angle = -1;             ///< index among the angles of the state; -1: a displacement
  std::vector<Product<D>> sine, cosine;
  std::optional<Product<D>> displacement;
};

template <int D>
double sum(const std::vector<Product<D>>& products, const Configuration<D>& X) {
  double total = 0;
  for (const Product<D>& product : products) total += value_at(product, X);
  return total;
}
/// The same angle up to full turns, nearest to `last`.
double counted_on(double angle, double last);
/// The angle nearest to `last`, or the displacement.
template <int D>
double value_at(const Measure<D>& measure, const Configuration<D>& X, double last);

/// A measure on a pair of configurations a, b, of which b moves the left one by the share kappa.
struct MeasuredPair {
  double a = 0, b = 0;              ///< its values
  double sine = 0, cosine = 0;      ///< weights of grad s and grad c in Dtheta, (2)
  double d_sine = 0, d_cosine = 0;  ///< their derivatives by theta_b
};
template <int D>
MeasuredPair measured_pair(const Measure<D>& measure, const Configuration<D>& X_a,
                           const Configuration<D>& X_b, double last, double kappa);

/// Dtheta (or the gradient of the displacement) on the left.
template <int D>
PairRow<D> discrete_gradient(const Measure<D>& measure, const MeasuredPair& pair,
                             const Configuration<D>& left);
/// The gradient of the value b.
template <int D>
PairRow<D> end_gradient(const Measure<D>& measure, double b, const Configuration<D>& right);
/// Its change from X along the increment dX, with the relative rounding of the increment: s and c are quadratic.
template <int D>
double increment_of(const Measure<D>& measure, const Configuration<D>& X, const Configuration<D>& dX);
/// Its rate along V, by the discrete gradient.
template <int D>
double rate_at(const Measure<D>& measure, const MeasuredPair& pair, const Configuration<D>& left,
               const Configuration<D>& V);
/// The tangent of `effort` times the discrete gradient; `d_effort` is the derivative of the effort by b.
template <int D>
void add_tangent(BodyKkt<D>& K, int ground, const Measure<D>& measure, const MeasuredPair& pair,
                 const Configuration<D>& left, const Configuration<D>& right, double kappa, double effort,
                 double d_effort);

template <int D, class Push>
void push_gradient(const Measure<D>& measure, const MeasuredPair& pair, const Configuration<D>& left,
                   double effort, Push&& push) {
  for (const Product<D>& product : measure.sine) push_gradient(product, left, effort * pair.sine, push);
  for (const Product<D>& product : measure.cosine) push_gradient(product, left, effort * pair.cosine, push);
  if (measure.displacement) push_gradient(*measure.displacement, left, effort, push);
}

/// advance - pitch * angle = 0.
template <int D>
struct Screw {
  Measure<D> angle;
  Product<D> advance;
  double pitch = 0;  ///< [m/rad]
};

/// The constraints of one joint: rows of coincidence of two points first, then products that vanish.
template <int D>
struct JointRows {
  int joint = 0;                     ///< of the model
  int child = 0, parent = 0;         ///< nodes
  bool coincident = false;           ///< D rows p_child - p_parent = 0, (21)
  Arm<D> child_point, parent_point;  ///< the latter negated
  std::vector<Product<D>> products;
  std::optional<Screw<D>> screw;  ///< of a helical joint, the last row

  int count() const { return (coincident ? D : 0) + static_cast<int>(products.size()) + (screw ? 1 : 0); }
};

/// A mass on a coordinate, whose kinetic energy is mass/2 times the square of its rate.
template <int D>
struct Rotor {
  Measure<D> coordinate;
  double mass;  ///< [kg m^2, kg]
  int joint;    ///< of the model
};

/// All joints of the model, and all their coordinates that are angles or displacements.
template <int D>
struct RotationlessJoints {
  std::vector<JointRows<D>> rows;                    ///< by joint of the model
  std::vector<std::vector<Measure<D>>> coordinates;  ///< by joint; none for spherical and free ones
  std::vector<Measure<D>> body_angles;               ///< by node, in the plane
  std::vector<Rotor<D>> rotors;                      ///< of joints with armature
  int angle_count = 0;
};

template <int D>
RotationlessJoints<D> make_rotationless_joints(const Model& model, const NodeFrames<D>& frames);

}  // namespace torsor
