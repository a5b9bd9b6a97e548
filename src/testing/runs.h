#pragma once
// Runs for tests: a model by one integrator, and how far two states lie apart.

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/numerics/order_fit.h"
#include "torsor/simulation/record.h"
#include "torsor/study/state_error.h"

namespace torsor::testing {

/// The run of a model; observations every `record_every` steps.
inline Record run(const Model& model, const StepperChoice& choice, double step, double duration,
                  int record_every = 1000000) {
  const auto stepper = make_stepper(model, choice);
  return simulate(*stepper, {.step = step, .duration = duration, .record_every = record_every});
}

/// In the formulation that the integrator is for, `joint` if there is a choice. tolerance 0: standard.
inline Record run(const ModelDescription& description, const std::string& integrator, double step,
                  double duration, double tolerance = 0, int record_every = 1000000) {
  StepperChoice choice;
  choice.formulation = integrators().at(integrator, "integrator").make_for_tree ? "joint" : "rotationless";
  choice.integrator = integrator;
  choice.tolerance = tolerance;
  return run(Model(description), choice, step, duration, record_every);
}

/// Largest difference of positions [m], directions [rad], velocities [m/s, rad/s] of any body.
inline double distance(const Observation& a, const Observation& b) {
  const StateError error = state_error(a.bodies, b.bodies);
  return larger(error.position, error.velocity);
}

/// Slope of log y over log x by least squares.
inline double fitted_order(std::vector<double> x, std::vector<double> y) {
  for (double& value : x) value = std::log(value);
  for (double& value : y) value = std::log(value);
  return fit_line(x, y).slope;
}

}  // namespace torsor::testing
