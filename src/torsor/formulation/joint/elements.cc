#include "torsor/formulation/joint/elements.h"

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {
namespace {

constexpr char kSupported[] =
    "only what formulation 'joint' simulates (trees of bodies and joints, tendons, joint springs, loads, "
    "actuators, controllers)";

template <class Named>
void refuse_any(const std::vector<Named>& elements, const std::string& section, const std::string& noun) {
  if (elements.empty()) return;
  std::vector<std::string> names;
  for (const Named& element : elements) names.push_back(element.name);
  throw ModelError(section + "." + names.front(), kSupported,
                   elements.size() == 1 ? "a " + noun : noun + "s " + listed(names));
}

}  // namespace

JointElements make_joint_elements(const Model& model, const Tree& tree, SystemInput input) {
  JointElements all;
  FlowBook book = make_flow_book(model, input.external.get());
  const TreeContext context{model, tree, book, input.external.get(), input.held.get(), input.fault.get()};
  all.input = std::move(input);
  std::apply([&](auto&... list) { (compile(context, list), ...); }, all.lists);
  for_each_element(all.lists, [&](const auto& element) {
    (element.kNeedsPoses ? all.need_poses : all.act_on_rates) = true;
  });
  all.state_count = book.state_count;
  all.sources = std::move(book.sources);
  all.dampers = std::move(book.dampers);
  all.sampled = std::move(book.sampled);
  all.breakpoints = std::move(book.breakpoints);
  return all;
}

void refuse_unsupported(const Model& model) {
  const std::vector<int>& loops = model.topology().loop_joints;
  if (!loops.empty()) {
    std::vector<std::string> names;
    for (int joint : loops) names.push_back(model.joints()[joint].name);
    throw ModelError(
        "joints." + names.front(), kSupported,
        names.size() == 1 ? "a joint that closes a loop" : "joints that close loops: " + listed(names));
  }
  refuse_any(model.servos(), "servos", "servo");
}

}  // namespace torsor
