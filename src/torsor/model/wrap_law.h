#pragma once
// The length of a segment that goes round a circle, a cylinder or a sphere, in the frame of what it goes round:
// with ends P and Q, in the plane across the cylinder or through the sphere's centre, radius r,
//
//   l = |P| cos a_P + |Q| cos a_Q + r (phi - b_P - b_Q),   cos b = r / |P|,  sin a = r / |P|             (1)
//
// two tangents and an arc, phi the angle from P to Q on the side on which the segment passes. Its gradient by
// an end is the unit vector along the tangent there, whatever the arc does. Round a cylinder
//   L = sqrt(l^2 + (Q_z - P_z)^2)                                                                         (2)
// since its surface unrolls: the helix has the slope of the tangents. Where the straight segment passes on the
// right side, it is straight; at the change from one to the other l and its gradient are continuous.

#include <cmath>
#include <numbers>
#include <optional>

#include "torsor/base/pack.h"
#include "torsor/base/vec.h"

namespace torsor {

struct WrapLaw {
  enum class Kind { circle, cylinder, sphere };  ///< the axis is z, the centre the origin
  Kind kind = Kind::circle;
  double radius = 0;                 ///< [m]
  std::optional<Vec3<double>> side;  ///< towards which it passes; none: on the shorter way
};

/// A length and its gradients by both ends.
template <class S>
struct WrappedLength {
  S length{};
  Vec3<S> by_P{}, by_Q{};
  bool wraps = false;
};

namespace wrapping {

/// Of ends in the plane.
template <class S>
struct Planar {
  S length{};
  Vec2<S> by_P{}, by_Q{};
  bool wraps = false;
};

template <class S>
Planar<S> straight(const Vec2<S>& P, const Vec2<S>& Q) {
  const Vec2<S> d = P - Q;
  const S length = norm(d);
  if (!(length > 0.0)) return {};
  const Vec2<S> n = (1.0 / length) * d;
  return {length, n, -n, false};
}

/// The nearest point to the origin on the segment from P to Q.
inline Vec2<double> nearest(const Vec2<double>& P, const Vec2<double>& Q) {
  const Vec2<double> d = Q - P;
  const double square = dot(d, d);
  const double way = square > 0 ? std::fmin(1, std::fmax(0, -dot(P, d) / square)) : 0;
  return P + way * d;
}

/// Which way round the circle, +1 for counterclockwise from P to Q; 0 where the segment is straight. `side` is a
/// direction, or zero where the shorter way is meant.
inline int way_round(const Vec2<double>& P, const Vec2<double>& Q, double r, const Vec2<double>& side) {
  const double A = dot(P, P), B = dot(Q, Q);
  if (!(A > r * r && B > r * r)) return 0;  // an end inside
  const int shorter = P.x * Q.y - P.y * Q.x >= 0 ? 1 : -1;
  const Vec2<double> close = nearest(P, Q);
  const bool meets = dot(close, close) < r * r, sided = side.x != 0 || side.y != 0;
  if (!sided) return meets ? shorter : 0;
  if (!meets) return dot(side, close) >= 0 ? 0 : -shorter;
  // The middle of the shorter arc, from tangent point to tangent point.
  const double by_P = r * std::sqrt(A - r * r) / A, by_Q = r * std::sqrt(B - r * r) / B;
  const Vec2<double> middle =
      (r * r / A) * P + (shorter * by_P) * perp(P) + (r * r / B) * Q - (shorter * by_Q) * perp(Q);
  return dot(side, middle) >= 0 ? shorter : -shorter;
}

inline Vec2<double> values(const Vec2<double>& a) { return a; }
template <class S>
Vec2<double> values(const Vec2<S>& a) {
  return {value_of(a.x), value_of(a.y)};
}

template <class S>
Planar<S> round_circle(const Vec2<S>& P, const Vec2<S>& Q, double r, int way) {
  using std::acos, std::atan2, std::sqrt;
  if (way == 0) return straight(P, Q);
  const S A = dot(P, P), B = dot(Q, Q), s_P = sqrt(A - r * r), s_Q = sqrt(B - r * r);
  S phi = double(way) * atan2(P.x * Q.y - P.y * Q.x, dot(P, Q));
  if (phi < 0.0) phi += 2 * std::numbers::pi;
  Planar<S> found;
  // b = atan2(s, r), better near the surface than acos(r / |P|).
  found.length = s_P + s_Q + r * (phi - atan2(s_P, S(r)) - atan2(s_Q, S(r)));
  // (P - t_P) / s_P with the tangent point t_P = (r^2 P + way r s_P perp P) / A.
  found.by_P = (1.0 / A) * (s_P * P - (way * r) * perp(P));
  found.by_Q = (1.0 / B) * (s_Q * Q + (way * r) * perp(Q));
  found.wraps = true;
  return found;
}

}  // namespace wrapping

/// Ends in the frame of the law.
template <class S>
WrappedLength<S> wrapped_length(const WrapLaw& law, const Vec3<S>& P, const Vec3<S>& Q) {
  using std::sqrt;
  using wrapping::Planar;
  const auto in_plane = [](const Vec3<S>& a) { return Vec2<S>{a.x, a.y}; };
  const Vec2<double> side = law.side ? Vec2<double>{law.side->x, law.side->y} : Vec2<double>{};
  if (law.kind != WrapLaw::Kind::sphere) {
    const Vec2<S> p = in_plane(P), q = in_plane(Q);
    const int way = wrapping::way_round(wrapping::values(p), wrapping::values(q), law.radius, side);
    const Planar<S> flat = wrapping::round_circle(p, q, law.radius, way);
    if (law.kind == WrapLaw::Kind::circle) {
      return {
          flat.length, {flat.by_P.x, flat.by_P.y, S(0.0)}, {flat.by_Q.x, flat.by_Q.y, S(0.0)}, flat.wraps};
    }
    const S rise = Q.z - P.z, length = sqrt(flat.length * flat.length + rise * rise);
    if (!(length > 0.0)) return {};
    const S across = flat.length / length, along = rise / length;
    return {length,
            {across * flat.by_P.x, across * flat.by_P.y, -along},
            {across * flat.by_Q.x, across * flat.by_Q.y, along},
            flat.wraps};
  }
  // In the plane of P and Q: e_0 along P, e_1 across towards Q.
  const S reach = sqrt(dot(P, P));
  const Vec3<S> d = Q - P;
  const S apart = sqrt(dot(d, d));
  const auto straight = [&]() -> WrappedLength<S> {
    if (!(apart > 0.0)) return {};
    const Vec3<S> n = (1.0 / apart) * d;
    return {apart, -n, n, false};
  };
  if (!(reach > law.radius)) return straight();
  const Vec3<S> e_0 = (1.0 / reach) * P, off = Q - dot(Q, e_0) * e_0;
  const S height = sqrt(dot(off, off));
  if (!(height > 0.0)) return straight();  // through the centre: no plane
  const Vec3<S> e_1 = (1.0 / height) * off;
  const Vec2<S> p{reach, S(0.0)}, q{dot(Q, e_0), height};
  const Vec2<double> in{law.side ? value_of(dot(*law.side, e_0)) : 0,
                        law.side ? value_of(dot(*law.side, e_1)) : 0};
  const int way = wrapping::way_round(wrapping::values(p), wrapping::values(q), law.radius, in);
  if (way == 0) return straight();
  const Planar<S> flat = wrapping::round_circle(p, q, law.radius, way);
  return {flat.length, flat.by_P.x * e_0 + flat.by_P.y * e_1, flat.by_Q.x * e_0 + flat.by_Q.y * e_1, true};
}

}  // namespace torsor
