#pragma once
// What an element sees and where it writes on a tree, in joint coordinates and over any scalar: double, dual
// numbers. Elements on trees are plain structs, all of one kind in one list (all.h), each with
//   apply(view, sink)                forces, and the powers that the ledger books
//   kNeedsPoses                      whether apply() reads poses and twists of nodes
//   potential(view)                  stored energy, if it has any
//   start(view, z)                   sets its states, where it has any
//   add_stiffness(K, C)              what it is by coordinates and rates alone, for solvers; if it is

#include <span>
#include <vector>

#include "torsor/formulation/external_input.h"
#include "torsor/formulation/tree_system.h"
#include "torsor/lie/pose.h"
#include "torsor/lie/twist.h"
#include "torsor/model/flow_book.h"
#include "torsor/tree/tree.h"

namespace torsor {

template <class S>
struct TreeView {
  const Tree& tree;
  S t;  ///< a number with derivatives where programs move along
  std::span<const S> q, v;
  std::span<const Pose<S>> X_W;  ///< of the nodes
  std::span<const Twist<S>> V;   ///< body-fixed
  ElementStates states = {};
};

template <class S>
struct TreeSink {
  std::span<S> effort;           ///< by rate
  std::span<Wrench<S>> applied;  ///< on the nodes, in their frames
  std::span<S> work, taken;      ///< powers of sources and dampers; empty where nobody asks
  std::span<S> rates = {};       ///< all of these, and of states; likewise

  void book(int source, const S& power) const {
    if (source >= 0 && !work.empty()) work[source] += power;
  }
  void book_taken(int damper, const S& power) const {
    if (damper >= 0 && !taken.empty()) taken[damper] += power;
  }
};

/// The wrench, in the frame of a node, of a force at a place; both in the world.
template <class S>
Wrench<S> wrench_on(const Pose<S>& X_W, const Vec3<S>& place, const Vec3<S>& force) {
  const Vec3<S> in_node = transpose_times(X_W.R, force);
  return {cross(transpose_times(X_W.R, place - X_W.p), in_node), in_node};
}

/// A force that a node bears for others, and the source that does its work; or that it would bear.
template <class S>
void bear(const TreeView<S>& view, const TreeSink<S>& sink, int node, const Vec3<S>& place,
          const Vec3<S>& force, int source, bool acts = true) {
  const Wrench<S> F = wrench_on(view.X_W[node], place, force);
  if (acts) sink.applied[node] += F;
  sink.book(source, dot(view.V[node], F));
}

/// What elements are compiled from.
struct TreeContext {
  const Model& model;
  const Tree& tree;
  const FlowBook& book;
  const ExternalInput* external;  ///< may be null
  const HeldEfforts* held;        ///< likewise
  LawFault* fault;                ///< likewise

  int node(int body) const { return body == kWorld ? 0 : tree.body_node[body]; }
  Pose<double> X_NB(int body) const { return body == kWorld ? Pose<double>{} : tree.X_NB[body]; }
  Vec3<double> in_node(const Point& point) const { return act(X_NB(point.body), point.p_B); }
};

}  // namespace torsor
