#include "torsor/formulation/cartesian/cartesian.h"

#include <gtest/gtest.h>

#include "testing/models.h"
#include "testing/random_planar_links.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

using testing::distance, testing::run;

ModelDescription controlled_links(unsigned seed, Damping damping) {
  ModelDescription d = random_planar_links(6, seed);
  add_every_element(d, seed, damping);
  return d;
}

double reactions_apart(const Observation& a, const Observation& b) {
  double apart = 0, largest = 1;
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const Wrench<double>&here = a.joints[j].reaction, &there = b.joints[j].reaction;
    largest = larger({largest, norm(here.force), norm(here.moment)});
    apart = larger({apart, norm(here.force - there.force), norm(here.moment - there.moment)});
  }
  return apart / largest;
}

/// Trees with every kind of element: the same motion, the same forces, the same ledger as in directors.
TEST(CartesianRun, IsThatOfDirectors) {
  for (const char* integrator : {"energy-momentum", "generalized-alpha"}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(integrator + std::to_string(seed));
      const Model model(controlled_links(seed, Damping::some));
      const Record a = run(model, {"cartesian", integrator, {}, 0}, 0.005, 0.5);
      const Record b = run(model, {"rotationless", integrator, {}, 0}, 0.005, 0.5);
      ASSERT_FALSE(a.failure || b.failure);
      const Observation &here = a.observations.back(), &there = b.observations.back();
      EXPECT_LT(distance(here, there), 5e-11);         // measured 2.5e-12
      EXPECT_LT(reactions_apart(here, there), 1e-11);  // measured 4e-13
      for (std::size_t i = 0; i < here.work.size(); ++i) {
        EXPECT_NEAR(here.work[i], there.work[i], 3e-12 * (1 + std::abs(there.work[i])));  // measured 4e-13
      }
      for (std::size_t j = 0; j < here.joints.size(); ++j) {
        EXPECT_NEAR(here.joints[j].position[0], there.joints[j].position[0], 3e-12);  // measured 5e-13
      }
    }
  }
}

TEST(CartesianRun, RefusesTheNullSpaceReduction) {
  StepperChoice choice{"cartesian", "energy-momentum", {}, 0};
  choice.options["reduction"] = std::string("null-space");
  EXPECT_THROW(make_stepper(Model(reference::three_link_arm()), choice), ModelError);
}

}  // namespace
}  // namespace torsor
