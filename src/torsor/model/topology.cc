#include "torsor/model/topology.h"

#include <string>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/model/body.h"

namespace torsor {
namespace {

constexpr int kNone = -1;

/// Children of each body in file order of the joints; the ground's at the end.
std::vector<std::vector<int>> children_of(const std::vector<Joint>& joints, const std::vector<int>& carrier) {
  const int body_count = static_cast<int>(carrier.size());
  std::vector<std::vector<int>> children(body_count + 1);
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const int child = joints[j].child;
    if (carrier[child] != j) continue;
    children[joints[j].parent == kWorld ? body_count : joints[j].parent].push_back(child);
  }
  return children;
}

/// Names the joints of the cycle in which the ancestors of `body` end, from the first of them in the file.
[[noreturn]] void fail_on_cycle(const std::vector<Joint>& joints, const std::vector<int>& carrier, int body) {
  const auto parent = [&](int b) { return joints[carrier[b]].parent; };
  for (std::size_t i = 0; i < carrier.size(); ++i) body = parent(body);
  int first = body;
  for (int b = parent(body); b != body; b = parent(b)) {
    if (carrier[b] < carrier[first]) first = b;
  }
  std::vector<std::string> cycle{joints[carrier[first]].name};
  for (int b = parent(first); b != first; b = parent(b)) cycle.push_back(joints[carrier[b]].name);
  throw ModelError("joints." + cycle[0] + ".parent", "a chain of parents that ends at the world",
                   "a cycle of the joints " + listed(cycle));
}

}  // namespace

Topology make_topology(const std::vector<Joint>& joints, int body_count, int dimension) {
  Topology topology;
  topology.carrier.assign(body_count, kNone);
  const int all = dimension == 2 ? 3 : 6;
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const Joint& joint = joints[j];
    if (joint.parent == joint.child) {
      throw ModelError("joints." + joint.name + ".child", "a body other than the parent", "the same body");
    }
    const int dof = rate_count(joint.type, dimension);
    if (topology.carrier[joint.child] == kNone) {
      topology.carrier[joint.child] = j;
      topology.tree_dof += dof;
    } else {
      topology.loop_joints.push_back(j);
      topology.loop_constraints += all - dof;
    }
  }

  // Depth first, so that the bodies of a chain lie next to one another.
  const auto children = children_of(joints, topology.carrier);
  std::vector<int> open(children[body_count].rbegin(), children[body_count].rend());
  std::vector<bool> reached(body_count, false);
  while (!open.empty()) {
    const int body = open.back();
    open.pop_back();
    reached[body] = true;
    topology.order.push_back(body);
    open.insert(open.end(), children[body].rbegin(), children[body].rend());
  }
  for (int body = 0; body < body_count; ++body) {
    if (!reached[body]) fail_on_cycle(joints, topology.carrier, body);
  }
  return topology;
}

}  // namespace torsor
