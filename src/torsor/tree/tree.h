#pragma once
// The spanning tree of a model, compiled for recursive algorithms.

#include <tuple>
#include <vector>

#include "torsor/lie/inertia.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/twist.h"
#include "torsor/model/joint_types.h"

namespace torsor {

class Model;

/// One primitive motion, in the frame N of the node itself, which is placed so that a single axis is always z
/// through its origin. A joint with several parts has a node for each; those in between weigh nothing.
template <class T>
struct TreeNodeOf {
  int parent = 0;  ///< node index; smaller than the node's own
  Primitive joint = Primitive::fixed;
  int q = 0, v = 0;    ///< first coordinate and first rate
  Pose<T> X_PJ;        ///< joint frame at q = 0 in the parent node's frame
  Inertia<T> inertia;  ///< in the node's frame
  T pitch{};           ///< helical [m/rad]

  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.parent, s.joint, s.q, s.v, s.X_PJ.R, s.X_PJ.p, s.inertia.mass, s.inertia.first_moment,
                    s.inertia.about_origin, s.pitch);
  }
};
using TreeNode = TreeNodeOf<double>;

/// In the efforts of rate i stands value * qd_j qd_k.
template <class T>
struct RateSymbolOf {
  int i, j, k;
  T value;

  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.i, s.j, s.k, s.value);
  }
};
using RateSymbol = RateSymbolOf<double>;

/// What the recursions see. nodes[0] is the ground. Parents come before children. Vectors q and qd are in the
/// model file's order of joints. T: plain numbers, or packs of them for several trees of one build, a lane each.
template <class T>
struct TreeOf {
  std::vector<TreeNodeOf<T>> nodes;
  std::vector<int> angle_nodes;  ///< nodes whose first coordinate is an angle
  Vec3<T> gravity;               ///< [m/s^2]
  /// By rate, inertia of the joints' rotors: a kinetic energy a/2 qd^2 beside that of the bodies; empty: none.
  std::vector<T> armature;
  std::vector<RateSymbolOf<T>>
      armature_symbols;  ///< its Christoffel symbols, where rates of a node do not commute
  int coordinate_count = 0, rate_count = 0;

  int size() const { return static_cast<int>(nodes.size()); }                       ///< the ground included
  std::size_t matrix_size() const { return std::size_t(rate_count) * rate_count; }  ///< entries by two rates
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.nodes, s.angle_nodes, s.gravity, s.armature, s.armature_symbols, s.coordinate_count,
                    s.rate_count);
  }
};

/// With its places in the model.
struct Tree : TreeOf<double> {
  std::vector<int> body_node;         ///< node that carries each body of the model
  std::vector<Pose<double>> X_NB;     ///< body frame in that node's frame
  std::vector<int> joint_node;        ///< last node of each tree joint of the model, -1 for loop joints
  std::vector<int> joint_first_node;  ///< first node of each tree joint
};

/// Loop joints are left out of the tree; whether that is allowed is the caller's question.
Tree make_tree(const Model& model);

/// A loop joint in an open tree: it carries a massless copy of its child.
struct OpenLoop {
  int joint = 0;
  int child = 0, copy = 0;  ///< nodes
  Pose<double> child_X_NK,
      copy_X_NK;  ///< in those nodes: the origin of the joint's frame K, axes of the child
};

/// Every joint of the model is one of the tree, so that q and qd are those of all joints. The mechanism is that
/// of the model where each copy coincides with its child.
struct OpenTree {
  Tree tree;
  std::vector<OpenLoop> loops;
};
OpenTree make_open_tree(const Model& model);

constexpr int rate_count(Primitive joint) { return components(joint).rates(); }

}  // namespace torsor
