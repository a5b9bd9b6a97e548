#include "torsor/formulation/rotationless/mechanism.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/model/joint_motion.h"

namespace torsor {
namespace {

template <int D>
double longest_lever(const RotationlessJoints<D>& joints) {
  double longest = 0;
  for (const JointRows<D>& rows : joints.rows) {
    for (const Arm<D>* arm : {&rows.child_point, &rows.parent_point}) {
      double square = 0;
      for (double beta : arm->beta) square += beta * beta;
      keep_largest(longest, std::sqrt(square));
    }
  }
  return longest > 0 ? longest : 1;
}

template <int D>
PlacedRows<D> placed(const JointRows<D>& rows, int unknown, int border, RotationlessMechanism<D>& mechanism) {
  const int first = static_cast<int>(mechanism.products.size());
  mechanism.products.insert(mechanism.products.end(), rows.products.begin(), rows.products.end());
  int screw = -1;
  if (rows.screw) {
    screw = static_cast<int>(mechanism.screws.size());
    mechanism.screws.push_back(*rows.screw);
  }
  return {rows.joint,
          rows.child,
          rows.parent,
          unknown,
          border,
          rows.coincident,
          first,
          static_cast<int>(rows.products.size()),
          screw,
          rows.child_point,
          rows.parent_point};
}

/// In the plane the angle of a body is that which it has with all joints at zero, within half a turn, and
/// what the joints on the way to it turn.
template <int D>
void start_body_angles(const Model& model, const RotationlessMechanism<D>& mechanism,
                       const std::vector<double>& q, std::span<double> angles) {
  std::vector<SO3<double>> at_zero(model.bodies().size());
  std::vector<double> turned(at_zero.size());
  for (int b : model.topology().order) {
    const int carrier = model.topology().carrier[b];
    const Joint& joint = model.joints()[carrier];
    const bool turns = components(joint.type, 2).angles > 0;
    // The joint's z may point down.
    const double sign = act(joint.in_parent.rotation, Vec3<double>{0, 0, 1}).z < 0 ? -1 : 1;
    turned[b] = turns ? sign * q[model.coordinate_offset(carrier)] : 0;
    at_zero[b] = joint.in_parent.rotation * inverse(joint.in_child.rotation);
    if (joint.parent != kWorld) {
      turned[b] += turned[joint.parent];
      at_zero[b] = at_zero[joint.parent] * at_zero[b];
    }
    const Mat3<double> R = matrix(at_zero[b]);
    angles[mechanism.joints.body_angles[mechanism.frames.node(b)].angle] = std::atan2(R.yx, R.xx) + turned[b];
  }
}

}  // namespace

template <int D, class S>
RotationlessMechanism<D, S>::RotationlessMechanism(const Model& model,
                                                   int independent) requires std::same_as<S, double>
    : frames(make_node_frames<D>(model)),
      joints(make_rotationless_joints<D>(model, frames)),
      ground(frames.ground),
      length(longest_lever(joints)),
      loop_rank(independent) {
  for (int i = 0; i < D; ++i) gravity[i] = model.gravity()[i];
  for (int body : model.topology().order) {
    const JointRows<D>& rows = joints.rows[model.topology().carrier[body]];
    offset.push_back(tree_size);
    tree_rows.push_back(placed(rows, tree_size + kWidth<D>, -1, *this));
    tree_size += kWidth<D> + rows.count();
  }
  for (int joint : model.topology().loop_joints) {
    const JointRows<D>& rows = joints.rows[joint];
    loop_rows.push_back(placed(rows, tree_size + loop_count, loop_count, *this));
    loop_count += rows.count();
  }
  for (const Coupling& coupling : model.couplings()) {
    couplings.push_back({static_cast<int>(terms.size()), static_cast<int>(coupling.terms.size()),
                         coupling.offset, coupling.largest_factor(), tree_size + loop_count, loop_count});
    for (const Coupling::Term& term : coupling.terms) {
      terms.push_back({joints.coordinates[term.joint][term.coordinate], term.factor, term.joint});
    }
    ++loop_count;
  }
  for (const Joint& joint : model.joints()) {
    R_DK.push_back(transpose(frames.X_BD[joint.child].R) * matrix(joint.in_child.rotation));
  }
}

template <int D>
void start_directors(const Model& model, const RotationlessMechanism<D>& mechanism, std::span<const double> q,
                     std::span<const double> qd, std::span<double> x, std::span<double> v,
                     std::span<double> angles) {
  const std::vector<double> q_all(q.begin(), q.end()), qd_all(qd.begin(), qd.end());
  const std::vector<SE3<double>> X_W = body_poses(model, q_all);
  const std::vector<Twist<double>> V_B = body_twists(model, q_all, qd_all);
  for (std::size_t b = 0; b < X_W.size(); ++b) {
    const Pose<double> X_WD = pose(X_W[b]) * mechanism.frames.X_BD[b];
    const Twist<double>& V = V_B[b];
    const Mat3<double> R = matrix(X_W[b].rotation);
    const Vec3<double> omega = R * V.angular;
    const Vec3<double> velocity = R * (V.linear + cross(V.angular, mechanism.frames.X_BD[b].p));
    const Vec3<double> d[3] = {{X_WD.R.xx, X_WD.R.yx, X_WD.R.zx},
                               {X_WD.R.xy, X_WD.R.yy, X_WD.R.zy},
                               {X_WD.R.xz, X_WD.R.yz, X_WD.R.zz}};
    const std::size_t at = kCoordinates<D> * mechanism.frames.node_of[b];
    for (int i = 0; i < D; ++i) {
      x[at + i] = X_WD.p[i];
      v[at + i] = velocity[i];
      for (int k = 0; k < D; ++k) {
        x[at + D * (k + 1) + i] = d[k][i];
        v[at + D * (k + 1) + i] = cross(omega, d[k])[i];
      }
    }
  }
  std::fill(angles.begin(), angles.end(), 0.0);
  for (std::size_t j = 0; j < mechanism.joints.coordinates.size(); ++j) {
    const auto& coordinates = mechanism.joints.coordinates[j];
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      if (coordinates[i].angle >= 0)
        angles[coordinates[i].angle] = q[model.coordinate_offset(static_cast<int>(j)) + i];
    }
  }
  if (D == 2) start_body_angles(model, mechanism, q_all, angles);
  if (mechanism.joints.rotors.empty()) return;
  Configuration<D> X(mechanism.ground + 1, ground_directors<D>()), V(mechanism.ground + 1);
  load_configuration(x, X);
  load_configuration(v, V);
  for_each_rotor(mechanism, [&](const Rotor<D>& rotor, std::size_t at) {
    const double last = rotor.coordinate.angle < 0 ? 0 : angles[rotor.coordinate.angle];
    const MeasuredPair pair = measured_pair(rotor.coordinate, X, X, last, 1.0);
    x[at] = pair.b;
    v[at] = rate_at(rotor.coordinate, pair, X, V);
  });
}

template struct RotationlessMechanism<2>;
template struct RotationlessMechanism<3>;
template void start_directors(const Model&, const RotationlessMechanism<2>&, std::span<const double>,
                              std::span<const double>, std::span<double>, std::span<double>,
                              std::span<double>);
template void start_directors(const Model&, const RotationlessMechanism<3>&, std::span<const double>,
                              std::span<const double>, std::span<double>, std::span<double>,
                              std::span<double>);

}  // namespace torsor
