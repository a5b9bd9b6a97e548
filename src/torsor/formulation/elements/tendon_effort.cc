#include "torsor/formulation/elements/tendon_effort.h"

#include "torsor/formulation/elements/effort.h"

namespace torsor {

template <int D>
void compile(const ElementContext<D>& context, std::vector<TendonEffort<D>>& all) {
  const std::vector<int> servo_of = servo_efforts_by_actuator(context.model);
  int index = -1;
  for (const Actuator& actuator : context.model.actuators()) {
    ++index;
    if (!actuator.tendon) continue;
    all.push_back({length_of(context, context.model.tendons()[*actuator.tendon], 0.0, true), actuator.effort,
                   index, context.book.source(&actuator), servo_of[index]});
  }
}

void compile(const TreeContext& context, std::vector<TreeTendonEffort>& all) {
  for (const Actuator& actuator : context.model.actuators()) {
    if (!actuator.tendon) continue;
    all.push_back({path_on_tree(context, context.model.tendons()[*actuator.tendon]), actuator.effort,
                   context.book.source(&actuator)});
  }
}

template void compile(const ElementContext<2>&, std::vector<TendonEffort<2>>&);
template void compile(const ElementContext<3>&, std::vector<TendonEffort<3>>&);

}  // namespace torsor
