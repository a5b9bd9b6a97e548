#include <gtest/gtest.h>

#include <array>

#include "testing/laws.h"
#include "torsor/lie/reference/se2.h"
#include "torsor/lie/reference/so2.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/so3.h"

namespace torsor {
namespace {

template <class S, std::size_t A, std::size_t B>
std::array<S, A + B> joined(const std::array<S, A>& a, const std::array<S, B>& b) {
  std::array<S, A + B> result;
  std::copy(a.begin(), a.end(), result.begin());
  std::copy(b.begin(), b.end(), result.begin() + A);
  return result;
}
template <class S>
std::array<S, 3> entries(const Vec3<S>& v) {
  return {v.x, v.y, v.z};
}
template <class S>
std::array<S, 2> entries(const Vec2<S>& v) {
  return {v.x, v.y};
}
/// By the matrix, in which a quaternion and its negative are one.
template <class S>
std::array<S, 9> entries(const SO3<S>& q) {
  const Mat3<S> R = matrix(q);
  return {R.xx, R.xy, R.xz, R.yx, R.yy, R.yz, R.zx, R.zy, R.zz};
}

struct CommonVerbs {
  static auto log(const auto& g) { return torsor::log(g); }
  static auto cay_inv(const auto& g) { return torsor::cay_inv(g); }
};
struct DisplacementVerbs : CommonVerbs {
  static auto Ad(const auto& g, const auto& v) { return torsor::Ad(g, v); }
  static auto Ad_inv(const auto& g, const auto& v) { return torsor::Ad_inv(g, v); }
  static auto Ad_dual(const auto& g, const auto& f) { return torsor::Ad_dual(g, f); }
  static auto Ad_inv_dual(const auto& g, const auto& f) { return torsor::Ad_inv_dual(g, f); }
  static auto ad(const auto& x, const auto& v) { return bracket(x, v); }
  static auto ad_dual(const auto& x, const auto& f) { return coadjoint(x, f); }
  static auto pair(const auto& v, const auto& f) { return dot(v, f); }
};

struct PlaneRotations : CommonVerbs {
  static constexpr int dimension = 1, rotations = 1;
  template <class S>
  using Element = SO2<S>;
  template <class S>
  using Algebra = S;
  template <class S>
  static S algebra(const std::array<S, 1>& x) {
    return x[0];
  }
  static double covector(const std::array<double, 1>& x) { return x[0]; }
  template <class S>
  static std::array<S, 1> flat(const S& x) {
    return {x};
  }
  template <class S>
  static std::array<S, 2> flat(const SO2<S>& q) {
    return {q.re, q.im};
  }

  static auto exp(const auto& x) { return exp_so2(x); }
  static auto dexp(const auto&, const auto& v) { return v; }
  static auto dexp_inv(const auto&, const auto& v) { return v; }
  static double d_dexp(double, double, double) { return 0; }
  static double d_dexp_inv(double, double, double) { return 0; }
  static auto cay(const auto& x) { return cay_so2(x); }
  static auto dcay(const auto& x, const auto& v) { return dcay_so2(x) * v; }
  static auto dcay_inv(const auto& x, const auto& v) { return dcay_inv_so2(x) * v; }
  static auto Ad(const auto&, const auto& v) { return v; }
  static auto Ad_inv(const auto&, const auto& v) { return v; }
  static double Ad_dual(const auto&, double f) { return f; }
  static double Ad_inv_dual(const auto&, double f) { return f; }
  static double ad(double, double) { return 0; }
  static double ad_dual(double, double) { return 0; }
  static double pair(double v, double f) { return v * f; }
};

struct SpaceRotations : CommonVerbs {
  static constexpr int dimension = 3, rotations = 3;
  template <class S>
  using Element = SO3<S>;
  template <class S>
  using Algebra = Vec3<S>;
  template <class S>
  static Vec3<S> algebra(const std::array<S, 3>& x) {
    return {x[0], x[1], x[2]};
  }
  static Vec3<double> covector(const std::array<double, 3>& x) { return algebra(x); }
  static auto flat(const auto& x) { return entries(x); }

  static auto exp(const auto& x) { return exp_so3(x); }
  static auto dexp(const auto& x, const auto& v) { return dexp_so3(x) * v; }
  static auto dexp_inv(const auto& x, const auto& v) { return dexp_inv_so3(x) * v; }
  static auto d_dexp(const auto& x, const auto& v, const auto& d) { return d_dexp_so3(x, v) * d; }
  static auto d_dexp_inv(const auto& x, const auto& v, const auto& d) { return d_dexp_inv_so3(x, v) * d; }
  static auto cay(const auto& x) { return cay_so3(x); }
  static auto dcay(const auto& x, const auto& v) { return dcay_so3(x) * v; }
  static auto dcay_inv(const auto& x, const auto& v) { return dcay_inv_so3(x) * v; }
  static auto Ad(const auto& g, const auto& v) { return act(g, v); }
  static auto Ad_inv(const auto& g, const auto& v) { return act(inverse(g), v); }
  static auto Ad_dual(const auto& g, const auto& f) { return act(inverse(g), f); }
  static auto Ad_inv_dual(const auto& g, const auto& f) { return act(g, f); }
  static auto ad(const auto& x, const auto& v) { return cross(x, v); }
  static auto ad_dual(const auto& x, const auto& f) { return cross(f, x); }
  static auto pair(const auto& v, const auto& f) { return dot(v, f); }
};

struct PlaneDisplacements : DisplacementVerbs {
  static constexpr int dimension = 3, rotations = 1;
  template <class S>
  using Element = SE2<S>;
  template <class S>
  using Algebra = PlanarTwist<S>;
  template <class S>
  static PlanarTwist<S> algebra(const std::array<S, 3>& x) {
    return {x[0], {x[1], x[2]}};
  }
  static PlanarWrench<double> covector(const std::array<double, 3>& x) { return {x[0], {x[1], x[2]}}; }
  template <class S>
  static auto flat(const PlanarTwist<S>& x) {
    return joined(std::array<S, 1>{x.angular}, entries(x.linear));
  }
  template <class S>
  static auto flat(const SE2<S>& g) {
    return joined(std::array<S, 2>{g.rotation.re, g.rotation.im}, entries(g.position));
  }

  static auto exp(const auto& x) { return exp_se2(x); }
  static auto dexp(const auto& x, const auto& v) { return dexp_se2(x) * v; }
  static auto dexp_inv(const auto& x, const auto& v) { return dexp_inv_se2(x) * v; }
  static auto d_dexp(const auto& x, const auto& v, const auto& d) { return d_dexp_se2(x, v) * d; }
  static auto d_dexp_inv(const auto& x, const auto& v, const auto& d) { return d_dexp_inv_se2(x, v) * d; }
  static auto cay(const auto& x) { return cay_se2(x); }
  static auto dcay(const auto& x, const auto& v) { return dcay_se2(x) * v; }
  static auto dcay_inv(const auto& x, const auto& v) { return dcay_inv_se2(x) * v; }
};

struct SpaceDisplacements : DisplacementVerbs {
  static constexpr int dimension = 6, rotations = 3;
  template <class S>
  using Element = SE3<S>;
  template <class S>
  using Algebra = Twist<S>;
  template <class S>
  static Twist<S> algebra(const std::array<S, 6>& x) {
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  static Wrench<double> covector(const std::array<double, 6>& x) {
    return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
  template <class S>
  static auto flat(const Twist<S>& x) {
    return joined(entries(x.angular), entries(x.linear));
  }
  template <class S>
  static auto flat(const SE3<S>& g) {
    return joined(entries(g.rotation), entries(g.position));
  }

  static auto exp(const auto& x) { return exp_se3(x); }
  static auto dexp(const auto& x, const auto& v) { return dexp_se3(x, v); }
  static auto dexp_inv(const auto& x, const auto& v) { return dexp_inv_se3(x, v); }
  static auto d_dexp(const auto& x, const auto& v, const auto& d) { return d_dexp_se3(x, v) * d; }
  static auto d_dexp_inv(const auto& x, const auto& v, const auto& d) { return d_dexp_inv_se3(x, v) * d; }
  static auto cay(const auto& x) { return cay_se3(x); }
  static auto dcay(const auto& x, const auto& v) { return dcay_se3(x) * v; }
  static auto dcay_inv(const auto& x, const auto& v) { return dcay_inv_se3(x) * v; }
};

TEST(GroupLaws, PlaneRotations) { expect_group_laws<PlaneRotations>(); }
TEST(GroupLaws, SpaceRotations) { expect_group_laws<SpaceRotations>(); }
TEST(GroupLaws, PlaneDisplacements) { expect_group_laws<PlaneDisplacements>(); }
TEST(GroupLaws, SpaceDisplacements) { expect_group_laws<SpaceDisplacements>(); }

}  // namespace
}  // namespace torsor
