// P. Kotyczka, A. Götz, M. Herrmann, PAMM 2025, sections 4 and 5: a three-link arm in the positions of its
// links by the lowest Petrov-Galerkin scheme, and impedance control in the same coordinates.

#include <cmath>

#include "experiments/curves.h"
#include "experiments/registry.h"
#include "experiments/sweep.h"
#include "torsor/base/norm.h"
#include "torsor/control/planar_chain.h"

namespace torsor {
namespace {

const ExperimentModel kArm{"three_link_arm"}, kElasticArm{"elastic_arm"};

StepperChoice galerkin(double points) {
  return {"cartesian", "petrov-galerkin", {{"m", 0.0}, {"potential_quadrature", points}}, 0};
}

/// The controlled arm: stiffness 8 N/m and damping 6 N s/m at the tip, towards (0.5, 0.8); the text has the
/// law only, no example.
constexpr double kStiffness = 8, kDamping = 6, kTarget[2] = {0.5, 0.8};
ExperimentModel held_arm() {
  ExperimentModel arm = kElasticArm;
  arm.set.emplace_back(
      "controllers",
      "{hold: {type: impedance, point: tip, stiffness: 8, damping: 6, target: {x: 0.5, y: 0.8}, "
      "compensate: [gravity, springs]}}");
  return arm;
}

PlanarChain chain_of(const Model& model) {
  PlanarChain chain{{}, {model.gravity().x, model.gravity().y}, 0.4};
  for (const Tendon& tendon : model.tendons()) {
    chain.links.push_back({1, 0.5, 0, 1, tendon.stiffness, tendon.rest_length.value(0), 0.4});
  }
  return chain;
}

/// Largest difference between the torques (44) of joint angles or (49) of link positions and those that act
/// in the run, over the largest torque.
template <class Law>
Measure torque_difference(int run, const Law& law_of) {
  return [=](Outcomes all) {
    const RunOutcome& outcome = finished(all, run);
    const PlanarChain chain = chain_of(*outcome.model);
    const PlanarImpedance law{{{kStiffness, 0}, {0, kStiffness}},
                              {{kDamping, 0}, {0, kDamping}},
                              {kTarget[0], kTarget[1]},
                              {0, 0},
                              true,
                              true};
    double difference = 0, size = 0;
    for (const Observation& o : outcome.record.observations) {
      std::vector<double> angles, rates;
      for (const JointObservation& joint : o.joints) {
        angles.push_back(joint.position[0]);
        rates.push_back(joint.rate[0]);
      }
      const std::vector<double> torques = law_of(chain, law, angles, rates);
      for (std::size_t i = 0; i < torques.size(); ++i) {
        difference = larger(difference, std::abs(torques[i] - o.controllers[0][i]));
        size = larger(size, std::abs(torques[i]));
      }
    }
    return difference / size;
  };
}
std::vector<double> by_links(const PlanarChain& chain, const PlanarImpedance& law,
                             const std::vector<double>& angles, const std::vector<double>& rates) {
  return impedance_by_links(chain, law, link_coordinates(chain, angles),
                            link_velocities(chain, angles, rates));
}

/// Of the tip from its target [m].
double off_target(const Observation& o) {
  const BodyObservation& link = o.bodies.back();
  const Vec3<double> tip = link.com + act(link.rotation, Vec3<double>{0.5, 0, 0});
  return std::hypot(tip.x - kTarget[0], tip.y - kTarget[1]);
}

Measure largest_late(int run, double time, Observable of) {
  return largest(run, [=](const Observation& o) { return o.time < time ? 0 : of(o); });
}

ExperimentRun paper_run(const char* label, const ExperimentModel& model, double points) {
  return {label, model, galerkin(points), 0.01, 50};
}

}  // namespace

std::vector<Experiment> kotyczka_experiments() {
  return {
      {"kotyczka-fig-5",
       "kotyczka",
       "Fig. 5",
       "Squared constraints stay in the region of machine precision, without and with couplings.",
       {paper_run("without springs", kArm, 1), paper_run("mono-articular", kElasticArm, 1)},
       {{"left: without springs", "m", words("machine precision"), constraint_error(0), at_most(1e-14)},
        {"right: mono-articular", "m", words("machine precision"), constraint_error(1), at_most(1e-14)}},
       {constraint_plot("Constraint error", {0, 1})}},
      {"kotyczka-fig-6",
       "kotyczka",
       "Fig. 6",
       "Energy increments: rounding without springs; visible with springs under the midpoint rule; rounding "
       "again with three Gauss points for the springs.",
       {paper_run("without springs", kArm, 1), paper_run("midpoint rule", kElasticArm, 1),
        paper_run("3 Gauss points", kElasticArm, 3)},
       {{"left: without springs", "J", words("as the constraints"), energy_error_max(0), at_most(2e-13)},
        {"middle: springs, midpoint rule", "J", words("clearly visible"), energy_error_max(1),
         between(3e-6, 3e-5)},
        {"right: springs, 3 Gauss points", "J", words("machine precision"), energy_error_max(2),
         at_most(5e-13)}},
       {energy_error_plot("Energy error", {0, 1, 2})}},
      {"kotyczka-fig-7-left",
       "kotyczka",
       "Fig. 7",
       "Left: the average energy error (43) has the order 2 of the midpoint rule.",
       sweep({"midpoint rule", kElasticArm, galerkin(1), 0, 10, 0}, multiples(0.002, 100)),
       {{"order", "", number("2", 2), energy_order(0.002, 0.2), between(1.85, 2.15)}},
       {order_plot("Average energy error, midpoint rule")}},
      {"kotyczka-fig-7-right",
       "kotyczka",
       "Fig. 7",
       "Right: it has the order 6 of the rule with three Gauss points.",
       sweep({"3 Gauss points", kElasticArm, galerkin(3), 0, 10, 0}, multiples(0.002, 100)),
       {{"order", "", number("6", 6), energy_order(0.05, 0.2), between(5.7, 6.3)}},
       {order_plot("Average energy error, 3 Gauss points")}},
      {"kotyczka-impedance",
       "kotyczka",
       "Section 5",
       "The impedance law can be written in link positions alone (49), without angles, and does the same as "
       "(44) in joint angles.",
       {{"held arm", held_arm(), {"rotationless", "energy-momentum", {}, 0}, 0.02, 200}},
       {{"torques by angles (44) against those that act, relative", "", words("equal"),
         torque_difference(0, impedance_by_angles), at_most(1e-12)},
        {"torques by link positions (49) against those that act, relative", "", words("equal"),
         torque_difference(0, by_links), at_most(1e-12)},
        {"balance of energy, residual / scale", "", nothing(), balance_residual(0), at_most(1e-12)},
        {"distance of the tip from its target, last 20 s", "m", nothing(), largest_late(0, 180, off_target),
         at_most(0.05)}},
       {{"Distance of the tip from its target", "t [s]", "distance [m]", false, true,
         numbers_of(0, {{"tip", off_target}})}}},
  };
}

}  // namespace torsor
