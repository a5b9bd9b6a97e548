#include "torsor/assembly/rotationless_start.h"

#include <utility>

#include "torsor/assembly/assembly.h"
#include "torsor/assembly/mobility.h"
#include "torsor/formulation/cartesian/cartesian.h"
#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {

namespace {

ConstrainedStart started(const Model& model, const Assembly& assembly,
                         std::unique_ptr<ConstrainedMechanism> system) {
  ConstrainedStart start{std::move(system), {}, summary(assembly)};
  start.initial.time = model.initial().time;
  start.initial.x.resize(start.system->coordinate_count());
  start.initial.v.resize(start.system->coordinate_count());
  start.initial.angles.resize(start.system->angle_count());
  start.system->start(model, assembly.q, assembly.qd, start.initial.x, start.initial.v, start.initial.angles);
  return start;
}

}  // namespace

ConstrainedStart make_rotationless_start(const Model& model) {
  const Assembly assembly = assemble(model);
  const int redundant = model.topology().is_tree() ? 0 : mobility(model, assembly.q).redundant_constraints;
  return started(model, assembly, make_rotationless(model, model.topology().loop_constraints - redundant));
}

ConstrainedStart make_cartesian_start(const Model& model) {
  auto system = std::make_unique<Cartesian>(model);
  return started(model, assemble(model), std::move(system));
}

}  // namespace torsor
