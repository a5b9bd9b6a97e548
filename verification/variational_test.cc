// The variational integrator over long times and with all that acts: energy without a trend, momenta to
// rounding, order two.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "testing/models.h"
#include "testing/random_models.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using testing::distance, testing::fitted_order;

Record run(const ModelDescription& description, double step, double duration, const std::string& map = "exp",
           int record_every = 1000000) {
  const Model model(description);
  StepperChoice choice;
  choice.formulation = "joint";
  choice.integrator = "variational";
  choice.options["map"] = map;
  const auto stepper = make_stepper(model, choice);
  return simulate(*stepper, {.step = step, .duration = duration, .record_every = record_every});
}

struct Trend {
  double slope = 0;               ///< of the energy error by least squares, over the whole run
  std::array<double, 10> tenths;  ///< largest error in each tenth of the run
};
Trend trend(const Record& record) {
  Trend result;
  result.tenths.fill(0);
  const double start = record.observations.front().total(), end = record.observations.back().time;
  double n = 0, t = 0, tt = 0, e = 0, te = 0;
  for (const Observation& o : record.observations) {
    const double error = o.total() - start, time = o.time / end;
    n += 1;
    t += time;
    tt += time * time;
    e += error;
    te += time * error;
    double& tenth = result.tenths[std::min(9, static_cast<int>(10 * time))];
    tenth = larger(tenth, std::abs(error));
  }
  result.slope = (n * te - t * e) / (n * tt - t * t);
  return result;
}

/// Götz Fig. 5.3b: about 1e-3 in 50 s. The exponential map does twenty times better.
TEST(Variational, EnergyErrorOfTheArmIsThatOfTheThesis) {
  const double chord = run(reference::three_link_arm(), 0.01, 50, "chord").ledger.energy_max_error;
  EXPECT_GE(chord, 1e-3);
  EXPECT_LE(chord, 3e-3);  // measured 1.9e-3
  const double exp = run(reference::three_link_arm(), 0.01, 50).ledger.energy_max_error;
  EXPECT_LE(exp, 2e-4);  // measured 8.7e-5
}

/// A million steps of a chaotic motion.
TEST(Variational, EnergyOfTheArmHasNoTrend) {
  for (const char* map : {"exp", "chord"}) {
    SCOPED_TRACE(map);
    const Record record = run(reference::three_link_arm(), 0.01, 10000, map, 100);
    const Trend t = trend(record);
    const double typical = record.ledger.energy_mean_error;
    EXPECT_LE(std::abs(t.slope), 0.2 * typical);  // measured 0.02, 0.07
    const auto [least, largest] = std::minmax_element(t.tenths.begin(), t.tenths.end());
    EXPECT_LE(*largest, 3 * *least);                                         // measured 1.5, 1.6
    EXPECT_LE(record.ledger.energy_max_error, map[0] == 'e' ? 5e-4 : 5e-3);  // measured 3.0e-4, 3.3e-3
  }
}

TEST(Variational, EnergyOfASphericalChainHasNoTrend) {
  const Trend t = trend(run(reference::spherical_chain(2), 0.002, 1000, "exp", 50));
  const auto [least, largest] = std::minmax_element(t.tenths.begin(), t.tenths.end());
  EXPECT_LE(std::abs(t.slope), *least);  // measured 8.6e-6 against 2.4e-4
  EXPECT_LE(*largest, 5 * *least);       // measured 2.9
}

TEST(Variational, MomentaAreKeptToRounding) {
  const Record record = run(reference::heavy_top(), 0.002, 200, "exp", 100);  // about the vertical
  const Ledger& top = record.ledger;
  EXPECT_LE(*top.angular_max_error, 1e-11);      // measured 2e-13
  EXPECT_LE(*top.unit_length_max_error, 1e-14);  // measured 2.2e-16
  const double spin = record.observations.front().joints[0].rate[2];
  for (const Observation& o : record.observations) {
    EXPECT_NEAR(o.joints[0].rate[2] / spin, 1, 1e-12);  // about the figure axis; measured 2e-14
  }
  ModelDescription tumbling = reference::free_top();
  tumbling.initial.rates["flight"] = {0.4, 0.0, 6.0, 0, 0, 0};
  const Ledger body = run(tumbling, 0.01, 1000).ledger;
  EXPECT_LE(*body.angular_max_error, 1e-12);  // measured 3e-15
  ModelDescription floating = reference::free_tree();
  floating.gravity = {};
  const Ledger tree = run(floating, 0.01, 100).ledger;
  EXPECT_LE(*tree.linear_max_error, 1e-11);       // measured 8e-14
  EXPECT_LE(*tree.angular_max_error, 1e-11);      // measured 4e-12
  EXPECT_LE(*tree.unit_length_max_error, 1e-14);  // measured 2.2e-16
  const Ledger chain = run(reference::spherical_chain(20), 0.001, 2).ledger;
  EXPECT_LE(*chain.angular_max_error, 1e-11);  // measured 1.1e-12
}

/// State and, for what drives and damps, the balance of the books.
TEST(Variational, OrderIsTwo) {
  struct Case {
    ModelDescription description;
    double step, duration;
    const char* map = "exp";
  };
  for (const Case& c : {Case{reference::three_link_arm(), 0.02, 2},
                        {reference::three_link_arm(), 0.02, 2, "chord"},
                        {reference::driven_arm(), 0.02, 4},
                        {reference::heavy_top(), 0.0005, 1},
                        {reference::free_top(), 0.01, 2},
                        {reference::free_tree(), 0.005, 0.8},
                        {reference::spherical_chain(2), 0.004, 1},
                        {reference::all_elements(), 0.004, 0.4}}) {
    SCOPED_TRACE(c.description.name);
    const Observation exact =
        testing::run(c.description, "dopri5", c.duration, c.duration, 1e-13).observations.back();
    std::vector<double> steps, errors, residuals;
    for (int k = 0; k < 4; ++k) {
      steps.push_back(c.step / (1 << k));
      const Record record = run(c.description, steps.back(), c.duration, c.map);
      errors.push_back(distance(record.observations.back(), exact));
      residuals.push_back(record.ledger.energy_max_residual);
    }
    EXPECT_NEAR(fitted_order(steps, errors), 2, 0.05);     // measured 2.000 within 4e-4
    EXPECT_NEAR(fitted_order(steps, residuals), 2, 0.05);  // measured 2.000 within 2e-3
  }
}

/// n links of the thesis' arm, falling from the horizontal.
TEST(Variational, LongChainsKeepTheirEnergy) {
  for (const int links : {10, 50, 200}) {
    SCOPED_TRACE(links);
    ModelDescription d = reference::three_link_arm();
    for (int i = 3; i < links; ++i) {
      d.bodies.push_back(d.bodies.back());
      d.bodies.back().name = "link" + std::to_string(i + 1);
      d.joints.push_back(d.joints.back());
      d.joints.back().name = "joint" + std::to_string(i + 1);
      d.joints.back().parent = i - 1;
      d.joints.back().child = i;
    }
    const Ledger ledger = run(d, 0.01, 5).ledger;
    EXPECT_LE(ledger.energy_max_error, 2e-5 * ledger.energy_scale);  // measured 6e-6, 1e-6, 3e-7
    EXPECT_LE(ledger.iterations_max, 30);                            // measured 13
  }
}

}  // namespace
}  // namespace torsor
