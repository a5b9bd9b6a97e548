// Control laws: both formulations do the same, energy is booked to rounding, and the efforts that are shown
// are those that act.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gallery.h"
#include "testing/models.h"
#include "testing/numbers.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/control/controller_efforts.h"
#include "torsor/control/planar_chain.h"
#include "torsor/evaluation/evaluate.h"
#include "torsor/numerics/dense.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

using testing::distance, testing::fitted_order;

Record energy_momentum(const ModelDescription& description, double step, double duration,
                       int record_every = 1) {
  return run_as(description, "rotationless", "energy-momentum", step, duration, record_every);
}

double entry(const std::vector<std::string>& names, const std::vector<double>& values,
             const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? NAN : values[found - names.begin()];
}

Vec3<double> position(const ModelDescription& d, const Observation& o, const Point& point) {
  const BodyObservation& body = o.bodies[point.body];
  return body.com + act(body.rotation, point.p_B - d.bodies[point.body].com);
}

Controller impedance(const Point& point, const std::vector<double>& target, double stiffness,
                     double damping) {
  Controller c;
  c.name = "hold";
  c.type = Controller::Type::impedance;
  c.point = point;
  c.stiffness = {stiffness};
  c.damping = {damping};
  for (const double value : target) c.target.emplace_back(value);
  return c;
}

/// Götz's arm with a virtual spring at its tip; `links` of it.
ModelDescription held_arm(int links, bool tendons) {
  ModelDescription d = tendons ? reference::three_link_arm_with_tendons() : reference::three_link_arm();
  d.bodies.resize(links);
  d.joints.resize(links);
  if (links < 3) d.tendons.clear();
  d.controllers = {impedance({"tip", links - 1, {1, 0, 0}}, {0.5, 0.8}, 8, 6)};
  d.controllers[0].compensate_gravity = true;
  d.controllers[0].compensate_springs = tendons;
  return d;
}

TEST(Impedance, TheTipSettlesOnAReachableTarget) {
  const ModelDescription d = held_arm(2, false);
  for (const char* formulation : {"joint", "rotationless"}) {
    const bool tree = std::string(formulation) == "joint";
    const Record record = run_as(d, formulation, tree ? "dopri5" : "energy-momentum", 0.02, 60, 3000);
    const Vec3<double> tip = position(d, record.observations.back(), *d.controllers[0].point);
    EXPECT_NEAR(tip.x, 0.5, 1e-11);                        // measured 3e-14
    EXPECT_NEAR(tip.y, 0.8, 1e-11);                        // measured 3e-14
    EXPECT_LE(record.observations.back().kinetic, 1e-10);  // measured 9e-13
  }
}

/// A third link leaves a motion that the tip does not feel: it goes on, and pulls at the tip ever less.
TEST(Impedance, ARedundantArmSettlesUpToItsInnerMotion) {
  for (const bool tendons : {false, true}) {
    const ModelDescription d = held_arm(3, tendons);
    const Record record = energy_momentum(d, 0.02, 200, 10);
    double late = 0;
    for (const Observation& o : record.observations) {
      if (o.time < 180) continue;
      late = larger(late, norm(position(d, o, *d.controllers[0].point) - Vec3<double>{0.5, 0.8, 0}));
    }
    EXPECT_LE(late, 0.05);                                // measured 0.012
    EXPECT_LE(record.ledger.energy_max_residual, 1e-11);  // measured 4e-13
  }
}

/// With the target fixed, the virtual spring gives back what it took: its energy and what the damper took add
/// up to what the mechanism lost, and the energies of what is compensated come and go with its work.
TEST(Impedance, LedgerShowsThePassivityOfTheVirtualSpring) {
  for (const bool tendons : {false, true}) {
    const ModelDescription d = held_arm(3, tendons);
    const Record record = energy_momentum(d, 0.01, 20);
    const Manifest& names = record.manifest;
    const auto stored = [&](const Observation& o) {
      const Vec3<double> x = position(d, o, *d.controllers[0].point);
      return 0.5 * 8 * (std::pow(x.x - 0.5, 2) + std::pow(x.y - 0.8, 2));
    };
    const Observation& start = record.observations.front();
    double last = stored(start) + start.kinetic, worst = 0;
    for (const Observation& o : record.observations) {
      const double work = entry(names.sources, o.work, "hold");
      const double taken = entry(names.dampers, o.dissipated, "hold");
      worst = larger(worst, std::abs(work + stored(o) - stored(start)));
      worst =
          larger(worst, std::abs(entry(names.sources, o.work, "hold (gravity)") - o.gravity + start.gravity));
      if (tendons) {
        worst = larger(worst,
                       std::abs(entry(names.sources, o.work, "hold (springs)") - o.elastic + start.elastic));
      }
      const double passive = stored(o) + o.kinetic;
      worst = larger(worst, std::abs(passive + taken - stored(start) - start.kinetic));
      EXPECT_LE(passive, last + 1e-12);
      last = passive;
    }
    EXPECT_LE(worst, 1e-11);                              // measured 1.4e-13
    EXPECT_LE(record.ledger.energy_max_residual, 1e-11);  // measured 1.6e-13
  }
}

TEST(Impedance, CompensationHoldsAnArmWhereItIs) {
  ModelDescription d = held_arm(3, true);
  d.controllers[0].stiffness = {0};
  d.controllers[0].damping = {0};
  d.initial.joints = {{d.joints[0].name, {0.3}}, {d.joints[1].name, {-0.8}}, {d.joints[2].name, {0.5}}};
  for (const char* integrator : {"energy-momentum", "generalized-alpha", "implicit-midpoint"}) {
    const bool tree = std::string(integrator) == "implicit-midpoint";
    const Record record = run_as(d, tree ? "joint" : "rotationless", integrator, 0.05, 5, 100);
    EXPECT_LE(distance(record.observations.front(), record.observations.back()), 1e-11)  // measured 7e-14
        << integrator;
  }
}

/// A body beyond the chain swings on its own, and its weight is borne by the chain.
TEST(Controllers, BothFormulationsConvergeToTheSameMotion) {
  ModelDescription models[] = {gallery("impedance_arm"), gallery("pd_gimbal")};
  for (ModelDescription& d : models) {
    SCOPED_TRACE(d.name);
    const Record reference = run_as(d, "joint", "dopri5", 0.01, 0.2, 100);
    EXPECT_LE(reference.ledger.energy_max_residual, 1e-11);  // measured 2e-14
    std::vector<double> steps{0.004, 0.002, 0.001, 0.0005}, errors;
    for (const double h : steps) {
      const Record record = energy_momentum(d, h, 0.2, 1000);
      errors.push_back(distance(record.observations.back(), reference.observations.back()));
      EXPECT_LE(record.ledger.energy_max_residual, 1e-11);  // measured 7e-15
    }
    EXPECT_NEAR(fitted_order(steps, errors), 2, 0.1);  // measured 2.007
  }
}

TEST(Controllers, LedgerClosesOverAMovingTargetAndUnderReduction) {
  const ModelDescription d = gallery("impedance_arm");
  const Record full = energy_momentum(d, 0.01, 10, 1000);
  EXPECT_LE(full.ledger.energy_max_residual, 1e-11);  // measured 1.3e-14
  StepperChoice choice;
  choice.formulation = "rotationless";
  choice.integrator = "energy-momentum";
  choice.options["reduction"] = std::string("null-space");
  const auto stepper = make_stepper(Model(d), choice);
  const Record reduced = simulate(*stepper, {.step = 0.01, .duration = 10, .record_every = 1000});
  EXPECT_LE(reduced.ledger.energy_max_residual, 1e-11);                               // measured 6e-15
  EXPECT_LE(distance(full.observations.back(), reduced.observations.back()), 1e-10);  // measured 1.3e-12
}

/// Without controllers, but with actuators that exert the efforts shown: the same accelerations and the
/// same reactions across every joint.
TEST(Controllers, EffortsShownAreThoseThatAct) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ModelDescription d = seed % 2 == 0 ? random_planar_tree(8, seed) : random_tree(9, seed);
    SCOPED_TRACE(d.name);
    add_every_element(d, seed);
    ASSERT_GE(d.controllers.size(), 3u);
    d.controllers.erase(d.controllers.begin() + 1, d.controllers.end() - 2);  // one pd, two of impedance
    const Model model(d);
    ModelDescription bare = d;
    bare.controllers.clear();
    const auto observed = [](const Model& m, const char* formulation) {
      StepperChoice choice;
      choice.formulation = formulation;
      choice.integrator = std::string(formulation) == "joint" ? "rkmk4" : "energy-momentum";
      const auto stepper = make_stepper(m, choice);
      Observation o = stepper->make_observation();
      stepper->observe(o);
      return o;
    };
    const Observation shown = observed(model, "joint");
    for (std::size_t c = 0; c < d.controllers.size(); ++c) {
      std::size_t next = 0;
      for (const int j : driven_joints(model, d.controllers[c])) {
        const int rates = rate_count(model.joints()[j].type, model.dimension());
        for (int i = 0; i < rates; ++i) {
          const double effort = shown.controllers[c][next++];
          bare.actuators.push_back({"as controller", j, i, Program(effort)});
          bare.actuators.back().name += std::to_string(bare.actuators.size());
        }
      }
      EXPECT_EQ(next, shown.controllers[c].size());
    }
    const Model driven(bare);
    const JointState rest = neutral_state(model);
    const std::vector<double> with = Evaluation(model, rest).forward_dynamics();
    const std::vector<double> by_actuators = Evaluation(driven, rest).forward_dynamics();
    EXPECT_LE(relative_error(with, by_actuators), 1e-11);  // measured 1.1e-14
    const Observation other = observed(driven, "joint"), directors = observed(model, "rotationless");
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      const Wrench<double>&a = shown.joints[j].reaction, &b = other.joints[j].reaction,
            &c = directors.joints[j].reaction;
      const double size = 1 + norm(b.moment) + norm(b.force);  // measured 4e-13, sizes up to 19
      EXPECT_LE(norm(a.moment - b.moment) + norm(a.force - b.force), 1e-11 * size) << d.joints[j].name;
      EXPECT_LE(norm(c.moment - b.moment) + norm(c.force - b.force), 1e-11 * size) << d.joints[j].name;
    }
    for (std::size_t c = 0; c < d.controllers.size(); ++c) {
      EXPECT_LE(relative_error(shown.controllers[c], directors.controllers[c]), 1e-11);  // measured 4e-14
    }
  }
}

/// The general law on a model file's terms against the closed forms (44) and (49) of the planar chain.
TEST(Impedance, EffortsAreThoseOfThePlanarChain) {
  ModelDescription d = held_arm(3, false);
  PlanarChain chain{{}, {d.gravity.x, d.gravity.y}, 0.4};
  for (int i = 0; i < 3; ++i) {
    chain.links.push_back({1, 0.5, 0, d.bodies[i].mass, 2.0 + i, 0.2, 0.4});
    d.tendons.push_back(
        {"spring" + std::to_string(i),
         {{"", i - 1, i == 0 ? Vec3<double>{0, 0.4, 0} : Vec3<double>{1, 0.4, 0}}, {"", i, {1, 0.4, 0}}},
         2.0 + i,
         0.2,
         0,
         false});
  }
  d.controllers[0].compensate_springs = true;
  d.controllers[0].stiffness = {8, 5};
  d.controllers[0].damping = {2, 3};
  d.controllers[0].target = {make_expression("0.5 + 0.3*t", {}), make_expression("0.8 - t", {})};
  const std::vector<double> angles{0.4, -1.1, 0.7}, rates{0.5, 1.2, -2};
  for (int i = 0; i < 3; ++i) {
    d.initial.joints[d.joints[i].name] = {angles[i]};
    d.initial.rates[d.joints[i].name] = {rates[i]};
  }
  const PlanarImpedance law{{{8, 0}, {0, 5}}, {{2, 0}, {0, 3}}, {0.5, 0.8}, {0.3, -1}, true, true};
  const auto stepper = make_stepper(Model(d), {.formulation = "joint", .integrator = "rkmk4", .options = {}});
  Observation o = stepper->make_observation();
  stepper->observe(o);
  const std::vector<double> by_angles = impedance_by_angles(chain, law, angles, rates);
  const std::vector<double> by_links =
      impedance_by_links(chain, law, link_coordinates(chain, angles), link_velocities(chain, angles, rates));
  EXPECT_LE(relative_error(o.controllers[0], by_angles), 1e-13);  // measured 2e-16
  EXPECT_LE(relative_error(o.controllers[0], by_links), 1e-13);   // measured 2e-16
}

/// Two links, springs k1 and k2 in the joints: K_x = J^-T diag(k) J^-1. A spring between ground and tip adds
/// its own stiffness along itself, and its tension across.
TEST(StiffnessEllipse, OfTwoLinksInClosedForm) {
  ModelDescription d = held_arm(2, false);
  d.joint_springs = {{"first", 0, SpringLaw::angle, {3}, {0.5}, {0.1}, {}},
                     {"second", 1, SpringLaw::angle, {2}, {}, {}, {}}};
  const double a = 0.3, b = 1.1;
  const auto ellipse = [&](const ModelDescription& description) {
    const Model model(description);
    JointState state = neutral_state(model);
    state.q = {a, b};
    return Evaluation(model, state).point_stiffness({"tip", 1, {1, 0, 0}});
  };
  const auto found = ellipse(d);
  ASSERT_TRUE(found);
  Eigen::Matrix2d J, K;
  J << -std::sin(a) - std::sin(a + b), -std::sin(a + b), std::cos(a) + std::cos(a + b), std::cos(a + b);
  K << 3, 0, 0, 2;
  const Eigen::Matrix2d expected = J.inverse().transpose() * K * J.inverse();
  EXPECT_LE((eigen(found->stiffness) - expected).norm(), 1e-12 * expected.norm());  // measured 2e-16 of it

  d.joint_springs.clear();
  d.tendons = {{"rope", {{"", kWorld, {-1, 0.5, 0}}, {"", 1, {1, 0, 0}}}, 7, 0.5, 0, false}};
  const auto roped = ellipse(d);
  ASSERT_TRUE(roped);
  const Eigen::Vector2d tip(std::cos(a) + std::cos(a + b), std::sin(a) + std::sin(a + b));
  const Eigen::Vector2d along = (tip - Eigen::Vector2d(-1, 0.5)).normalized();
  const double length = (tip - Eigen::Vector2d(-1, 0.5)).norm(), pull = 7 * (length - 0.5);
  Eigen::Matrix2d by_angles = J.transpose() *
                              (7 * along * along.transpose() +
                               pull / length * (Eigen::Matrix2d::Identity() - along * along.transpose())) *
                              J;
  const auto second = [&](double x, double y) { return pull * along.dot(Eigen::Vector2d(x, y)); };
  by_angles(0, 0) += second(-tip.x(), -tip.y());
  const double bent = second(-std::cos(a + b), -std::sin(a + b));
  by_angles(0, 1) += bent;
  by_angles(1, 0) += bent;
  by_angles(1, 1) += bent;
  const Eigen::Matrix2d of_rope = J.inverse().transpose() * by_angles * J.inverse();
  EXPECT_LE((eigen(roped->stiffness) - of_rope).norm(), 1e-12 * of_rope.norm());  // measured 6e-16 of it
}

}  // namespace
}  // namespace torsor
