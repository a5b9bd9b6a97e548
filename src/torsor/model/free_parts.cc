#include "torsor/model/free_parts.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace torsor {
namespace {

/// Bodies, and behind them the ground, in classes of what hangs together.
class Parts {
 public:
  explicit Parts(std::size_t bodies) : parent_(bodies + 1) { std::iota(parent_.begin(), parent_.end(), 0); }

  int part_of(int body) const {
    int at = body == kWorld ? static_cast<int>(parent_.size()) - 1 : body;
    while (parent_[at] != at) at = parent_[at];
    return at;
  }
  void connect(int a, int b) {
    const int of_a = part_of(a), of_b = part_of(b);
    parent_[std::min(of_a, of_b)] = std::max(of_a, of_b);  // that of the ground leads
  }

 private:
  std::vector<int> parent_;
};

/// Of what asks for a place on the ground, beside joints and tendons.
bool is_placed(const Model& model) {
  bool placed = !model.servos().empty();
  for_each_kind(model.elements(), [&](const char*, const auto& list) {
    using Element = typename std::decay_t<decltype(list)>::value_type;
    if constexpr (!std::is_same_v<Element, Load> && !std::is_same_v<Element, Drag> &&
                  requires(const Element& element) { element.acts_from_ground(model.joints()); }) {
      for (const auto& element : list) placed = placed || element.acts_from_ground(model.joints());
    }
  });
  return placed;
}

}  // namespace

std::vector<std::vector<int>> free_parts(const Model& model) {
  if (is_placed(model)) return {};
  Parts parts(model.bodies().size());
  for (const Joint& joint : model.joints()) {
    if (joint.type != JointType::free || joint.parent != kWorld) parts.connect(joint.parent, joint.child);
  }
  for (const Tendon& tendon : model.tendons()) {
    for (const Point& point : tendon.path) parts.connect(point.body, tendon.path.front().body);
    for (const Wrap& wrap : tendon.wraps) parts.connect(wrap.at.body, tendon.path.front().body);
  }
  for (const Bushing& bushing : model.elements().bushings) parts.connect(bushing.parent, bushing.child);

  std::vector<std::vector<int>> found;
  std::vector<int> place(model.bodies().size() + 1, -1);
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body) {
    const int part = parts.part_of(body);
    if (part == parts.part_of(kWorld)) continue;
    if (place[part] < 0) {
      place[part] = static_cast<int>(found.size());
      found.emplace_back();
    }
    found[place[part]].push_back(body);
  }
  return found;
}

}  // namespace torsor
