#pragma once
// The configuration manifold of a tree: R, S1, SO(3), SE(2), SE(3), one factor a node. Increments are
// body-fixed.

#include <span>

#include "torsor/tree/tree.h"

namespace torsor {

/// q1 = q0 * exp(increment), factor by factor. q1 may be q0.
template <class S, class T>
void retract(const TreeOf<T>& tree, std::span<const S> q0, std::span<const S> increment, std::span<S> q1);

/// The rate of the increment xi of a curve q0 * exp(xi(t)) that has the body-fixed rate v: dexp^-1_{-xi} v.
template <class S, class T>
void chart_rate(const TreeOf<T>& tree, std::span<const S> xi, std::span<const S> v, std::span<S> xi_rate);

/// Increment that takes q0 to q1: log(q0^-1 q1), factor by factor.
template <class S, class T>
void configuration_difference(const TreeOf<T>& tree, std::span<const S> q0, std::span<const S> q1,
                              std::span<S> increment);

/// Largest | |quaternion| - 1 | of a configuration; 0 if the tree has none.
double unit_length_error(const Tree& tree, std::span<const double> q);
/// Brings every quaternion back to unit length.
void normalize(const Tree& tree, std::span<double> q);
template <class S, class T>
void normalize(const TreeOf<T>& tree, std::span<S> q);
/// The configuration of zeros and unit quaternions.
void set_neutral(const Tree& tree, std::span<double> q);

}  // namespace torsor
