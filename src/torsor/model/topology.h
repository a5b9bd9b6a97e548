#pragma once
// How joints connect bodies: the spanning tree, chosen in file order, and the joints that close loops.

#include <vector>

#include "torsor/model/joint.h"

namespace torsor {

struct Topology {
  std::vector<int> carrier;      ///< for each body the joint (index) that carries it in the tree
  std::vector<int> order;        ///< bodies, every parent before its children
  std::vector<int> loop_joints;  ///< joints that are not in the tree, in file order
  int tree_dof = 0;              ///< degrees of freedom of the tree
  int loop_constraints = 0;      ///< constraints of the loop joints; redundant ones counted
  bool is_tree() const { return loop_joints.empty(); }
};

/// Every body must be the child of a joint (Model adds free joints first). The first joint in file order
/// whose child is a body carries it, unless its parent hangs on that body: then the first one that leads to
/// the circle from a body that is carried. The others close loops. Throws ModelError on a joint that joins a
/// body to itself and on bodies to which no joints lead from the ground, in whatever order.
Topology make_topology(const std::vector<Joint>& joints, int body_count, int dimension);

}  // namespace torsor
