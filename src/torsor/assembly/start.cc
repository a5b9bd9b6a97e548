#include "torsor/assembly/start.h"

#include "torsor/assembly/loop_conditions.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/integrator/constrained_integrator.h"

namespace torsor {

Start make_start(const Model& model, Redundant redundant) {
  Start start;
  start.time = model.initial().time;
  start.assembly = assemble(model);
  start.mobility = mobility(model, start.assembly.q, redundant);
  if (model.servos().empty()) return start;
  try {
    const ConstrainedMechanism mechanism = make_rotationless(model, loop_rank(model, start));
    start.servos = check_servos(model, *mechanism.servos, constrained_state(model, start, mechanism));
  } catch (const ModelError& fault) {
    start.servo_fault = fault;
  }
  return start;
}

int loop_rank(const Model& model, const Start& start) {
  return condition_count(model) - start.mobility.redundant_constraints;
}

TreeState tree_state(const Start& start) { return {start.time, start.assembly.q, start.assembly.qd, {}}; }

ConstrainedState constrained_state(const Model& model, const Start& start,
                                   const ConstrainedMechanism& mechanism) {
  const int count = mechanism.system->coordinate_count();
  ConstrainedState state{start.time,
                         std::vector<double>(count),
                         std::vector<double>(count),
                         std::vector<double>(mechanism.system->angle_count()),
                         {},
                         {}};
  mechanism.observer->start(model, start.assembly.q, start.assembly.qd, state.x, state.v, state.angles);
  state.z.resize(mechanism.system->flow_count());
  mechanism.observer->start_states(start.time, state.x, state.angles, state.z);
  return state;
}

}  // namespace torsor
