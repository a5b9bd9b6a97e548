#include "torsor/model/topology.h"

#include <string>
#include <utility>

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

/// Marks `body` and all that it carries, depth first, so that the bodies of a chain lie side by side.
void append_carried(int body, const std::vector<std::vector<int>>& children, std::vector<bool>& carried,
                    std::vector<int>& order) {
  std::vector<int> open{body};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (carried[next]) continue;
    carried[next] = true;
    order.push_back(next);
    open.insert(open.end(), children[next].rbegin(), children[next].rend());
  }
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

/// Bodies whose carriers run in a circle hang on the first joint in the file that leads to one of them from a
/// body that is carried already.
void break_cycles(const std::vector<Joint>& joints, std::vector<int>& carrier) {
  const int body_count = static_cast<int>(carrier.size());
  const auto children = children_of(joints, carrier);
  std::vector<bool> carried(body_count + 1, false);  // the ground last
  std::vector<int> order;
  append_carried(body_count, children, carried, order);
  for (bool more = true; more;) {
    more = false;
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
      const auto [parent, child] = std::pair(joints[j].parent, joints[j].child);
      if (carried[child] || !carried[parent == kWorld ? body_count : parent]) continue;
      carrier[child] = j;
      append_carried(child, children, carried, order);
      more = true;
    }
  }
  for (int body = 0; body < body_count; ++body) {
    if (!carried[body]) fail_on_cycle(joints, carrier, body);
  }
}

}  // namespace

Topology make_topology(const std::vector<Joint>& joints, int body_count, int dimension) {
  Topology topology;
  std::vector<int>& carrier = topology.carrier;
  carrier.assign(body_count, kNone);
  const int joint_count = static_cast<int>(joints.size());
  for (int j = 0; j < joint_count; ++j) {
    const Joint& joint = joints[j];
    if (joint.parent == joint.child) {
      throw ModelError("joints." + joint.name + ".child", "a body other than the parent", "the same body");
    }
    if (carrier[joint.child] == kNone) carrier[joint.child] = j;
  }
  break_cycles(joints, carrier);

  std::vector<bool> carried(body_count + 1, false);
  append_carried(body_count, children_of(joints, carrier), carried, topology.order);
  topology.order.erase(topology.order.begin());  // the ground
  const int all = dimension == 2 ? 3 : 6;
  for (int j = 0; j < joint_count; ++j) {
    const int dof = rate_count(joints[j].type, dimension);
    if (carrier[joints[j].child] == j) {
      topology.tree_dof += dof;
    } else {
      topology.loop_joints.push_back(j);
      topology.loop_constraints += all - dof;
    }
  }
  return topology;
}

}  // namespace torsor
