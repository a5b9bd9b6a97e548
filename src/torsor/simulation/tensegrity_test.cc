// Struts that are held by tendons alone: the matrix of a step couples them in all directions.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "testing/runs.h"
#include "torsor/formulation/rotationless/rotationless.h"

namespace torsor {
namespace {

constexpr double kHeight = 1, kOverlap = 0.3, kRadius = 0.5, kThird = 2 * std::numbers::pi / 3;

/// A point of a ring of three.
Vec3<double> ring_point(double height, double turn, int j) {
  return {kRadius * std::cos(turn + kThird * j), kRadius * std::sin(turn + kThird * j), height};
}

Vec3<double> world_point(const ModelDescription& d, const Point& point) {
  return act(d.bodies[point.body].pose->rotation, point.p_B) + d.bodies[point.body].pose->position;
}

/// Cells of three struts, wound to the left and to the right in turn; the lowest stands on balls. Struts stand in the
/// list one column after the other, so that cells that touch are far apart in it.
ModelDescription tower(int cells) {
  ModelDescription d;
  d.name = "tower";
  const double wind = 5 * std::numbers::pi / 6;
  std::vector<std::array<Point, 3>> feet(cells), heads(cells);
  for (int j = 0; j < 3; ++j) {
    double turn = 0;
    for (int c = 0; c < cells; ++c) {
      const double base = c * (kHeight - kOverlap), wound = turn + (c % 2 == 0 ? wind : -wind);
      const Vec3<double> foot = ring_point(base, turn, j), head = ring_point(base + kHeight, wound, j);
      const double length = norm(head - foot);
      const std::string name = "strut" + std::to_string(c) + "_" + std::to_string(j);
      const int body = static_cast<int>(d.bodies.size());
      const SE3<double> pose{axis_frame((1 / length) * (head - foot)), 0.5 * (foot + head)};
      d.bodies.push_back({name, 1, {}, {0.1, 0.1, 1e-3, 0, 0, 0}, {}, pose});
      feet[c][j] = {"", body, {0, 0, -0.5 * length}};
      heads[c][j] = {"", body, {0, 0, 0.5 * length}};
      if (c == 0) {
        Joint ball;
        ball.name = "ball" + std::to_string(j);
        ball.type = JointType::spherical;
        ball.parent = kWorld;
        ball.child = body;
        ball.in_parent = {pose.rotation, foot};
        ball.in_child.position = feet[c][j].p_B;
        d.joints.push_back(ball);
      } else {
        d.initial.bodies[name].velocity = Vec3<double>{0.3 * c, 0.1 * j, 0};
      }
      turn = wound + std::numbers::pi / 3;
    }
  }
  const auto join = [&](const std::array<Point, 3>& from, const std::array<Point, 3>& to) {
    for (const Point& a : from) {
      for (const Point& b : to) {
        const double length = norm(world_point(d, a) - world_point(d, b));
        if (a.body == b.body || length > 1.05) continue;
        d.tendons.push_back({"t" + std::to_string(d.tendons.size()), {a, b}, 3000, 0.96 * length, 0, false});
      }
    }
  };
  for (int c = 0; c < cells; ++c) {
    join(feet[c], heads[c]);
    join(heads[c], heads[c]);
    if (c + 1 == cells) break;
    join(heads[c], feet[c + 1]);
    join(heads[c], heads[c + 1]);
    join(feet[c], feet[c + 1]);
  }
  return d;
}

StepperChoice energy_momentum(const std::string& reduction) {
  return {
      .formulation = "rotationless", .integrator = "energy-momentum", .options = {{"reduction", reduction}}};
}

TEST(Tensegrity, MovesAsByEliminationAlongTheTree) {
  const Model model(tower(10));
  ASSERT_TRUE(Rotationless<3>(model, 0).work().pattern.sparse);
  const Record sparse = testing::run(model, energy_momentum("none"), 0.005, 0.25, 10);
  const Record dense = testing::run(model, energy_momentum("null-space"), 0.005, 0.25, 10);
  ASSERT_FALSE(sparse.failure.has_value());
  ASSERT_EQ(sparse.observations.size(), dense.observations.size());
  for (std::size_t i = 0; i < sparse.observations.size(); ++i) {
    EXPECT_LE(testing::distance(sparse.observations[i], dense.observations[i]), 1e-10);  // measured 1.4e-12
  }
}

TEST(Tensegrity, KeepsEnergyAndConstraints) {
  const Ledger ledger = testing::run(Model(tower(10)), energy_momentum("none"), 0.005, 5).ledger;
  EXPECT_LE(ledger.energy_max_residual, 1e-11 * ledger.energy_scale);  // measured 5e-14 of it
  EXPECT_LE(ledger.position_max.value(), 1e-14);                       // measured 3e-16
}

/// In other coordinates, by another integrator: with half the step the difference is a quarter.
TEST(Tensegrity, MovesAsInJointCoordinates) {
  const Model model(tower(8));
  ASSERT_TRUE(Rotationless<3>(model, 0).work().pattern.sparse);
  const StepperChoice exact{.formulation = "joint", .integrator = "dopri5", .tolerance = 1e-11};
  const Record joint = testing::run(model, exact, 0.05, 0.05, 1);
  const auto error = [&](double step) {
    const Record record = testing::run(model, energy_momentum("none"), step, 0.05);
    return testing::distance(record.observations.back(), joint.observations.back());
  };
  const double coarse = error(1e-4), fine = error(5e-5);
  EXPECT_LE(fine, 5e-3);               // measured 2.7e-3, of angular velocities
  EXPECT_NEAR(coarse / fine, 4, 0.1);  // measured 3.9987
}

}  // namespace
}  // namespace torsor
