#include "torsor/tree/tree.h"

#include <algorithm>
#include <array>
#include <span>

#include "torsor/model/model.h"
#include "torsor/tree/node_motion.hpp"

namespace torsor {
namespace {

/// The frame whose z axis is x, y or z of the joint frame: nodes turn and slide about z only.
const Pose<double> kZAlong[] = {{{0, 0, 1, 1, 0, 0, 0, 1, 0}, {}}, {{0, 1, 0, 0, 0, 1, 1, 0, 0}, {}}, {}};

/// The nodes of one joint, whose first coordinate and rate are q and v; returns the frame K (z along the
/// axis) in the last of them.
Pose<double> add_joint(Tree& tree, const JointParts& parts, double pitch, int parent, Pose<double> X_PJ,
                       int q, int v) {
  for (const JointPart& part : parts) {
    TreeNode node;
    node.parent = parent;
    node.joint = part.primitive;
    node.q = q + part.coordinate;
    node.v = v + part.rate;
    node.X_PJ = X_PJ * kZAlong[part.axis];
    node.pitch = pitch;
    if (components(part.primitive).angles > 0) tree.angle_nodes.push_back(tree.size());
    parent = tree.size();
    X_PJ = inverse(kZAlong[part.axis]);
    tree.nodes.push_back(node);
  }
  return X_PJ;
}

/// Of one node, whose kinetic energy is that of a diagonal inertia A on its body-fixed rates. With unit twists e,
///   Gamma_ijk = 1/2 (A_k e_k . [e_i, e_j] + A_j e_j . [e_i, e_k] + A_i e_i . [e_k, e_j])
/// as in christoffel.cc.
void add_armature_symbols(const TreeNode& node, Tree& tree) {
  const int count = rate_count(node.joint);
  if (count < 2) return;
  const double* a = tree.armature.data() + node.v;
  with_motion(node.joint, [&](auto motion) {
    const auto unit = [&](int k) {
      std::array<double, 6> rates{};
      rates[k] = 1;
      return motion.twist(node, rates.data());
    };
    const auto paired = [&](int along, int x, int y) {
      const Twist<double> turned = bracket(unit(x), unit(y)), e = unit(along);
      return a[along] * (dot(turned.angular, e.angular) + dot(turned.linear, e.linear));
    };
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) {
        for (int k = 0; k < count; ++k) {
          const double value = 0.5 * (paired(k, i, j) + paired(j, i, k) + paired(i, k, j));
          if (value != 0) tree.armature_symbols.push_back({node.v + i, node.v + j, node.v + k, value});
        }
      }
    }
  });
}

void set_armature(const Model& model, std::span<const int> v, Tree& tree) {
  const auto& joints = model.joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].has_armature() || tree.joint_node[j] < 0) continue;
    tree.armature.resize(tree.rate_count);
    std::copy(joints[j].armature.begin(), joints[j].armature.end(), tree.armature.begin() + v[j]);
  }
  if (tree.armature.empty()) return;
  for (const TreeNode& node : tree.nodes) add_armature_symbols(node, tree);
}

/// Opened at its loop joints; `with_copies` or without what they carry.
OpenTree open_tree(const Model& model, bool with_copies) {
  const auto& bodies = model.bodies();
  const auto& joints = model.joints();
  const Topology& topology = model.topology();

  OpenTree open;
  Tree& tree = open.tree;
  tree.gravity = model.gravity();
  tree.nodes.emplace_back();
  tree.body_node.resize(bodies.size());
  tree.X_NB.resize(bodies.size());
  tree.joint_node.assign(joints.size(), -1);
  tree.joint_first_node.assign(joints.size(), -1);

  std::vector<bool> carries(joints.size(), true);
  if (!with_copies) {
    for (const int j : topology.loop_joints) carries[j] = false;
  }
  std::vector<int> q(joints.size()), v(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!carries[j]) continue;
    q[j] = tree.coordinate_count;
    v[j] = tree.rate_count;
    tree.coordinate_count += coordinate_count(joints[j].type, model.dimension());
    tree.rate_count += rate_count(joints[j].type, model.dimension());
  }

  // Returns the frame of the child in the last node.
  const auto add = [&](int j) {
    const Joint& joint = joints[j];
    const bool on_ground = joint.parent == kWorld;
    const int parent = on_ground ? 0 : tree.body_node[joint.parent];
    const Pose<double> X_NP = on_ground ? Pose<double>{} : tree.X_NB[joint.parent];
    const Pose<double> z_to_axis{matrix(axis_frame(joint.axis)), {}};
    tree.joint_first_node[j] = tree.size();
    const Pose<double> X_NK = add_joint(tree, joint_parts(joint.type, model.dimension()), joint.pitch, parent,
                                        X_NP * pose(joint.in_parent) * z_to_axis, q[j], v[j]);
    tree.joint_node[j] = tree.size() - 1;
    return X_NK * inverse(pose(joint.in_child) * z_to_axis);
  };
  for (const int b : topology.order) {
    const int j = topology.carrier[b];
    tree.X_NB[b] = add(j);
    tree.body_node[b] = tree.joint_node[j];
    tree.nodes[tree.body_node[b]].inertia = to_parent(tree.X_NB[b], body_inertia(bodies[b]));
  }
  for (const int j : topology.loop_joints) {
    if (!carries[j]) continue;
    const Pose<double> copy_X_NB = add(j), at_K{Mat3<double>::identity(), joints[j].in_child.position};
    const int child = joints[j].child;
    open.loops.push_back(
        {j, tree.body_node[child], tree.joint_node[j], tree.X_NB[child] * at_K, copy_X_NB * at_K});
  }
  set_armature(model, v, tree);
  return open;
}

}  // namespace

Tree make_tree(const Model& model) { return open_tree(model, false).tree; }

OpenTree make_open_tree(const Model& model) { return open_tree(model, true); }

}  // namespace torsor
