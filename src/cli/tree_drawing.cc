#include "cli/tree_drawing.h"

#include <fmt/format.h>

#include <vector>

namespace torsor {
namespace {

constexpr std::size_t kMostLines = 60;

struct Branch {
  int body;
  std::string indent;
  bool last;
};

/// Bodies carried by `parent`, in file order of their joints.
std::vector<std::vector<int>> carried_bodies(const Model& model) {
  std::vector<std::vector<int>> children(model.bodies().size() + 1);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    if (model.topology().carrier[joint.child] == static_cast<int>(j)) {
      children[joint.parent + 1].push_back(joint.child);
    }
  }
  return children;
}

void push_children(std::vector<Branch>& open, const std::vector<int>& bodies, const std::string& indent) {
  for (std::size_t i = bodies.size(); i-- > 0;) open.push_back({bodies[i], indent, i + 1 == bodies.size()});
}

}  // namespace

std::string tree_drawing(const Model& model) {
  static_assert(kWorld == -1, "the world is entry 0 of carried_bodies");
  const auto children = carried_bodies(model);
  std::string text = "world\n";
  std::vector<Branch> open;
  push_children(open, children[0], "");
  std::size_t lines = 0;
  while (!open.empty()) {
    if (++lines > kMostLines) {
      return text + fmt::format("... and {} bodies more\n", model.bodies().size() - kMostLines);
    }
    const Branch branch = open.back();
    open.pop_back();
    const Joint& joint = model.joints()[model.topology().carrier[branch.body]];
    text +=
        fmt::format("{}{} {} [{}] {}\n", branch.indent, branch.last ? "`--" : "|--",
                    model.bodies()[branch.body].name, name_of(joint.type), joint.implicit ? "" : joint.name);
    push_children(open, children[branch.body + 1], branch.indent + (branch.last ? "    " : "|   "));
  }
  for (int j : model.topology().loop_joints) {
    const Joint& joint = model.joints()[j];
    const auto name = [&](int body) { return body == kWorld ? "world" : model.bodies()[body].name; };
    text += fmt::format("loop: {} [{}] {} -- {}\n", joint.name, name_of(joint.type), name(joint.parent),
                        name(joint.child));
  }
  return text;
}

}  // namespace torsor
