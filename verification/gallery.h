#pragma once
// Models of the gallery, and runs of them that must not fail.

#include <gtest/gtest.h>

#include "torsor/format/model_reader.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

inline ModelDescription gallery(const std::string& name) {
  return parse_description(read_source(std::string(TORSOR_MODELS) + "/" + name + ".yaml"));
}

/// `tolerance` is that of dopri5.
inline Record run_as(const ModelDescription& description, const std::string& formulation,
                     const std::string& integrator, double step, double duration, int record_every = 1,
                     double tolerance = 1e-12) {
  StepperChoice choice;
  choice.formulation = formulation;
  choice.integrator = integrator;
  if (integrator == "dopri5") choice.tolerance = tolerance;
  const auto stepper = make_stepper(Model(description), choice);
  Record record = simulate(*stepper, {.step = step, .duration = duration, .record_every = record_every});
  EXPECT_FALSE(record.failure);
  return record;
}

}  // namespace torsor
