#pragma once
// The primitive joint motions, one struct each, as the recursions need them. All vectors are in the node's
// own frame N. Rates are body-fixed, so that every motion is a set of unit axes of N: index 0-2 turns about,
// 3-5 slides along x, y, z.

#include <array>

#include "torsor/base/pack.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/so3.h"
#include "torsor/tree/node_angle.h"
#include "torsor/tree/tree.h"

namespace torsor {

/// R_PJ Rz(angle): the first two columns mix, the third stays.
template <class S, class T>
inline Mat3<S> turned_about_z(const Mat3<T>& R, const SineCosine<S>& a) {
  return {a.cosine * R.xx + a.sine * R.xy, a.cosine * R.xy - a.sine * R.xx, S(R.xz),
          a.cosine * R.yx + a.sine * R.yy, a.cosine * R.yy - a.sine * R.yx, S(R.yz),
          a.cosine * R.zx + a.sine * R.zy, a.cosine * R.zy - a.sine * R.zx, S(R.zz)};
}

template <class S>
inline Vec3<S> column_z(const Mat3<S>& R) {
  return {R.xz, R.yz, R.zz};
}

template <class S, class T>
inline Mat3<S> as_scalar(const Mat3<T>& R) {
  return {S(R.xx), S(R.xy), S(R.xz), S(R.yx), S(R.yy), S(R.yz), S(R.zx), S(R.zy), S(R.zz)};
}
template <class S, class T>
inline Vec3<S> as_scalar(const Vec3<T>& p) {
  return {S(p.x), S(p.y), S(p.z)};
}

/// The screw of axis k of N, in world axes about the world origin.
template <int k, class S>
inline Twist<S> axis_screw(const Pose<S>& X_WN) {
  constexpr int j = k % 3;
  const Mat3<S>& R = X_WN.R;
  Vec3<S> axis;
  if constexpr (j == 0) axis = {R.xx, R.yx, R.zx};
  if constexpr (j == 1) axis = {R.xy, R.yy, R.zy};
  if constexpr (j == 2) axis = {R.xz, R.yz, R.zz};
  if constexpr (k < 3) {
    return {axis, cross(X_WN.p, axis)};
  } else {
    return {{}, axis};
  }
}

struct LineManifold;
struct SO3Manifold;
struct SE2Manifold;
struct SE3Manifold;

// Each motion offers
//   Manifold                                    of its coordinates, if it has some (manifold.hpp)
//   axes                                        the free components of the body-fixed twist
//   pose(node, angle, q)                        X_PN
//   add_velocity(node, qd, omega, alpha, a)     omega of the parent becomes the node's own; what depends on
//                                               velocities in the acceleration of N in P is added to alpha, a
//   add_acceleration(node, qdd, alpha, a)       the rest
//   project(node, F, effort)                    efforts of a wrench across the joint
//   twist(node, qd)                             of N in P
//   spatial_screws(node, X_WN, J)               a spatial screw for each rate
// The linear acceleration is the material one of N's origin (vdot + omega x v of Müller (66c)): with it, no
// linear velocity enters the dynamics at all.

struct FixedMotion {
  static constexpr bool has_angle = false;
  static constexpr std::array<int, 0> axes{};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>&, const S*) {
    return {as_scalar<S>(node.X_PJ.R), as_scalar<S>(node.X_PJ.p)};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>&, const S*, Vec3<S>&, Vec3<S>&, Vec3<S>&) {}
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>&, const S*, Vec3<S>&, Vec3<S>&) {}
  template <class S, class T>
  static void project(const TreeNodeOf<T>&, const Wrench<S>&, S*) {}
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>&, const S*) {
    return {};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>&, const Pose<S>&, Twist<S>*) {}
};

struct RevoluteMotion {
  using Manifold = LineManifold;
  static constexpr bool has_angle = true;
  static constexpr std::array<int, 1> axes{2};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>& angle, const S*) {
    return {turned_about_z(node.X_PJ.R, angle), as_scalar<S>(node.X_PJ.p)};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>&, const S* qd, Vec3<S>& omega, Vec3<S>& alpha, Vec3<S>&) {
    alpha.x += omega.y * qd[0];
    alpha.y -= omega.x * qd[0];
    omega.z += qd[0];
  }
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>&, const S* qdd, Vec3<S>& alpha, Vec3<S>&) {
    alpha.z += qdd[0];
  }
  template <class S, class T>
  static void project(const TreeNodeOf<T>&, const Wrench<S>& F, S* effort) {
    effort[0] = F.moment.z;
  }
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>&, const S* qd) {
    return {{S(0), S(0), qd[0]}, {}};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>&, const Pose<S>& X_WN, Twist<S>* J) {
    J[0] = axis_screw<2>(X_WN);
  }
};

struct PrismaticMotion {
  using Manifold = LineManifold;
  static constexpr bool has_angle = false;
  static constexpr std::array<int, 1> axes{5};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>&, const S* q) {
    return {as_scalar<S>(node.X_PJ.R), node.X_PJ.p + q[0] * column_z(node.X_PJ.R)};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>&, const S* qd, Vec3<S>& omega, Vec3<S>&, Vec3<S>& a) {
    a.x += 2.0 * omega.y * qd[0];
    a.y -= 2.0 * omega.x * qd[0];
  }
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>&, const S* qdd, Vec3<S>&, Vec3<S>& a) {
    a.z += qdd[0];
  }
  template <class S, class T>
  static void project(const TreeNodeOf<T>&, const Wrench<S>& F, S* effort) {
    effort[0] = F.force.z;
  }
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>&, const S* qd) {
    return {{}, {S(0), S(0), qd[0]}};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>&, const Pose<S>& X_WN, Twist<S>* J) {
    J[0] = axis_screw<5>(X_WN);
  }
};

/// A turn about z with an advance of pitch metres a radian: the one motion whose axis is no unit axis.
struct HelicalMotion {
  using Manifold = LineManifold;
  static constexpr bool has_angle = true;
  static constexpr std::array<int, 1> axes{2};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>& angle, const S* q) {
    return {turned_about_z(node.X_PJ.R, angle), node.X_PJ.p + node.pitch * q[0] * column_z(node.X_PJ.R)};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>& node, const S* qd, Vec3<S>& omega, Vec3<S>& alpha,
                           Vec3<S>& a) {
    const S slide = 2.0 * node.pitch * qd[0];
    a.x += omega.y * slide;
    a.y -= omega.x * slide;
    RevoluteMotion::add_velocity(node, qd, omega, alpha, a);
  }
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>& node, const S* qdd, Vec3<S>& alpha, Vec3<S>& a) {
    alpha.z += qdd[0];
    a.z += node.pitch * qdd[0];
  }
  template <class S, class T>
  static void project(const TreeNodeOf<T>& node, const Wrench<S>& F, S* effort) {
    effort[0] = F.moment.z + node.pitch * F.force.z;
  }
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>& node, const S* qd) {
    return {{S(0), S(0), qd[0]}, {S(0), S(0), node.pitch * qd[0]}};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>& node, const Pose<S>& X_WN, Twist<S>* J) {
    J[0] = axis_screw<2>(X_WN);
    J[0].linear += node.pitch * column_z(X_WN.R);
  }
};

struct SphericalMotion {
  using Manifold = SO3Manifold;
  static constexpr bool has_angle = false;
  static constexpr std::array<int, 3> axes{0, 1, 2};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>&, const S* q) {
    return {node.X_PJ.R * matrix(SO3<S>{q[0], q[1], q[2], q[3]}), as_scalar<S>(node.X_PJ.p)};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>&, const S* qd, Vec3<S>& omega, Vec3<S>& alpha, Vec3<S>&) {
    const Vec3<S> relative{qd[0], qd[1], qd[2]};
    alpha += cross(omega, relative);
    omega += relative;
  }
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>&, const S* qdd, Vec3<S>& alpha, Vec3<S>&) {
    alpha += Vec3<S>{qdd[0], qdd[1], qdd[2]};
  }
  template <class S, class T>
  static void project(const TreeNodeOf<T>&, const Wrench<S>& F, S* effort) {
    for (int k = 0; k < 3; ++k) effort[k] = F.moment[k];
  }
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>&, const S* qd) {
    return {{qd[0], qd[1], qd[2]}, {}};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>&, const Pose<S>& X_WN, Twist<S>* J) {
    J[0] = axis_screw<0>(X_WN);
    J[1] = axis_screw<1>(X_WN);
    J[2] = axis_screw<2>(X_WN);
  }
};

/// A rigid motion with rate (omega, v) in axes of N: free joints in space, and in the plane with what is
/// left.
template <class S>
inline void add_rigid_velocity(const Vec3<S>& turn, const Vec3<S>& slide, Vec3<S>& omega, Vec3<S>& alpha,
                               Vec3<S>& a) {
  a += cross(2.0 * omega + turn, slide);
  alpha += cross(omega, turn);
  omega += turn;
}

struct PlanarMotion {
  using Manifold = SE2Manifold;
  static constexpr bool has_angle = true;
  static constexpr std::array<int, 3> axes{2, 3, 4};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>& angle, const S* q) {
    return {turned_about_z(node.X_PJ.R, angle), node.X_PJ.p + node.X_PJ.R * Vec3<S>{q[1], q[2], S(0)}};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>&, const S* qd, Vec3<S>& omega, Vec3<S>& alpha, Vec3<S>& a) {
    add_rigid_velocity({S(0), S(0), qd[0]}, {qd[1], qd[2], S(0)}, omega, alpha, a);
  }
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>&, const S* qdd, Vec3<S>& alpha, Vec3<S>& a) {
    alpha.z += qdd[0];
    a.x += qdd[1];
    a.y += qdd[2];
  }
  template <class S, class T>
  static void project(const TreeNodeOf<T>&, const Wrench<S>& F, S* effort) {
    effort[0] = F.moment.z;
    effort[1] = F.force.x;
    effort[2] = F.force.y;
  }
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>&, const S* qd) {
    return {{S(0), S(0), qd[0]}, {qd[1], qd[2], S(0)}};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>&, const Pose<S>& X_WN, Twist<S>* J) {
    J[0] = axis_screw<2>(X_WN);
    J[1] = axis_screw<3>(X_WN);
    J[2] = axis_screw<4>(X_WN);
  }
};

struct FreeMotion {
  using Manifold = SE3Manifold;
  static constexpr bool has_angle = false;
  static constexpr std::array<int, 6> axes{0, 1, 2, 3, 4, 5};
  template <class S, class T>
  static Pose<S> pose(const TreeNodeOf<T>& node, const SineCosine<S>&, const S* q) {
    return {node.X_PJ.R * matrix(SO3<S>{q[0], q[1], q[2], q[3]}),
            node.X_PJ.p + node.X_PJ.R * Vec3<S>{q[4], q[5], q[6]}};
  }
  template <class S, class T>
  static void add_velocity(const TreeNodeOf<T>&, const S* qd, Vec3<S>& omega, Vec3<S>& alpha, Vec3<S>& a) {
    add_rigid_velocity({qd[0], qd[1], qd[2]}, {qd[3], qd[4], qd[5]}, omega, alpha, a);
  }
  template <class S, class T>
  static void add_acceleration(const TreeNodeOf<T>&, const S* qdd, Vec3<S>& alpha, Vec3<S>& a) {
    alpha += Vec3<S>{qdd[0], qdd[1], qdd[2]};
    a += Vec3<S>{qdd[3], qdd[4], qdd[5]};
  }
  template <class S, class T>
  static void project(const TreeNodeOf<T>&, const Wrench<S>& F, S* effort) {
    for (int k = 0; k < 3; ++k) {
      effort[k] = F.moment[k];
      effort[k + 3] = F.force[k];
    }
  }
  template <class S, class T>
  static Twist<S> twist(const TreeNodeOf<T>&, const S* qd) {
    return {{qd[0], qd[1], qd[2]}, {qd[3], qd[4], qd[5]}};
  }
  template <class S, class T>
  static void spatial_screws(const TreeNodeOf<T>& node, const Pose<S>& X_WN, Twist<S>* J) {
    SphericalMotion::spatial_screws(node, X_WN, J);
    J[3] = axis_screw<3>(X_WN);
    J[4] = axis_screw<4>(X_WN);
    J[5] = axis_screw<5>(X_WN);
  }
};

/// Calls f with the motion of a node: one branch a node and sweep.
template <class F>
[[gnu::always_inline]] inline void with_motion(Primitive joint, F&& f) {
  switch (joint) {
    case Primitive::revolute:
      return f(RevoluteMotion{});
    case Primitive::prismatic:
      return f(PrismaticMotion{});
    case Primitive::spherical:
      return f(SphericalMotion{});
    case Primitive::free:
      return f(FreeMotion{});
    case Primitive::helical:
      return f(HelicalMotion{});
    case Primitive::planar:
      return f(PlanarMotion{});
    case Primitive::fixed:
      return f(FixedMotion{});
  }
}

}  // namespace torsor
