#pragma once
// The law of a tendon: its length, tension and energy, and the wrenches with which it pulls at bodies.

#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "torsor/lie/pose.h"
#include "torsor/lie/twist.h"
#include "torsor/model/elements.h"
#include "torsor/model/scalar_law.h"

namespace torsor {

/// A tendon through points x_i fixed on frames, which are what a formulation keeps its bodies in (the ground
/// is one of them). With the stretch e = l - l0(t)
///   l   = sum |x_{i+1} - x_i|,     ld its rate                                                   (1)
///   U   = k/2 e^2,                 T = S + T_m(t),  S = dU/de + c ed                             (2)
///   f_i = T (u_i - u_{i-1}),       unit u_i from x_i to x_{i+1}, 0 where they meet               (3)
///   D   = (S - dU/de) ed >= 0      what the damper takes                                         (4)
///   W   = -S l0d - T_m ld          what winch and motor do: power of the wrenches = W - dU/dt - D (5)
/// tension_only: U = S = 0 where e < 0; elsewhere S is cut at 0, and (4) keeps the balance exact.
/// P: plain numbers, or a number for each lane of a pack, whose tendons are straight.
template <class P>
struct TendonLawOf {
  struct Via {
    int frame = 0;  ///< index into the poses
    Vec3<P> p;      ///< in that frame [m]

    template <class Self>
    static auto fields(Self& s) {
      return std::tie(s.frame, s.p);
    }
  };
  std::vector<Via> path;
  P stiffness{};               ///< k [N/m]
  ProgramOf<P> rest_length{};  ///< l0 [m]
  P damping{};                 ///< c [N s/m]
  bool tension_only = false;
  ProgramOf<P> motor{};  ///< T_m [N]
  /// What a segment goes round, by the segment.
  struct Around {
    std::size_t segment = 0;
    Via centre{};
    Mat3<double> R = Mat3<double>::identity();  ///< of its frame in the frame that carries it
    WrapLaw law{};
  };
  std::vector<Around> wraps{};

  const Around* around(std::size_t segment) const {
    for (const Around& wrap : wraps) {
      if (wrap.segment == segment) return &wrap;
    }
    return nullptr;
  }

  TensionLawOf<P> tension_law() const { return {stiffness, damping, tension_only}; }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.path, s.stiffness, s.rest_length, s.damping, s.tension_only, s.motor);
  }
};
using TendonLaw = TendonLawOf<double>;

/// Compiles a tendon; `place` says which frame carries a point, and where in it.
TendonLaw make_tendon_law(const Tendon& tendon, const std::function<TendonLaw::Via(const Point&)>& place);

template <class S>
struct TendonState {
  S length, rate, potential, tension, dissipation, work;
};

/// From one point to another: how far, and the unit vector there, 0 where they meet.
template <class S>
struct StraightSegment {
  S length{0.0};
  Vec3<S> u{};
};
template <class S>
inline StraightSegment<S> straight_segment(const Vec3<S>& d) {
  using std::sqrt;
  const S square = dot(d, d);
  if constexpr (kHasLanes<S>) {
    const S length = sqrt(square);
    return {length, select(square > 0.0, 1.0 / length, S(0.0)) * d};
  } else {
    if (!(square > 0.0)) return {};
    const S length = sqrt(square);
    return {length, (1.0 / length) * d};
  }
}
template <class S>
inline Vec3<S> unit_or_zero(const Vec3<S>& d) {
  return straight_segment(d).u;
}

/// Hands every segment of a path of points `place(i)` to `use(i, d)`: the vector from point i to the next.
template <class Place, class Use>
[[gnu::always_inline]] inline void for_each_segment(std::size_t points, Place&& place, Use&& use) {
  if (points == 0) return;  // a tendon over joints
  auto from = place(0);
  for (std::size_t i = 0; i + 1 < points; ++i) {
    const auto to = place(i + 1);
    use(i, to - from);
    from = to;
  }
}

/// A segment that goes round something, at poses of the frames: its length, and its gradients by its ends in
/// the world. What it goes round bears the opposite of both, at the same places.
template <class S>
WrappedLength<S> wrapped_segment(const TendonLaw::Around& wrap, const Vec3<S>& p, const Vec3<S>& q,
                                 std::span<const Pose<S>> X_W) {
  const Pose<S>& X = X_W[wrap.centre.frame];
  const auto inside = [&](const Vec3<S>& a) {
    return transpose_times(wrap.R, transpose_times(X.R, a - X.p) - wrap.centre.p);
  };
  WrappedLength<S> found = wrapped_length<S>(wrap.law, inside(p), inside(q));
  found.by_P = X.R * (wrap.R * found.by_P);
  found.by_Q = X.R * (wrap.R * found.by_Q);
  return found;
}

/// A path some of whose segments go round something, for for_each_pull(): apart from it, since most tendons are straight.
template <class S, class Use>
[[gnu::noinline]] void for_each_wrapped_pull(const TendonLaw& law, std::span<const Pose<S>> X_W, Use&& use) {
  const auto place = [&](std::size_t i) { return act(X_W[law.path[i].frame], law.path[i].p); };
  for (std::size_t i = 0; i + 1 < law.path.size(); ++i) {
    const Vec3<S> p = place(i), q = place(i + 1);
    if (const TendonLaw::Around* wrap = law.around(i)) {
      const WrappedLength<S> found = wrapped_segment<S>(*wrap, p, q, X_W);
      use(i, wrap->centre.frame, found.length, found.by_P, found.by_Q);
    } else {
      const StraightSegment<S> segment = straight_segment<S>(q - p);
      use(i, -1, segment.length, -segment.u, segment.u);
    }
  }
}

/// Hands the length of every segment and its gradients to `use(i, frame, length, by_start, by_end)`: the frame is
/// that which bears the opposite, -1 for a straight one, whose gradients cancel.
template <class S, class P, class Use>
[[gnu::always_inline]] inline void for_each_pull(const TendonLawOf<P>& law, std::span<const Pose<S>> X_W,
                                                 Use&& use) {
  if (!law.wraps.empty()) {
    if constexpr (!kHasLanes<P>) for_each_wrapped_pull(law, X_W, use);
    return;
  }
  const auto place = [&](std::size_t i) __attribute__((always_inline)) {
    return act(X_W[law.path[i].frame], law.path[i].p);
  };
  for_each_segment(
      law.path.size(), place, [&](std::size_t i, const Vec3<S>& d) __attribute__((always_inline)) {
        const StraightSegment<S> segment = straight_segment(d);
        use(i, -1, segment.length, -segment.u, segment.u);
      });
}

/// (1) counted from l0.
template <class S, class P>
S stretch_of(const TendonLawOf<P>& law, std::span<const Pose<S>> X_W, const S& t) {
  S length(0.0);
  for_each_pull(law, X_W, [&](std::size_t, int, const S& l, const Vec3<S>&, const Vec3<S>&) { length += l; });
  return length - along(law.rest_length, t).value;
}

/// (2)-(5) from the length and its rate.
template <class S, class P>
TendonState<S> tendon_state_of(const TendonLawOf<P>& law, const S& length, const S& rate, const S& t) {
  TendonState<S> state{};
  state.length = length;
  state.rate = rate;
  const MovingValue<S> rest = along(law.rest_length, t);
  const S motor = along(law.motor, t).value;
  const S stretch = length - rest.value, stretch_rate = rate - rest.rate;
  const TensionLawOf<P> tension = law.tension_law();
  const S passive = tension.tension(stretch, stretch_rate);
  state.potential = tension.potential(stretch);
  state.tension = passive + motor;                                          // (2)
  state.dissipation = (passive - tension.elastic(stretch)) * stretch_rate;  // (4)
  state.work = -(passive * rest.rate + motor * rate);                       // (5)
  return state;
}

/// Everything (1)-(5) from the poses and the body-fixed twists of the frames.
template <class S, class P>
TendonState<S> tendon_state(const TendonLawOf<P>& law, std::span<const Pose<S>> X_W,
                            std::span<const Twist<S>> V, const S& t = S(0.0)) {
  const auto velocity_in = [&](int frame, const auto& p) {
    const Twist<S>& W = V[frame];
    return X_W[frame].R * (W.linear + cross(W.angular, p));
  };
  /// Of the point of a frame that is where the path's point is now.
  const auto velocity = [&](std::size_t i, int frame) -> Vec3<S> {
    const typename TendonLawOf<P>::Via& via = law.path[i];
    const Vec3<S> own = velocity_in(via.frame, via.p);
    if (frame < 0) return own;
    const Vec3<S> place = act(X_W[via.frame], via.p);
    return own - velocity_in(frame, transpose_times(X_W[frame].R, place - X_W[frame].p));
  };
  S length(0.0), rate(0.0);
  for_each_pull(law, X_W,
                [&](std::size_t i, int frame, const S& l, const Vec3<S>& by_p, const Vec3<S>& by_q) {
                  length += l;
                  rate += dot(by_p, velocity(i, frame)) + dot(by_q, velocity(i + 1, frame));  // (1)
                });
  return tendon_state_of(law, length, rate, t);
}

/// The potential alone, from poses, and its derivative by the length.
template <class S, class P>
S potential(const TendonLawOf<P>& law, std::span<const Pose<S>> X_W, const S& t = S(0.0)) {
  return law.tension_law().potential(stretch_of(law, X_W, t));
}
template <class S, class P>
S elastic_tension(const TendonLawOf<P>& law, std::span<const Pose<S>> X_W, const S& t = S(0.0)) {
  return law.tension_law().elastic(stretch_of(law, X_W, t));
}

/// Adds the wrenches of a tendon under tension T, each in its own frame at its origin.
template <class S, class P>
void add_wrenches(const TendonLawOf<P>& law, const S& tension, std::span<const Pose<S>> X_W,
                  std::span<Wrench<S>> F) {
  const auto pull = [&](const typename TendonLawOf<P>::Via& via, const Vec3<S>& force) {
    const Vec3<S> f = transpose_times(X_W[via.frame].R, force);
    F[via.frame] += Wrench<S>{cross(via.p, f), f};
  };
  const auto bear = [&](int frame, const typename TendonLawOf<P>::Via& via, const Vec3<S>& force) {
    const Pose<S>& X = X_W[frame];
    const Vec3<S> f = transpose_times(X.R, force);
    F[frame] += Wrench<S>{cross(transpose_times(X.R, act(X_W[via.frame], via.p) - X.p), f), f};
  };
  for_each_pull(law, X_W, [&](std::size_t i, int frame, const S&, const Vec3<S>& by_p, const Vec3<S>& by_q) {
    pull(law.path[i], -tension * by_p);  // (3)
    pull(law.path[i + 1], -tension * by_q);
    if (frame < 0) return;
    bear(frame, law.path[i], tension * by_p);
    bear(frame, law.path[i + 1], tension * by_q);
  });
}

}  // namespace torsor
