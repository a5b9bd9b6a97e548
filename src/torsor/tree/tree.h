#pragma once
// The spanning tree of a model, compiled for recursive algorithms.

#include <vector>

#include "torsor/lie/inertia.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/twist.h"
#include "torsor/model/joint_types.h"

namespace torsor {

class Model;

/// One primitive motion, in the frame N of the node itself, which is placed so that a single axis is always z
/// through its origin. A joint with several parts has a node for each; those in between weigh nothing.
struct TreeNode {
  int parent = 0;  ///< node index; smaller than the node's own
  Primitive joint = Primitive::fixed;
  int q = 0, v = 0;         ///< first coordinate and first rate
  Pose<double> X_PJ;        ///< joint frame at q = 0 in the parent node's frame
  Inertia<double> inertia;  ///< in the node's frame
  double pitch = 0;         ///< helical [m/rad]
};

/// In the efforts of rate i stands value * qd_j qd_k.
struct RateSymbol {
  int i, j, k;
  double value;
};

/// nodes[0] is the ground. Parents come before children. Vectors q and qd are in the model file's order of
/// joints.
struct Tree {
  std::vector<TreeNode> nodes;
  std::vector<int> body_node;         ///< node that carries each body of the model
  std::vector<Pose<double>> X_NB;     ///< body frame in that node's frame
  std::vector<int> joint_node;        ///< last node of each tree joint of the model, -1 for loop joints
  std::vector<int> joint_first_node;  ///< first node of each tree joint
  std::vector<int> angle_nodes;       ///< nodes whose first coordinate is an angle
  Vec3<double> gravity;               ///< [m/s^2]
  /// By rate, inertia of the joints' rotors: a kinetic energy a/2 qd^2 beside that of the bodies; empty: none.
  std::vector<double> armature;
  std::vector<RateSymbol>
      armature_symbols;  ///< its Christoffel symbols, where rates of a node do not commute
  int coordinate_count = 0, rate_count = 0;

  int size() const { return static_cast<int>(nodes.size()); }                       ///< the ground included
  std::size_t matrix_size() const { return std::size_t(rate_count) * rate_count; }  ///< entries by two rates
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
