#pragma once
// Bushings: springs and dampers between frames of two bodies, model/elements.h (1). The displacement d along
// an axis of the parent is a product of directors, and so is the elastic energy of turning,
//   2 sum kr_i q_i^2 = sum c_i (1 - a_i . b_i),   c_x = (kr_y + kr_z - kr_x) / 2, ..,                   (1)
// with the axes a of J and b of K: their gradients at the middle of a step are discrete gradients.

#include "torsor/formulation/elements/joint_spring.h"

namespace torsor {

/// c of (1).
template <class P>
Vec3<P> cosine_weights(const Vec3<P>& stiffness) {
  const P half = 0.5 * (stiffness.x + stiffness.y + stiffness.z);
  return Vec3<P>{half, half, half} - stiffness;
}

/// A displacement between bodies that no joint need connect.
template <int D, class S = double>
struct ApartMeasure : CoordinateMeasure<D, S> {
  template <class Use>
  void couple(Use&& use) const {
    use(this->coordinate.child, this->coordinate.parent);
    use(this->coordinate.parent, this->coordinate.child);
  }
};
template <int D, class S = double>
using BushingSlide = MeasuredElement<D, ApartMeasure<D, S>, SpringDamperOf<S>, S>;

/// Energy (1), with a damper against the spin of the child relative to the parent.
template <int D, class S = double>
struct BushingTurn {
  std::array<Product<D, S>, D> cosines;  ///< a_i . b_i, times -c_i; in the plane both are the cosine
  S offset;                              ///< sum c_i
  Spin<D, S> spin;                       ///< of the parent, by its axes, against the child
  std::array<S, 3> damping;
  int damper;

  template <class Sink>
  void push(const PairView<D, S>& view, Sink&& sink) const {
    for (const Product<D, S>& cosine : cosines) {
      push_gradient(cosine, view.X.left, view.point.force_gain, sink);
    }
    if (damper < 0) return;
    if constexpr (D == 2) {
      spin.push((view.point.force_gain * damping[2]) * spin.rate(view), sink);
    } else {
      SpinDamper<D, S>{spin, damping, -1, damper}.push(view, sink);
    }
  }
  template <class Sink>
  void add_tangent(const PairView<D, S>& view, Sink&& sink) const {
    sink.products(cosines, view.point.force_gain, S(0.0));
    if (damper < 0) return;
    if constexpr (D == 2) {
      const S c = view.point.force_gain * damping[2];
      sink.spin(spin.child, spin.parent, spin.child, S(0.0), c);
      sink.spin(spin.child, spin.parent, spin.parent, S(0.0), -c);
    } else {
      SpinDamper<D, S>{spin, damping, -1, damper}.add_tangent(view, sink);
    }
  }
  void add_flows(const PairView<D, S>& view, double h, const FlowsOf<S>& flows) const {
    if (damper < 0) return;
    if constexpr (D == 2) {
      const S rate = spin.rate(view);
      flows.taken[damper] += h * damping[2] * rate * rate;
    } else {
      SpinDamper<D, S>{spin, damping, -1, damper}.add_flows(view, h, flows);
    }
  }
  S potential(const StateView<D, S>& state) const {
    S U = offset;
    for (const Product<D, S>& cosine : cosines) U += value_at(cosine, state.X);
    return U;
  }
  template <class Use>
  void couple(Use&& use) const {
    use(spin.child, spin.parent);
    use(spin.parent, spin.child);
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.cosines, s.offset, s.spin, s.damping, s.damper);
  }
};

template <int D>
void compile(const ElementContext<D>& context, std::vector<BushingSlide<D>>& all);
template <int D>
void compile(const ElementContext<D>& context, std::vector<BushingTurn<D>>& all);

/// Between nodes of a tree.
template <class P>
struct TreeBushingOf {
  static constexpr bool kNeedsPoses = true;
  int parent = 0, child = 0;    ///< nodes
  Pose<P> in_parent, in_child;  ///< J and K in their frames
  Bushing::SixOf<P> stiffness, damping;
  int damper = -1;

  template <class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    const Pose<S>&from = view.X_W[parent], &C = view.X_W[child];
    const Mat3<S> A = from.R * in_parent.R, B = C.R * in_child.R;
    const Vec3<S> place = act(C, in_child.p), from_J = place - act(from, in_parent.p);
    const Vec3<S> of_parent = from.R * view.V[parent].angular, spin = C.R * view.V[child].angular - of_parent;
    // By the velocity of the child's point relative to the parent, which is d' in axes of J.
    const Vec3<S> slide = C.R * (view.V[child].linear + cross(view.V[child].angular, in_child.p)) -
                          from.R * view.V[parent].linear - cross(of_parent, place - from.p);
    const Vec3<S> d = transpose_times(A, from_J), d_rate = transpose_times(A, slide);
    const Vec3<S> turning = transpose_times(A, spin);
    const Vec3<P> c = cosine_weights(stiffness.rotation);
    Vec3<S> force, moment;  // on the child, in axes of J
    S taken(0.0);
    for (int i = 0; i < 3; ++i) {
      force[i] = -stiffness.translation[i] * d[i] - damping.translation[i] * d_rate[i];
      moment[i] = -damping.rotation[i] * turning[i];
      taken += damping.translation[i] * d_rate[i] * d_rate[i] + damping.rotation[i] * turning[i] * turning[i];
    }
    Vec3<S> turn_back = A * moment;
    const auto column = [](const Mat3<S>& R, int i) {
      return i == 0   ? Vec3<S>{R.xx, R.yx, R.zx}
             : i == 1 ? Vec3<S>{R.xy, R.yy, R.zy}
                      : Vec3<S>{R.xz, R.yz, R.zz};
    };
    for (int i = 0; i < 3; ++i) turn_back += c[i] * cross(column(B, i), column(A, i));  // -grad (1)
    const Vec3<S> push = A * force;
    sink.applied[child] += wrench_on(C, place, push) + Wrench<S>{transpose_times(C.R, turn_back), {}};
    sink.applied[parent] +=
        wrench_on(from, place, -push) + Wrench<S>{transpose_times(from.R, -turn_back), {}};
    sink.book_taken(damper, taken);
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    const Pose<S>&from = view.X_W[parent], &C = view.X_W[child];
    const Mat3<S> A = from.R * in_parent.R, B = C.R * in_child.R;
    const Vec3<S> d = transpose_times(A, act(C, in_child.p) - act(from, in_parent.p));
    const Vec3<P> c = cosine_weights(stiffness.rotation);
    S U = c.x * (1.0 - (A.xx * B.xx + A.yx * B.yx + A.zx * B.zx)) +
          c.y * (1.0 - (A.xy * B.xy + A.yy * B.yy + A.zy * B.zy)) +
          c.z * (1.0 - (A.xz * B.xz + A.yz * B.yz + A.zz * B.zz));
    for (int i = 0; i < 3; ++i) U += 0.5 * stiffness.translation[i] * d[i] * d[i];
    return U;
  }
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.parent, s.child, s.in_parent.R, s.in_parent.p, s.in_child.R, s.in_child.p,
                    s.stiffness.translation, s.stiffness.rotation, s.damping.translation, s.damping.rotation,
                    s.damper);
  }
};
using TreeBushing = TreeBushingOf<double>;
void compile(const TreeContext& context, std::vector<TreeBushing>& all);

}  // namespace torsor
