#include "torsor/formulation/elements/effort.h"

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {

template <int D, class S>
PairRow<D, S> EffortPlace<D, S>::direction(const Configuration<D, S>& left) const {
  if (kind == Kind::coordinate) return discrete_gradient(coordinate, pair, left);
  PairRow<D, S> row;
  const VecD<D, S> n = lever(axis(), left);
  if (kind == Kind::force) {
    add_force<D>(at.t, lever(at, left), n, row.child.data());
  } else if constexpr (D == 3) {
    for (int k = 0; k < 3; ++k) {
      row.child[3 + k] = n[k];
      row.parent[3 + k] = -n[k];
    }
  }
  return row;
}

template <int D>
EffortPlace<D> make_effort_place(const ElementContext<D>& context, int joint, int rate,
                                 const std::string& key) {
  const Joint& on = context.model.joints()[joint];
  const auto& coordinates = context.mechanism.joints.coordinates[joint];
  EffortPlace<D> place{};
  if (!coordinates.empty() && (!has_twist_rates(on.type) || rate == 0)) {
    place.coordinate = coordinates[rate];
    return place;
  }
  const bool turns = rate < kSpins<D>;
  place.kind = turns ? EffortPlace<D>::Kind::spin : EffortPlace<D>::Kind::force;
  place.spin = context.child_spin(on);
  place.spin.axes[0] = place.spin.axes[turns ? rate : rate - kSpins<D>];
  place.at = context.mechanism.frames.point(on.child, on.in_child.position);
  if (!turns && on.parent != kWorld) {
    throw ModelError(key, "for the formulation 'rotationless' a force along a free joint to the ground",
                     "a free joint between two bodies, " + in_quotes(on.name));
  }
  return place;
}

std::vector<int> servo_efforts_by_actuator(const Model& model) {
  std::vector<int> by_actuator(model.actuators().size(), -1);
  int count = 0;
  for (const Servo& servo : model.servos()) {
    for (const int actuator : servo.actuators) by_actuator[actuator] = count++;
  }
  return by_actuator;
}

template <int D>
void compile(const ElementContext<D>& context, std::vector<Effort<D>>& all) {
  const std::vector<int> servo_of = servo_efforts_by_actuator(context.model);
  int index = -1;
  for (const Actuator& actuator : context.model.actuators()) {
    ++index;
    if (actuator.tendon) continue;
    all.push_back({make_effort_place(context, actuator.joint, actuator.coordinate,
                                     "actuators." + actuator.name + ".joint"),
                   actuator.effort, actuator.joint, index, context.book.source(&actuator), servo_of[index]});
  }
}

void compile(const TreeContext& context, std::vector<TreeEffort>& all) {
  for (const Actuator& actuator : context.model.actuators()) {
    if (actuator.tendon) continue;
    all.push_back({context.model.rate_offset(actuator.joint) + actuator.coordinate, actuator.effort,
                   context.book.source(&actuator)});
  }
}

template struct EffortPlace<2>;
template struct EffortPlace<3>;
template EffortPlace<2> make_effort_place(const ElementContext<2>&, int, int, const std::string&);
template EffortPlace<3> make_effort_place(const ElementContext<3>&, int, int, const std::string&);
template void compile(const ElementContext<2>&, std::vector<Effort<2>>&);
template void compile(const ElementContext<3>&, std::vector<Effort<3>>&);

}  // namespace torsor
