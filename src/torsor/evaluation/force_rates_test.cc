// Time derivatives of efforts against differences along a motion, whatever acts.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/loop_cases.h"
#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/evaluation/consistent_state.h"
#include "torsor/evaluation/evaluate.h"
#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

using Eigen::VectorXd;

/// A tendon that is wound and pulled, with a damper; a motor, a force and a moment, a controller that follows, each by
/// a program of its own; and laws of functions.
void add_what_moves_in_time(ModelDescription& d) {
  Tendon tendon;
  tendon.name = "tendon";
  tendon.path = {{"", 0, {0.3, 0.1, 0}}, {"", 1, {0.2, -0.1, 0}}, {"", kWorld, {0.1, 2, 0}}};
  tendon.stiffness = 20;
  tendon.damping = 0.3;
  tendon.rest_length = make_expression("1 + 0.2*sin(3*t)*exp(-t)", {});
  tendon.tension = make_expression("2*cos(2*t)", {});
  d.tendons.push_back(tendon);
  Actuator motor;
  motor.name = "motor";
  motor.joint = 0;
  motor.effort = make_expression("3*sin(4*t + 1)", {});
  d.actuators.push_back(motor);
  Actuator winch;
  winch.name = "winch";
  winch.tendon = 0;
  winch.effort = make_expression("t^3 - t", {});
  d.actuators.push_back(winch);
  Load push;
  push.name = "push";
  push.at = {"", 1, {0.2, 0.1, 0}};
  push.components = {make_expression("sin(t)/(1 + t^2)", {}), make_rest_to_rest(1, 2, 3, 0.7), Program(0.3)};
  if (d.dimension == 2) push.components[2] = Program();
  push.in_body_axes = true;
  d.loads.push_back(push);
  Controller follow;
  follow.name = "follow";
  follow.type = Controller::Type::pd;
  follow.joint = 0;
  follow.stiffness = {5};
  follow.damping = {0.8};
  follow.target = {make_expression("atan(2*t)", {})};
  d.controllers.push_back(follow);
  OwnLaw own;
  own.name = "own";
  own.joint = 0;
  own.potential = make_potential([](auto x) { return 2.0 * cos(3.0 * x); });
  own.force = make_force([](auto x, auto rate, auto t) {
    using std::sin;
    return sin(2.0 * t) * x - rate * rate * rate;
  });
  d.laws.push_back(own);
}

/// Three links, the third of which turns with the first.
LoopCase coupled_arm() {
  ModelDescription d = reference::three_link_arm();
  d.couplings.push_back({"gear", {{0, 0, 1.0}, {2, 0, -2.5}}, 0.2});
  d.initial.assemble = true;
  return {"coupled arm", d};
}

/// Along a motion u(t) = u0 + .. of the fourth order, by differences of f and of everything that follows.
TEST(ForceRates, AreThoseOfDifferencesAsTimeGoesOn) {
  constexpr double kStart = 0.4;
  std::mt19937 random(6);
  for (LoopCase& each : joined(joined(linkages(), redundant_linkages()), {coupled_arm()})) {
    ModelDescription& d = each.description;
    add_springs(d, 0.4);
    add_what_moves_in_time(d);
    const Model model(d);
    const ReducedMechanism mechanism(model);
    const Moving m = random_motion(mechanism, random);
    const int dof = m.at.dof();
    bool plain = true;  // u is then the integral of u'
    for (const int rate : m.at.independent) {
      for (std::size_t j = 0; j < d.joints.size(); ++j) {
        const int joint = static_cast<int>(j);
        if (rate >= model.rate_offset(joint) && rate < model.rate_offset(joint + 1))
          plain = plain && has_plain_coordinates(d.joints[j].type);
      }
    }
    if (!plain) continue;
    const VectorXd u1 = random_numbers(dof, random), u2 = random_numbers(dof, random),
                   u3 = random_numbers(dof, random), u4 = random_numbers(dof, random);
    struct Here {
      VectorXd f, a;
    };
    const auto at_time = [&](double t) {
      const ReducedConfiguration at =
          mechanism.moved(m.at, t * u1 + t * t / 2 * u2 + t * t * t / 6 * u3 + t * t * t * t / 24 * u4);
      ReducedMotion motion = mechanism.rest(kStart + t);
      motion.v = mechanism.rates(at, u1 + t * u2 + t * t / 2 * u3 + t * t * t / 6 * u4);
      motion.a = mechanism.accelerations(at, motion.v, u2 + t * u3 + t * t / 2 * u4);
      return Here{mechanism.equations(at, motion).f, VectorXd::Map(motion.a.data(), motion.a.size())};
    };
    ReducedMotion motion = mechanism.rest(kStart);
    motion.v = mechanism.rates(m.at, u1);
    motion.a = mechanism.accelerations(m.at, motion.v, u2);
    const std::vector<double> jerk = mechanism.jerks(m.at, motion.v, motion.a, u3);
    const std::vector<double> snap = mechanism.snaps(m.at, motion.v, motion.a, jerk, u4);
    const auto rates = mechanism.force_rates(m.at, motion, jerk, snap);
    const double h = 2e-3;
    const Here a1 = at_time(h), b1 = at_time(-h), a2 = at_time(2 * h), b2 = at_time(-2 * h), c = at_time(0);
    const auto first = [&](VectorXd Here::*of) {
      return VectorXd((8 * (a1.*of - b1.*of) - (a2.*of - b2.*of)) / (12 * h));
    };
    const auto second = [&](VectorXd Here::*of) {
      return VectorXd((16 * (a1.*of + b1.*of) - (a2.*of + b2.*of) - 30 * (c.*of)) / (12 * h * h));
    };
    EXPECT_LE(relative(first(&Here::a), VectorXd::Map(jerk.data(), jerk.size())), 1e-6)
        << each.name;  // measured 9e-10
    EXPECT_LE(relative(second(&Here::a), VectorXd::Map(snap.data(), snap.size())), 1e-6)
        << each.name;                                                        // measured 2e-9
    EXPECT_LE(relative(first(&Here::f), rates.first), 1e-6) << each.name;    // measured 4e-9
    EXPECT_LE(relative(second(&Here::f), rates.second), 1e-6) << each.name;  // measured 1e-9

    JointState state = neutral_state(model);
    state.q = m.at.q;
    state.qd = motion.v;
    state.qdd = motion.a;
    state.qddd = jerk;
    state.qdddd = snap;
    state.time = kStart;
    const Evaluation evaluation(model, state);
    if (evaluation.independent() != m.at.independent) continue;
    const EffortRates answered = evaluation.inverse_dynamics_rates();
    EXPECT_LE(relative(VectorXd::Map(answered.second.data(), dof), rates.second), 1e-12) << each.name;
  }
}

TEST(ForceRates, WhatHasNoneIsNamed) {
  const auto refused = [](const auto& change) {
    ModelDescription d = reference::three_link_arm();
    change(d);
    const Model model(d);
    try {
      Evaluation(model, neutral_state(model)).inverse_dynamics_rates();
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  OwnLaw law;
  law.name = "own";
  const auto with_law = [&](ModelDescription& d) { d.laws.push_back(law); };
  law.force = make_force([](auto x, auto, auto t) {
    using std::cos;
    return -x * cos(t);
  });
  EXPECT_EQ(refused(with_law), "nothing");
  law.force = make_force([](auto x, auto, double t) { return -x * std::cos(t); });
  EXPECT_NE(refused(with_law).find("laws.own"), std::string::npos);
  law.force = {};
  law.potential = [](double x) { return PotentialJet{0.5 * x * x, x, 1}; };
  EXPECT_NE(refused(with_law).find("slopes alone"), std::string::npos);
}

}  // namespace
}  // namespace torsor
