// A mode as a moving picture (modes_answer.h).

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "torsor/base/error.h"
#include "torsor/evaluation/coordinate_metric.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/modes_answer.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

void write_mode_result(const Model& model, const std::string& where, int mode, const std::string& path) {
  constexpr int kPeriods = 3, kFrames = 40;
  constexpr double kLargest = 0.2;
  const SmallMotions small = small_motions_at(model, where);
  const int count = static_cast<int>(small.modes.size());
  if (mode < 1 || mode > count) {
    throw ModelError("--mode", fmt::format("a mode from 1 to {}", count), std::to_string(mode));
  }
  const SmallMotion& shown = small.modes[mode - 1];
  const double period = shown.frequency() > 0 ? 1 / shown.frequency() : 1;
  const ReducedMechanism mechanism(model);
  const ReducedConfiguration middle = mechanism.configure(small.q);
  const std::unique_ptr<Stepper> stepper = make_stepper(model);

  const Json settings{
      {"formulation", "small motions"},
      {"integrator", fmt::format("mode {} at {:.6g} Hz, drawn large", mode, shown.frequency())},
      {"step", period / kFrames},
      {"duration", kPeriods * period},
      {"record_every", 1}};
  Hdf5Writer writer(path, model, json_text(settings));
  writer.on_start(stepper->manifest(), {period / kFrames, kPeriods * period, 1});
  Observation observation = stepper->make_observation();
  for (int k = 0; k <= kPeriods * kFrames; ++k) {
    const std::complex<double> turn = std::polar(kLargest, 2 * std::numbers::pi * k / kFrames);
    Eigen::VectorXd du(middle.dof());
    for (int i = 0; i < middle.dof(); ++i) du[i] = (turn * shown.shape[middle.independent[i]]).real();
    const ReducedConfiguration at = moved_as_far(mechanism, middle, du);
    stepper->set_state({small.time + k * period / kFrames, at.q, mechanism.rest(0).v, {}});
    stepper->observe(observation);
    writer.on_record(observation, 0);
  }
}

}  // namespace torsor
