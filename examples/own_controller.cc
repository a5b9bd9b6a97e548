// A controller of one's own in the loop: computed torque leads an arm of three links along a path of its joints, against a
// push on its last link. The ledger books what the controller and the push put in.

#include <torsor/base/norm.h>
#include <torsor/simulation/record.h>
#include <torsor/tree/inverse_dynamics.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace torsor;

namespace {

constexpr int kLinks = 3;

Model make_arm() {
  ModelDescription d;
  d.name = "arm";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  for (int i = 0; i < kLinks; ++i) {
    Body link;
    link.name = "link" + std::to_string(i + 1);
    link.mass = 1;
    link.com = {0.25, 0, 0};
    link.inertia.zz = 0.02;
    Joint joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.parent = i - 1;
    joint.child = i;
    joint.in_parent.position = i == 0 ? Vec3<double>{} : Vec3<double>{0.5, 0, 0};
    d.bodies.push_back(link);
    d.joints.push_back(joint);
  }
  return Model(d);
}

/// Where joint i shall be: from rest and back in 2 s.
Jet wanted(int i, double t) {
  const double amplitude = 0.2 * (i + 1), omega = std::acos(-1.0);
  return {amplitude * (1 - std::cos(omega * t)), amplitude * omega * std::sin(omega * t),
          amplitude * omega * omega * std::cos(omega * t)};
}

}  // namespace

int main() try {
  const double step = 0.002, stiffness = 400, damping = 40;  // of the error's own dynamics
  const Model model = make_arm();
  const Tree tree = make_tree(model);
  const auto stepper =
      make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum", .external = true});

  InverseDynamicsWorkspace<double> workspace(tree);
  std::vector<double> q(kLinks), qd(kLinks), qdd(kLinks);
  ExternalInput input = *make_external_input(model);
  Observation now = stepper->make_observation();
  stepper->observe(now);
  LedgerKeeper keeper(stepper->manifest(), now);
  double largest = 0;
  long steps = 0;
  for (; steps < 1000; ++steps) {
    for (int i = 0; i < kLinks; ++i) {
      q[i] = now.joints[i].position[0];
      qd[i] = now.joints[i].rate[0];
      const Jet goal = wanted(i, now.time + 0.5 * step);  // the effort acts over the whole step
      qdd[i] = goal.acceleration + stiffness * (goal.value - q[i] - 0.5 * step * qd[i]) +
               damping * (goal.rate - qd[i]);
      keep_largest(largest, std::abs(wanted(i, now.time).value - q[i]));
    }
    inverse_dynamics<double>(tree, workspace, q, qd, qdd, {}, input.efforts);
    input.wrenches[kLinks - 1].force = {0, now.time > 1 ? -2.0 : 0.0, 0};
    stepper->set_external(input);
    stepper->step(step);
    stepper->observe(now);
    keeper.book(now);
  }
  const Ledger ledger = keeper.close(step, steps, 0, stepper->evaluations());
  std::printf(
      "largest tracking error %.1e rad; put in %.3f J, energy changed by %.3f J, balance off by %.1e J\n",
      largest, ledger.work, ledger.energy_final - ledger.energy_initial, ledger.energy_max_residual);
  return largest < 0.02 && ledger.energy_max_residual < 1e-11 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
