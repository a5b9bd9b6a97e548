#pragma once
// What acts on a tree, compiled for its nodes and rates.

#include "torsor/formulation/elements/all.h"

namespace torsor {

struct JointElements {
  TreeElementLists lists;
  std::vector<std::string> sources, dampers, sampled;  ///< flows as in FlowBook
  std::vector<double> breakpoints;                     ///< of all programs, increasing
  SystemInput input;                                   ///< that elements point into
  int state_count = 0;
  bool act_on_rates = false, need_poses = false;

  const std::vector<TreeEffort>& actuators() const { return std::get<std::vector<TreeEffort>>(lists); }
  const std::vector<TreeSpring>& springs() const { return std::get<std::vector<TreeSpring>>(lists); }
  const std::vector<TreeStop>& stops() const { return std::get<std::vector<TreeStop>>(lists); }
  const std::vector<TreeLengthStop>& length_stops() const {
    return std::get<std::vector<TreeLengthStop>>(lists);
  }
  const std::vector<TreeMuscle>& muscles() const { return std::get<std::vector<TreeMuscle>>(lists); }
  const std::vector<TreeTendon>& tendons() const { return std::get<std::vector<TreeTendon>>(lists); }

  int work_count() const { return static_cast<int>(sources.size() + sampled.size()); }
  int flow_count() const {
    return work_count() + static_cast<int>(dampers.size() + sampled.size()) + state_count;
  }
  /// Those that need poses, or those that do not.
  template <bool kWithPoses, class S>
  void apply(const TreeView<S>& view, const TreeSink<S>& sink) const {
    for_each_element(lists, [&]<class Element>(const Element& element) {
      if constexpr (Element::kNeedsPoses == kWithPoses) element.apply(view, sink);
    });
  }
  template <class S>
  S potential(const TreeView<S>& view) const {
    S total = potential_beside_tendons(view);
    for (const TreeTendon& tendon : tendons()) total += tendon.potential(view);
    return total;
  }
  /// For who has the states of the tendons, which tell theirs.
  template <class S>
  S potential_beside_tendons(const TreeView<S>& view) const {
    S total(0.0);
    for_each_element(lists, [&]<class Element>(const Element& element) {
      if constexpr (!std::same_as<Element, TreeTendon> && requires { element.potential(view); }) {
        total += element.potential(view);
      }
    });
    return total;
  }
};

JointElements make_joint_elements(const Model& model, const Tree& tree, SystemInput input = {});

/// Throws ModelError that names what the formulation `joint` cannot simulate: loop joints, servos.
void refuse_unsupported(const Model& model);

}  // namespace torsor
