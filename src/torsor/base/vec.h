#pragma once
// Small fixed-size vectors and matrices over any scalar (double, Dual, Pack). Operands may differ in scalar,
// so that constants of a model stay plain doubles while states are packs or dual numbers.

#include <cmath>

namespace torsor {

template <class S>
struct Vec3 {
  S x{}, y{}, z{};

  S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class A, class B>
constexpr auto operator+(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class A, class B>
constexpr auto operator-(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x - b.x)> {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
constexpr Vec3<S> operator-(const Vec3<S>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class A, class B>
constexpr auto operator*(const A& s, const Vec3<B>& a) -> Vec3<decltype(s * a.x)> {
  return {s * a.x, s * a.y, s * a.z};
}
template <class A, class B>
constexpr Vec3<A>& operator+=(Vec3<A>& a, const Vec3<B>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}
template <class A, class B>
constexpr Vec3<A>& operator-=(Vec3<A>& a, const Vec3<B>& b) {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
  return a;
}
template <class A, class B>
constexpr auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class A, class B>
constexpr auto cross(const Vec3<A>& a, const Vec3<B>& b) -> Vec3<decltype(a.x * b.x)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S norm(const Vec3<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// A vector of the plane.
template <class S>
struct Vec2 {
  S x{}, y{};

  S& operator[](int i) { return i == 0 ? x : y; }
  const S& operator[](int i) const { return i == 0 ? x : y; }
  friend bool operator==(const Vec2&, const Vec2&) = default;
};

template <class A, class B>
constexpr auto operator+(const Vec2<A>& a, const Vec2<B>& b) -> Vec2<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y + b.y};
}
template <class A, class B>
constexpr auto operator-(const Vec2<A>& a, const Vec2<B>& b) -> Vec2<decltype(a.x - b.x)> {
  return {a.x - b.x, a.y - b.y};
}
template <class S>
constexpr Vec2<S> operator-(const Vec2<S>& a) {
  return {-a.x, -a.y};
}
template <class A, class B>
constexpr auto operator*(const A& s, const Vec2<B>& a) -> Vec2<decltype(s * a.x)> {
  return {s * a.x, s * a.y};
}
template <class A, class B>
constexpr Vec2<A>& operator+=(Vec2<A>& a, const Vec2<B>& b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}
template <class A, class B>
constexpr Vec2<A>& operator-=(Vec2<A>& a, const Vec2<B>& b) {
  a.x -= b.x;
  a.y -= b.y;
  return a;
}
template <class A, class B>
constexpr auto dot(const Vec2<A>& a, const Vec2<B>& b) {
  return a.x * b.x + a.y * b.y;
}
template <class S>
S norm(const Vec2<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
/// A quarter turn counterclockwise: the plane's e_z x a.
template <class S>
constexpr Vec2<S> perp(const Vec2<S>& a) {
  return {-a.y, a.x};
}

/// A general 3x3 matrix, entries named by row and column.
template <class S>
struct Mat3 {
  S xx{}, xy{}, xz{};
  S yx{}, yy{}, yz{};
  S zx{}, zy{}, zz{};

  static constexpr Mat3 identity() { return {S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)}; }
};

template <class A, class B>
constexpr auto operator*(const Mat3<A>& m, const Vec3<B>& v) -> Vec3<decltype(m.xx * v.x)> {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.yx * v.x + m.yy * v.y + m.yz * v.z,
          m.zx * v.x + m.zy * v.y + m.zz * v.z};
}
/// m^T v without forming the transpose.
template <class A, class B>
constexpr auto transpose_times(const Mat3<A>& m, const Vec3<B>& v) -> Vec3<decltype(m.xx * v.x)> {
  return {m.xx * v.x + m.yx * v.y + m.zx * v.z, m.xy * v.x + m.yy * v.y + m.zy * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class A, class B>
constexpr auto operator*(const Mat3<A>& a, const Mat3<B>& b) -> Mat3<decltype(a.xx * b.xx)> {
  return {a.xx * b.xx + a.xy * b.yx + a.xz * b.zx, a.xx * b.xy + a.xy * b.yy + a.xz * b.zy,
          a.xx * b.xz + a.xy * b.yz + a.xz * b.zz, a.yx * b.xx + a.yy * b.yx + a.yz * b.zx,
          a.yx * b.xy + a.yy * b.yy + a.yz * b.zy, a.yx * b.xz + a.yy * b.yz + a.yz * b.zz,
          a.zx * b.xx + a.zy * b.yx + a.zz * b.zx, a.zx * b.xy + a.zy * b.yy + a.zz * b.zy,
          a.zx * b.xz + a.zy * b.yz + a.zz * b.zz};
}
template <class A, class B>
constexpr auto operator+(const Mat3<A>& a, const Mat3<B>& b) -> Mat3<decltype(a.xx + b.xx)> {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yx + b.yx, a.yy + b.yy,
          a.yz + b.yz, a.zx + b.zx, a.zy + b.zy, a.zz + b.zz};
}
template <class A, class B>
constexpr auto operator-(const Mat3<A>& a, const Mat3<B>& b) -> Mat3<decltype(a.xx - b.xx)> {
  return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yx - b.yx, a.yy - b.yy,
          a.yz - b.yz, a.zx - b.zx, a.zy - b.zy, a.zz - b.zz};
}
template <class A, class B>
constexpr auto operator*(const A& s, const Mat3<B>& m) -> Mat3<decltype(s * m.xx)> {
  return {s * m.xx, s * m.xy, s * m.xz, s * m.yx, s * m.yy, s * m.yz, s * m.zx, s * m.zy, s * m.zz};
}
template <class S>
constexpr Mat3<S> transpose(const Mat3<S>& m) {
  return {m.xx, m.yx, m.zx, m.xy, m.yy, m.zy, m.xz, m.yz, m.zz};
}
/// hat(a) b = a x b.
template <class S>
constexpr Mat3<S> hat(const Vec3<S>& a) {
  return {S(0), -a.z, a.y, a.z, S(0), -a.x, -a.y, a.x, S(0)};
}
template <class A, class B>
constexpr auto outer(const Vec3<A>& a, const Vec3<B>& b) -> Mat3<decltype(a.x * b.x)> {
  return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}

/// A symmetric 3x3 matrix: six numbers.
template <class S>
struct Sym3 {
  S xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
  friend bool operator==(const Sym3&, const Sym3&) = default;
};

template <class A, class B>
constexpr auto operator*(const Sym3<A>& m, const Vec3<B>& v) -> Vec3<decltype(m.xx * v.x)> {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
          m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class A, class B>
constexpr auto operator+(const Sym3<A>& a, const Sym3<B>& b) -> Sym3<decltype(a.xx + b.xx)> {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class A, class B>
constexpr auto operator-(const Sym3<A>& a, const Sym3<B>& b) -> Sym3<decltype(a.xx - b.xx)> {
  return {a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz};
}
template <class A, class B>
constexpr auto operator*(const A& s, const Sym3<B>& m) -> Sym3<decltype(s * m.xx)> {
  return {s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz};
}
template <class S>
constexpr Mat3<S> full(const Sym3<S>& m) {
  return {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz};
}
/// The symmetric part's storage of a matrix known to be symmetric.
template <class S>
constexpr Sym3<S> symmetric(const Mat3<S>& m) {
  return {m.xx, m.yy, m.zz, m.xy, m.xz, m.yz};
}

}  // namespace torsor
