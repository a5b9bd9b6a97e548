#pragma once
// Runs for tests: a model by one integrator, and how far two states lie apart.

#include <algorithm>
#include <cmath>

#include "integrator/catalogue.h"
#include "simulation/record.h"

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
  double largest = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const BodyObservation &x = a.bodies[i], &y = b.bodies[i];
    largest = std::max({largest, norm(x.com - y.com), norm(log(inverse(x.rotation) * y.rotation)),
                        norm(x.velocity - y.velocity), norm(x.angular_velocity - y.angular_velocity)});
  }
  return largest;
}

/// Slope of log y over log x by least squares.
inline double fitted_order(const std::vector<double>& x, const std::vector<double>& y) {
  double mx = 0, my = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += std::log(x[i]) / n;
    my += std::log(y[i]) / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (std::log(x[i]) - mx) * (std::log(x[i]) - mx);
    xy += (std::log(x[i]) - mx) * (std::log(y[i]) - my);
  }
  return xy / xx;
}

}  // namespace torsor::testing
