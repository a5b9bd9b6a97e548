#include <gtest/gtest.h>

#include <iostream>

#include "simulation/record.h"
#include "testing/models.h"

namespace torsor {
namespace {

TEST(Simulate, PendulumKeepsItsBooks) {
  const Model model(reference::pendulum());
  auto stepper = make_stepper(model, {.formulation = "joint", .integrator = "dopri5", .options = {}, .tolerance = 1e-11});
  const Record run = simulate(*stepper, {.step = 0.01, .duration = 10, .record_every = 10});
  std::cout << run.ledger;
  EXPECT_EQ(run.ledger.steps, 1000);
  EXPECT_EQ(run.observations.size(), 101u);
  EXPECT_EQ(run.ledger.time, 10.0);
  EXPECT_LE(run.ledger.energy_max_error, 1e-9);
}

}  // namespace
}  // namespace torsor
