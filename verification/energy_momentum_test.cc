// What energy-momentum promises of rotationless mechanisms: energy, momenta and constraints hold to rounding
// at any step, for a hundred thousand steps, and the books balance whatever acts.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/loop_references.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

using namespace testing;

const StepperChoice kEnergyMomentum{"rotationless", "energy-momentum", {}, 0};

using Overrides = std::vector<std::pair<std::string, std::string>>;

Model gallery_model(const std::string& name, const Overrides& overrides = {}) {
  ModelSource source = read_source(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
  source.overrides = overrides;
  return parse_model(source);
}

/// The energy residual along a run, and how far everything went.
class Books : public RunListener {
 public:
  explicit Books(const Model& model) : model_(model) {}

  void on_record(const Observation& o, double energy_residual) override {
    if (any_) squares_ += (energy_residual - last_) * (energy_residual - last_);
    if (!any_) first_ = energy_residual;
    any_ = true;
    last_ = energy_residual;
    double linear = 0, angular = 0;
    for (std::size_t b = 0; b < o.bodies.size(); ++b) {
      const double momentum = model_.bodies()[b].mass * norm(o.bodies[b].velocity);
      linear += momentum;
      angular += momentum * norm(o.bodies[b].com);
      farthest_ = larger(farthest_, norm(o.bodies[b].com));
    }
    linear_scale_ = larger(linear_scale_, linear);
    angular_scale_ = larger(angular_scale_, angular);
  }

  /// How far the residual came, over how far a random walk with its changes comes: about 1 without a trend.
  double trend() const { return squares_ > 0 ? std::abs(last_ - first_) / std::sqrt(squares_) : 0; }
  double linear_scale() const { return linear_scale_; }    ///< sum of |m v|
  double angular_scale() const { return angular_scale_; }  ///< sum of |x| |m v|
  double farthest() const { return farthest_; }            ///< from the origin [m]

 private:
  const Model& model_;
  bool any_ = false;
  double first_ = 0, last_ = 0, squares_ = 0, linear_scale_ = 0, angular_scale_ = 0, farthest_ = 0;
};

struct LongRun {
  std::string model;
  double step;
  long steps = 100000;
  Overrides overrides = {};
};
void PrintTo(const LongRun& run, std::ostream* out) { *out << run.model << " h = " << run.step; }

class Conservation : public ::testing::TestWithParam<LongRun> {};

TEST_P(Conservation, HoldsWithoutATrend) {
  const auto& [name, step, steps, overrides] = GetParam();
  const Model model = gallery_model(name, overrides);
  const auto stepper = make_stepper(model, kEnergyMomentum);
  Books books(model);
  const Record record = simulate(*stepper,
                                 {.step = step,
                                  .duration = step * static_cast<double>(steps),
                                  .record_every = static_cast<int>(steps / 1000)},
                                 {&books}, false);
  ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
  const Ledger& ledger = record.ledger;
  EXPECT_EQ(ledger.steps, steps);
  // The motor of the logo pair works for half a second, and nothing else in any of these models.
  EXPECT_LE(ledger.energy_max_residual, 1e-11 * ledger.energy_scale);  // measured 1.1e-12
  // Apart from the guide, whose carriage runs away: in uniform motion every step rounds alike.
  if (name != "linear_guide") {
    EXPECT_LE(books.trend(), 6);  // measured 3.4
  }
  // Coordinates are absolute: where a body has flown a kilometre away they are no finer than 1e-13 m.
  EXPECT_LE(*ledger.position_max,
            larger(1e-12, 1e-15 * books.farthest()));  // measured 1.6e-15, 2.7e-16 of the distance
  EXPECT_LE(ledger.linear_max_error.value_or(0), 1e-11 * books.linear_scale());    // measured 4.4e-13
  EXPECT_LE(ledger.angular_max_error.value_or(0), 1e-11 * books.angular_scale());  // measured 5.4e-13
}

/// Spatial mechanisms take their time: fewer steps, or fewer step sizes.
std::vector<LongRun> long_runs() {
  std::vector<LongRun> runs;
  for (const char* model : {"logo_pair", "linear_guide", "four_bar", "slider_crank", "tendon_arm"})
    for (const double step : {0.001, 0.01, 0.1}) runs.push_back({model, step});
  runs.push_back({"spatial_four_bar", 0.01});
  runs.push_back({"bricard", 0.01});
  for (const char* model : {"spatial_four_bar", "bricard", "stewart"})
    for (const double step : {0.001, 0.1}) runs.push_back({model, step, 10000});
  runs.push_back({"stewart", 0.01, 10000});
  for (const double step : {0.001, 0.01}) runs.push_back({"tendon_arm_3d", step, 10000});
  runs.push_back({"tendon_arm_3d", 0.1, 2000});
  // At rest as a whole. As the file has it, it flies off, and what is seen of its constraints gets coarser.
  const Overrides at_rest{
      {"initial.bodies.link1.velocity", "[-0.44776241199274207, 0.07699344977760748, 1.9098339455319025]"}};
  for (const double step : {0.001, 0.01}) runs.push_back({"free_chain", step, 100000, at_rest});
  runs.push_back({"free_chain", 0.1, 20000, at_rest});
  return runs;
}
INSTANTIATE_TEST_SUITE_P(Model, Conservation, ::testing::ValuesIn(long_runs()), [](const auto& test) {
  return test.param.model + "_" + std::to_string(std::lround(1000 * test.param.step)) + "ms";
});

class DrivenForLong : public ::testing::TestWithParam<LongRun> {};

/// What rounds alike in every step shows where a robot rests and where the speed of a fall is constant; what rounds with the
/// distance, three kilometres away.
TEST_P(DrivenForLong, BalancesWithoutATrend) {
  const auto& [name, step, steps, overrides] = GetParam();
  const Model model = gallery_model(name, overrides);
  const auto stepper = make_stepper(model, kEnergyMomentum);
  const Record record = simulate(
      *stepper,
      {.step = step, .duration = step * static_cast<double>(steps), .record_every = static_cast<int>(steps)},
      {}, false);
  ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
  EXPECT_LE(record.ledger.energy_max_residual, 1e-13 * record.ledger.energy_scale);  // measured 1.7e-14
}

INSTANTIATE_TEST_SUITE_P(Model, DrivenForLong,
                         ::testing::Values(LongRun{"cable_robot", 0.01, 10000},   // in one double 9e-13
                                           LongRun{"falling_dart", 0.01, 20000},  // 1.7e-13
                                           LongRun{"free_chain",
                                                   0.005,
                                                   20000,  // in the world 3.9e-12
                                                   {{"initial.bodies.link1.position", "[3000, 0, 0]"}}}),
                         [](const auto& test) { return test.param.model; });

struct Driven {
  std::string name, model;
  Overrides overrides;
  double step, duration;
};
void PrintTo(const Driven& driven, std::ostream* out) { *out << driven.name; }

class Balance : public ::testing::TestWithParam<Driven> {};

/// Energy = initial + work - dissipated, with dampers, actuators, loads, tendons that go slack, servos.
TEST_P(Balance, IsExactWhateverActs) {
  const auto& [name, file, overrides, step, duration] = GetParam();
  const Model model = gallery_model(file, overrides);
  for (const double h : {step, step / 10}) {
    const Record record = run(model, kEnergyMomentum, h, duration);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    const Ledger& ledger = record.ledger;
    EXPECT_GT(std::abs(ledger.work) + ledger.dissipated, 1e-3 * ledger.energy_scale);
    EXPECT_LE(ledger.energy_max_residual, 1e-11 * ledger.energy_scale);  // measured 1.4e-14
    EXPECT_LE(ledger.position_max.value_or(0), 1e-12);                   // measured 1.3e-15
  }
}

INSTANTIATE_TEST_SUITE_P(Model, Balance,
                         ::testing::Values(Driven{"driven_arm", "driven_arm", {}, 0.05, 20},
                                           Driven{"joint_springs", "joint_springs", {}, 0.05, 20},
                                           Driven{"damped_tendons",
                                                  "tendon_arm",
                                                  {{"tendons.over_elbow.damping", "0.3"},
                                                   {"tendons.biarticular.damping", "0.1"}},
                                                  0.05,
                                                  50},
                                           Driven{"tension_only", "tension_only", {}, 0.01, 20},
                                           Driven{"andrews", "andrews", {}, 1e-4, 0.03},
                                           Driven{"rpr_platform", "rpr_platform", {}, 0.05, 2.2},
                                           Driven{"servo_crane", "servo_crane", {}, 0.05, 6},
                                           Driven{"elastic_arm_servo", "elastic_arm_servo", {}, 0.02, 3}),
                         [](const auto& test) { return test.param.name; });

/// IFToMM benchmark A02 with N = 2, where generalized-alpha in Exudyn has 0.114 J.
TEST(DoubleFourBar, KeepsItsEnergy) {
  const Record record = run(gallery_model("double_four_bar"), kEnergyMomentum, 0.01, 10);
  ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
  EXPECT_LE(record.ledger.energy_max_error, 1e-10);  // measured 4.2e-12
  EXPECT_LE(*record.ledger.position_max, 1e-12);     // measured 8.9e-16
}

/// N = 40: forty-one freedoms wherever it lies flat, which is passed as by the pendulum it is.
TEST(NFourBar, KeepsItsEnergyAndConvergesToThePendulum) {
  const Model model = gallery_model("n_four_bar_40");
  const CrankState exact = advance(n_four_bar_loop(40), {std::numbers::pi / 2, -1}, 20, 1000);
  std::vector<double> errors;
  for (const double h : {0.02, 0.01}) {
    const Record record = run(model, kEnergyMomentum, h, 20);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    EXPECT_LE(record.ledger.energy_max_error, 1e-10 * record.ledger.energy_scale);  // measured 8e-15
    EXPECT_LE(*record.ledger.position_max, 1e-12);  // measured 1.4e-14, the rounding of 40 m
    errors.push_back(std::abs(record.observations.back().joints[0].position[0] - exact.angle));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.05);  // measured 1.99
}

TEST(NFourBar, TellsWhenItLiesFlat) {
  const double h = 0.01;
  const auto stepper = make_stepper(gallery_model("n_four_bar_40"), kEnergyMomentum);
  std::vector<double> passages;
  Observation now = stepper->make_observation();
  const auto half_turns = [&] {
    stepper->observe(now);
    return std::floor(now.joints[0].position[0] / std::numbers::pi);
  };
  double last = half_turns();
  for (int i = 0; i < 500; ++i) {
    stepper->step(h);
    if (const double next = half_turns(); next != last) {
      passages.push_back(stepper->time() - 0.5 * h);
      last = next;
    }
  }
  const std::vector<double> told = stepper->singular_times();
  ASSERT_EQ(told.size(), passages.size());
  EXPECT_EQ(passages.size(), 5u);
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_NEAR(told[i], passages[i], h);
}

/// At t = 0.03 the crank has made two and a half turns and whirls with 1140 rad/s.
TEST(Andrews, ConvergesToThePublishedSolution) {
  const Model model = gallery_model("andrews");
  const CrankState exact = advance(andrews_loop(), {-0.0617138900142764496, 0}, 0.03, 200);
  std::vector<double> steps, errors, angles;
  for (int k = 0; k < 4; ++k) {
    steps.push_back(2e-5 / (1 << k));
    const Record record = run(model, kEnergyMomentum, steps.back(), 0.03);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    angles.push_back(record.observations.back().joints[0].position[0]);
    errors.push_back(std::abs(angles.back() - exact.angle));
  }
  EXPECT_NEAR(fitted_order(steps, errors), 2, 0.05);  // measured 2.000
  const double extrapolated = (4 * angles[3] - angles[2]) / 3;
  EXPECT_NEAR(extrapolated, kAndrewsBeta, 1e-8);  // measured 1.2e-9, the publication's own error
}

}  // namespace
}  // namespace torsor
