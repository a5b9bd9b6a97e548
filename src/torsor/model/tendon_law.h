#pragma once
// The law of a tendon: its length, tension and energy, and the wrenches with which it pulls at bodies.

#include <functional>
#include <span>
#include <vector>

#include "torsor/lie/pose.h"
#include "torsor/lie/twist.h"
#include "torsor/model/elements.h"
#include "torsor/model/scalar_law.h"

namespace torsor {

/// A tendon through points x_i fixed on frames, which are what a formulation keeps its bodies in (the ground
/// is one of them).
///   l   = sum |x_{i+1} - x_i|,     ld its rate                                                   (1)
///   U   = k/2 (l - l0)^2,          T = dU/dl + c ld                                              (2)
///   f_i = T (u_i - u_{i-1}),       unit u_i from x_i to x_{i+1}, 0 where they meet               (3)
///   D   = (T - dU/dl) ld >= 0      what the damper takes: power of the wrenches = -dU/dt - D     (4)
/// tension_only: U = T = 0 where l < l0; elsewhere T is cut at 0, and (4) keeps the balance exact.
struct TendonLaw {
  struct Via {
    int frame = 0;   ///< index into the poses
    Vec3<double> p;  ///< in that frame [m]
  };
  std::vector<Via> path;
  double stiffness = 0, rest_length = 0, damping = 0;  ///< k [N/m], l0 [m], c [N s/m]
  bool tension_only = false;

  TensionLaw tension_law() const { return {stiffness, damping, tension_only}; }
};

/// Compiles a tendon; `place` says which frame carries a point, and where in it.
TendonLaw make_tendon_law(const Tendon& tendon, const std::function<TendonLaw::Via(const Point&)>& place);

/// The scalar S has plain comparisons (double, dual numbers).
template <class S>
struct TendonState {
  S length, rate, potential, tension, dissipation;
};

template <class S>
Vec3<S> unit_or_zero(const Vec3<S>& d) {
  const S square = dot(d, d);
  if (!(square > 0.0)) return {};
  using std::sqrt;
  return (1.0 / sqrt(square)) * d;
}

/// Hands every segment of a path of points `place(i)` to `use(i, d)`: the vector from point i to the next.
template <class Place, class Use>
[[gnu::always_inline]] inline void for_each_segment(std::size_t points, Place&& place, Use&& use) {
  auto from = place(0);
  for (std::size_t i = 0; i + 1 < points; ++i) {
    const auto to = place(i + 1);
    use(i, to - from);
    from = to;
  }
}

/// (1) counted from l0.
template <class S, class Place>
S stretch_of(const TendonLaw& law, Place&& place) {
  S length(0.0);
  for_each_segment(law.path.size(), place,
                   [&](std::size_t, const Vec3<S>& d) { length += dot(unit_or_zero(d), d); });
  return length - law.rest_length;
}
template <class S>
S stretch_of(const TendonLaw& law, std::span<const Pose<S>> X_W) {
  return stretch_of<S>(law, [&](std::size_t i) { return act(X_W[law.path[i].frame], law.path[i].p); });
}

/// Everything (1)-(4) from the poses and the body-fixed twists of the frames.
template <class S>
TendonState<S> tendon_state(const TendonLaw& law, std::span<const Pose<S>> X_W, std::span<const Twist<S>> V) {
  const auto position = [&](std::size_t i) { return act(X_W[law.path[i].frame], law.path[i].p); };
  const auto velocity = [&](std::size_t i) {
    const TendonLaw::Via& via = law.path[i];
    const Twist<S>& W = V[via.frame];
    return X_W[via.frame].R * (W.linear + cross(W.angular, via.p));
  };
  TendonState<S> state{};
  for_each_segment(law.path.size(), position, [&](std::size_t i, const Vec3<S>& d) {
    const Vec3<S> u = unit_or_zero(d);
    state.length += dot(u, d);
    state.rate += dot(u, velocity(i + 1) - velocity(i));  // (1)
  });
  const S stretch = state.length - law.rest_length;
  const TensionLaw tension = law.tension_law();
  state.potential = tension.potential(stretch);
  state.tension = tension.tension(stretch, state.rate);                         // (2)
  state.dissipation = (state.tension - tension.elastic(stretch)) * state.rate;  // (4)
  return state;
}

/// The potential alone, from poses, and its derivative by the length.
template <class S>
S potential(const TendonLaw& law, std::span<const Pose<S>> X_W) {
  return law.tension_law().potential(stretch_of(law, X_W));
}
template <class S>
S elastic_tension(const TendonLaw& law, std::span<const Pose<S>> X_W) {
  return law.tension_law().elastic(stretch_of(law, X_W));
}

/// Adds the wrenches of a tendon under tension T, each in its own frame at its origin.
template <class S>
void add_wrenches(const TendonLaw& law, const S& tension, std::span<const Pose<S>> X_W,
                  std::span<Wrench<S>> F) {
  const auto pull = [&](const TendonLaw::Via& via, const Vec3<S>& force) {
    const Vec3<S> f = transpose_times(X_W[via.frame].R, force);
    F[via.frame] += Wrench<S>{cross(via.p, f), f};
  };
  for_each_segment(
      law.path.size(), [&](std::size_t i) { return act(X_W[law.path[i].frame], law.path[i].p); },
      [&](std::size_t i, const Vec3<S>& d) {
        const Vec3<S> force = tension * unit_or_zero(d);
        pull(law.path[i], force);  // (3)
        pull(law.path[i + 1], -force);
      });
}

}  // namespace torsor
