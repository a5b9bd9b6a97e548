// Chains of rods on ball joints after Sætran's thesis (2018, chapter 3): the classical pendulums, long chains
// with dampers, and the two formulations on the same motion.

#include <gtest/gtest.h>

#include <cmath>

#include "io/model_reader.h"
#include "testing/rod_pendulum.h"
#include "testing/runs.h"

namespace torsor {
namespace {

using namespace testing;

const StepperChoice kDopri5{"joint", "dopri5", {}, 1e-13};
const StepperChoice kEnergyMomentum{"rotationless", "energy-momentum", {}, 0};

Model gallery_model(const std::string& name) {
  return load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
}

/// Rotations about x only; angles of the rods from the vertical.
double angle_error(const Observation& o, const RodAngles& exact) {
  double worst = 0;
  for (std::size_t b = 0; b < o.bodies.size(); ++b) {
    const SO3<double>& R = o.bodies[b].rotation;
    worst =
        std::max({worst, std::abs(2 * std::atan2(R.x, R.w) - exact.angles[b]), std::abs(R.y), std::abs(R.z)});
  }
  return worst;
}

/// From rest, all rods at 0.1 rad, to t = 10.
RodAngles classical(int rods) { return swing({rods}, std::vector<double>(rods, 0.1), 10, 100 * rods); }

TEST(Chains, SwingAsTheAnglesOfClassicalPendulums) {
  for (const int rods : {1, 2, 4}) {
    const Record record = run(gallery_model("chain" + std::to_string(rods)), kDopri5, 0.01, 10);
    EXPECT_LE(angle_error(record.observations.back(), classical(rods)),
              1e-12);  // measured 7.9e-14, 2.3e-13, 3.3e-14
  }
}

/// As the thesis runs them, ten seconds at h = 0.01.
TEST(DampedChains, BalanceTheirBooksAtEveryStep) {
  for (const char* name : {"chain16_dampers", "coil64"}) {
    const Record record = run(gallery_model(name), kEnergyMomentum, 0.01, 10);
    ASSERT_FALSE(record.failure.has_value()) << record.failure->what();
    const Ledger& ledger = record.ledger;
    EXPECT_EQ(ledger.steps, 1000);
    EXPECT_LE(ledger.energy_max_residual, 1e-13 * ledger.energy_scale);  // measured 4.0e-15, 1.1e-14
    EXPECT_LE(*ledger.position_max, 1e-12);                              // measured 1.1e-14, 4.3e-14
    EXPECT_LE(ledger.iterations_max, 15);                                // measured 6, 9
  }
}

}  // namespace
}  // namespace torsor
