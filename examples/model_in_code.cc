// A mechanism described in C++, without a file: a double pendulum with a spring, and its small motions.

#include <torsor/simulation/record.h>

#include <cmath>
#include <cstdio>

using namespace torsor;

namespace {

Body rod(const std::string& name, double mass, double length) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.com = {0, -0.5 * length, 0};
  body.inertia.zz = mass * length * length / 12;
  return body;
}

Joint hinge(const std::string& name, int parent, int child, const Vec3<double>& at) {
  Joint joint;
  joint.name = name;
  joint.type = JointType::revolute;
  joint.parent = parent;
  joint.child = child;
  joint.in_parent.position = at;
  return joint;
}

}  // namespace

int main() try {
  const double mass = 1, length = 1, gravity = 9.81, stiffness = 40;
  ModelDescription d;
  d.name = "two rods";
  d.dimension = 2;
  d.gravity = {0, -gravity, 0};
  d.bodies = {rod("upper", mass, length), rod("lower", mass, length)};
  d.joints = {hinge("shoulder", kWorld, 0, {}), hinge("elbow", 0, 1, {0, -length, 0})};
  JointSpring spring;
  spring.name = "elbow spring";
  spring.joint = 1;
  spring.stiffness = {stiffness};
  d.joint_springs = {spring};
  d.initial.joints = {{"shoulder", {1e-4}}, {"elbow", {0}}};
  const Model model(d);  // validates; throws ModelError that names the key

  // The slower of the two natural frequencies, by Rayleigh's quotient of M and K at rest.
  const double m11 = 8.0 / 3, m12 = 5.0 / 6, m22 = 1.0 / 3;  // in units of mass length^2
  const double k11 = 2 * gravity, k12 = 0.5 * gravity, k22 = 0.5 * gravity + stiffness;
  const double a = m11 * m22 - m12 * m12, b = m11 * k22 + m22 * k11 - 2 * m12 * k12,
               c = k11 * k22 - k12 * k12;
  const double omega = std::sqrt((b - std::sqrt(b * b - 4 * a * c)) / (2 * a));

  // Simulated with an angle that is small: how long do ten swings of the shoulder take?
  const auto stepper = make_stepper(model, {.formulation = "joint", .integrator = "variational"});
  const Record run = simulate(*stepper, {.step = 0.002, .duration = 30});
  double first = 0, last = 0;
  int crossings = 0;
  for (std::size_t i = 1; i < run.observations.size() && crossings < 11; ++i) {
    const Observation &from = run.observations[i - 1], &to = run.observations[i];
    // The sum of both angles weighted as the slow mode is blind to the fast one.
    const auto slow = [&](const Observation& o) {
      const double ratio = (m12 * omega * omega - k12) / (k22 - m22 * omega * omega);
      const double q1 = o.joints[0].position[0], q2 = o.joints[1].position[0];
      return (m11 + m12 * ratio) * q1 + (m12 + m22 * ratio) * q2;
    };
    const double before = slow(from), after = slow(to);
    if (!(before > 0 && after <= 0)) continue;
    last = from.time + (to.time - from.time) * before / (before - after);
    if (crossings++ == 0) first = last;
  }
  const double measured = 2 * std::acos(-1.0) * (crossings - 1) / (last - first);
  std::printf("slow mode: %.6f rad/s by formula, %.6f rad/s simulated; energy error %.1e J\n", omega,
              measured, run.ledger.energy_max_error);
  return std::abs(measured / omega - 1) < 1e-4 ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
