#include "torsor/model/topology.h"

#include <string>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/model/body.h"

namespace torsor {
namespace {

constexpr int kNone = -1;

/// Children of each body, the last in the file of the joints first; the ground is the last body.
class Children {
 public:
  Children(const std::vector<Joint>& joints, const std::vector<int>& carrier)
      : first_(carrier.size() + 1, kNone), next_(carrier.size(), kNone) {
    for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
      const int child = joints[j].child;
      if (carrier[child] != j) continue;
      int& first = first_[joints[j].parent == kWorld ? carrier.size() : joints[j].parent];
      next_[child] = first;
      first = child;
    }
  }
  template <class Use>
  void for_each(int body, Use&& use) const {
    for (int child = first_[body]; child != kNone; child = next_[child]) use(child);
  }

 private:
  std::vector<int> first_, next_;  ///< child of a body; child of the same body
};

/// Marks `body` and all that it carries, depth first, so that the bodies of a chain lie side by side.
void append_carried(int body, const Children& children, std::vector<bool>& carried, std::vector<int>& order) {
  std::vector<int> open;
  open.reserve(carried.size());
  open.push_back(body);
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (carried[next]) continue;
    carried[next] = true;
    order.push_back(next);
    children.for_each(next, [&](int child) { open.push_back(child); });
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
/// body that is carried already. Returns all bodies in order, the ground first.
std::vector<int> break_cycles(const std::vector<Joint>& joints, std::vector<int>& carrier) {
  const int body_count = static_cast<int>(carrier.size());
  const Children children(joints, carrier);
  std::vector<bool> carried(body_count + 1, false);  // the ground last
  std::vector<int> order;
  order.reserve(carried.size());
  append_carried(body_count, children, carried, order);
  if (order.size() == carried.size()) return order;
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
  carried.assign(body_count + 1, false);
  order.clear();
  append_carried(body_count, Children(joints, carrier), carried, order);
  return order;
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
  topology.order = break_cycles(joints, carrier);
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
