#include "torsor/tree/tree.h"

#include "torsor/model/model.h"

namespace torsor {
namespace {

/// Frames whose z axis is x or y of the joint frame: nodes turn and slide about z only.
const Pose<double> kZAlongX{{0, 0, 1, 1, 0, 0, 0, 1, 0}, {}};
const Pose<double> kZAlongY{{0, 1, 0, 0, 0, 1, 1, 0, 0}, {}};

struct TreeBuilder {
  Tree tree;

  /// Appends a node on `parent`; the caller says where its coordinate and rate lie.
  int add(int parent, NodeJoint joint, const Pose<double>& X_PJ, int q, int v) {
    TreeNode node;
    node.parent = parent;
    node.joint = joint;
    node.q = q;
    node.v = v;
    node.X_PJ = X_PJ;
    if (joint == NodeJoint::revolute || joint == NodeJoint::helical || joint == NodeJoint::planar) {
      tree.angle_nodes.push_back(tree.size());
    }
    tree.nodes.push_back(node);
    return tree.size() - 1;
  }

  /// The nodes of one joint; returns the last node and the frame K (z along the axis) in it.
  std::pair<int, Pose<double>> add_joint(const Joint& joint, int dimension, int parent,
                                         const Pose<double>& X_PJ, int q, int v) {
    const Pose<double> here;
    switch (joint.type) {
      case JointType::fixed:
        return {add(parent, NodeJoint::fixed, X_PJ, q, v), here};
      case JointType::revolute:
        return {add(parent, NodeJoint::revolute, X_PJ, q, v), here};
      case JointType::prismatic:
        return {add(parent, NodeJoint::prismatic, X_PJ, q, v), here};
      case JointType::helical: {
        const int node = add(parent, NodeJoint::helical, X_PJ, q, v);
        tree.nodes[node].pitch = joint.pitch;
        return {node, here};
      }
      case JointType::cylindrical: {
        const int turn = add(parent, NodeJoint::revolute, X_PJ, q, v);
        return {add(turn, NodeJoint::prismatic, here, q + 1, v + 1), here};
      }
      case JointType::universal: {
        const int first = add(parent, NodeJoint::revolute, X_PJ * kZAlongX, q, v);
        const int second = add(first, NodeJoint::revolute, inverse(kZAlongX) * kZAlongY, q + 1, v + 1);
        return {second, inverse(kZAlongY)};
      }
      case JointType::spherical:
        return {add(parent, NodeJoint::spherical, X_PJ, q, v), here};
      case JointType::planar: {
        const int x = add(parent, NodeJoint::prismatic, X_PJ * kZAlongX, q + 1, v + 1);
        const int y = add(x, NodeJoint::prismatic, inverse(kZAlongX) * kZAlongY, q + 2, v + 2);
        return {add(y, NodeJoint::revolute, inverse(kZAlongY), q, v), here};
      }
      case JointType::free:
        return {add(parent, dimension == 2 ? NodeJoint::planar : NodeJoint::free, X_PJ, q, v), here};
    }
    return {parent, here};
  }
};

}  // namespace

Tree make_tree(const Model& model) {
  const auto& bodies = model.bodies();
  const auto& joints = model.joints();
  const Topology& topology = model.topology();

  TreeBuilder builder;
  Tree& tree = builder.tree;
  tree.gravity = model.gravity();
  tree.nodes.emplace_back();
  tree.body_node.resize(bodies.size());
  tree.X_NB.resize(bodies.size());
  tree.joint_node.assign(joints.size(), -1);
  tree.joint_first_node.assign(joints.size(), -1);

  std::vector<bool> in_tree(joints.size(), true);
  for (const int j : topology.loop_joints) in_tree[j] = false;
  std::vector<int> q(joints.size()), v(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!in_tree[j]) continue;
    q[j] = tree.coordinate_count;
    v[j] = tree.rate_count;
    tree.coordinate_count += coordinate_count(joints[j].type, model.dimension());
    tree.rate_count += rate_count(joints[j].type, model.dimension());
  }

  for (const int b : topology.order) {
    const int j = topology.carrier[b];
    const Joint& joint = joints[j];
    const bool on_ground = joint.parent == kWorld;
    const int parent = on_ground ? 0 : tree.body_node[joint.parent];
    const Pose<double> X_NP = on_ground ? Pose<double>{} : tree.X_NB[joint.parent];
    const Pose<double> z_to_axis{matrix(axis_frame(joint.axis)), {}};

    tree.joint_first_node[j] = tree.size();
    const auto [node, X_NK] = builder.add_joint(joint, model.dimension(), parent,
                                                X_NP * pose(joint.in_parent) * z_to_axis, q[j], v[j]);
    tree.joint_node[j] = node;
    tree.body_node[b] = node;
    tree.X_NB[b] = X_NK * inverse(pose(joint.in_child) * z_to_axis);
    tree.nodes[node].inertia = to_parent(tree.X_NB[b], body_inertia(bodies[b]));
  }
  return std::move(tree);
}

int coordinate_count(NodeJoint joint) {
  switch (joint) {
    case NodeJoint::fixed:
      return 0;
    case NodeJoint::revolute:
    case NodeJoint::prismatic:
    case NodeJoint::helical:
      return 1;
    case NodeJoint::spherical:
      return 4;
    case NodeJoint::planar:
      return 3;
    case NodeJoint::free:
      return 7;
  }
  return 0;
}

int rate_count(NodeJoint joint) {
  switch (joint) {
    case NodeJoint::spherical:
      return 3;
    case NodeJoint::free:
      return 6;
    default:
      return coordinate_count(joint);
  }
}

}  // namespace torsor
