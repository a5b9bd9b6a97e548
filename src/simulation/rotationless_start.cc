#include "simulation/rotationless_start.h"

#include "formulation/rotationless.h"
#include "simulation/assembly.h"
#include "simulation/mobility.h"

namespace torsor {

ConstrainedStart make_rotationless_start(const Model& model) {
  const Assembly assembly = assemble(model);
  const int redundant = model.topology().is_tree() ? 0 : mobility(model, assembly.q).redundant_constraints;
  ConstrainedStart start{
      make_rotationless(model, model.topology().loop_constraints - redundant), {}, summary(assembly)};
  start.initial.x.resize(start.system->coordinate_count());
  start.initial.v.resize(start.system->coordinate_count());
  start.initial.angles.resize(start.system->angle_count());
  start.system->start(model, assembly.q, assembly.qd, start.initial.x, start.initial.v, start.initial.angles);
  return start;
}

}  // namespace torsor
