// Laws of one's own: a joint that snaps into notches, a cord that stiffens as it is stretched, oil that brakes with the
// square of the rate, a magnet that is switched. The ledger balances them like what comes with Torsor.

#include <torsor/model/model.h>
#include <torsor/simulation/record.h>

#include <cmath>
#include <cstdio>

using namespace torsor;

namespace {

ModelDescription make_arm() {
  ModelDescription d;
  d.name = "arm with notches";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  for (int i = 0; i < 2; ++i) {
    Body link;
    link.name = i == 0 ? "upper" : "lower";
    link.mass = 1;
    link.com = {0.25, 0, 0};
    link.inertia.zz = 0.02;
    Joint joint;
    joint.name = i == 0 ? "shoulder" : "elbow";
    joint.parent = i - 1;
    joint.child = i;
    joint.in_parent.position = i == 0 ? Vec3<double>{} : Vec3<double>{0.5, 0, 0};
    d.bodies.push_back(link);
    d.joints.push_back(joint);
  }
  Tendon cord;
  cord.name = "cord";
  cord.path = {{"post", kWorld, {0, 0.8, 0}}, {"hand", 1, {0.5, 0, 0}}};
  d.tendons = {cord};  // a path alone: it has no stiffness of its own
  return d;
}

}  // namespace

int main() try {
  ModelDescription d = make_arm();

  OwnLaw notches;
  notches.name = "notches";
  notches.joint = 1;
  notches.potential = make_potential([](auto x) { return 0.4 * (1.0 - cos(8.0 * x)); });  // by dual numbers

  OwnLaw cord;
  cord.name = "stiffening";
  cord.tendon = 0;
  cord.potential = [](double length) -> PotentialJet {  // or with its derivatives
    const double e = length - 0.7;
    if (e < 0) return {};
    return {10 * e * e * e, 30 * e * e, 60 * e};
  };

  OwnLaw oil;
  oil.name = "oil";
  oil.joint = 0;
  oil.force = make_force([](auto, auto rate, double) { return -0.1 * rate * abs(rate); });
  oil.dissipates = true;

  OwnLaw magnet;
  magnet.name = "magnet";
  magnet.joint = 1;
  magnet.force = make_force([](auto x, auto, double t) { return std::sin(4 * t) / (1.0 + x * x); });

  d.laws = {notches, cord, oil, magnet};
  const Model model(d);
  const auto stepper = make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum"});
  const Record run = simulate(*stepper, {.step = 0.01, .duration = 20});
  std::printf(
      "energy changed by %.6f J, the magnet put in %.6f J, the oil took %.6f J, balance off by %.1e J\n",
      run.ledger.energy_final - run.ledger.energy_initial, run.ledger.work, run.ledger.dissipated,
      run.ledger.energy_max_residual);
  return !run.failure && run.ledger.energy_max_residual < 1e-11 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
