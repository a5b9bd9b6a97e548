#pragma once
// The spanning tree of a model, compiled for recursive algorithms.

#include <vector>

#include "torsor/lie/inertia.h"
#include "torsor/lie/se3.h"
#include "torsor/lie/twist.h"

namespace torsor {

class Model;

/// The motions of which all joint types are composed, in the frame N of the node itself, which is placed so
/// that a single axis is always z through its origin:
///   revolute: turn about z; prismatic: slide along z; helical: turn and advance by pitch; spherical: turn
///   (SO(3)); planar: turn about z and slide in x, y (SE(2)); free: SE(3). Rates are the body-fixed twist's
///   free components.
/// A cylindrical joint is revolute + prismatic, a universal joint revolute + revolute, a planar joint of the
/// model prismatic + prismatic + revolute; the nodes in between weigh nothing.
enum class NodeJoint { fixed, revolute, prismatic, helical, spherical, planar, free };

struct TreeNode {
  int parent = 0;  ///< node index; smaller than the node's own
  NodeJoint joint = NodeJoint::fixed;
  int q = 0, v = 0;         ///< first coordinate and first rate
  Pose<double> X_PJ;        ///< joint frame at q = 0 in the parent node's frame
  Inertia<double> inertia;  ///< in the node's frame
  double pitch = 0;         ///< helical [m/rad]
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
  int coordinate_count = 0, rate_count = 0;

  int size() const { return static_cast<int>(nodes.size()); }                       ///< the ground included
  std::size_t matrix_size() const { return std::size_t(rate_count) * rate_count; }  ///< entries by two rates
};

/// Loop joints are left out of the tree; whether that is allowed is the caller's question.
Tree make_tree(const Model& model);

int coordinate_count(NodeJoint);
int rate_count(NodeJoint);

}  // namespace torsor
