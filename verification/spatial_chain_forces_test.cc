// The forces of Sætran's thesis (2018, 3.3.2 and 3.3.3) with its slips put right, written out here for each
// body: what both formulations make of the model files is compared with Newton's and Euler's equations.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/ball_joint_newton_euler.h"
#include "testing/element_laws.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/evaluate.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

using namespace testing;

/// A chain of the gallery in a random state.
ModelDescription shaken(const std::string& name, unsigned seed) {
  ModelDescription d = parse_description(read_source(std::string(TORSOR_MODELS) + "/" + name + ".yaml"));
  std::mt19937 random(seed);
  for (const Joint& joint : d.joints) {
    const SO3<double> R = exp_so3(random_vector(random, 0.8));
    const Vec3<double> rate = random_vector(random, 2);
    d.initial.joints[joint.name] = {R.w, R.x, R.y, R.z};
    d.initial.rates[joint.name] = {rate.x, rate.y, rate.z};
  }
  return d;
}

/// The moment that the springs of a joint exert on its child, world axes. R_P and R_C: rotations of parent
/// and child.
Vec3<double> spring_moment(const JointSpring& spring, const Mat3<double>& R_P, const Mat3<double>& R_C) {
  const double k = spring.stiffness.empty() ? 0 : spring.stiffness[0];
  const Mat3<double> R = transpose(R_P) * R_C;
  if (spring.law == SpringLaw::euler321) {
    const double phi = std::atan2(R.zy, R.zz), theta = std::asin(-R.zx), psi = std::atan2(R.yx, R.xx);
    return -k * (R_P * Vec3<double>{phi, theta, psi});
  }
  // k times the angle of R, about its axis, which is the same seen from either body.
  const Vec3<double> twice_sine{R.zy - R.yz, R.xz - R.zx, R.yx - R.xy};
  const double sine = norm(twice_sine) / 2, cosine = (R.xx + R.yy + R.zz - 1) / 2;
  return -k * (std::atan2(sine, cosine) / (2 * sine)) * (R_P * twice_sine);
}

std::vector<BodyLoad> loads_by_hand(const Model& model, const Observation& o) {
  std::vector<BodyLoad> loads(model.bodies().size());
  for (std::size_t b = 0; b < loads.size(); ++b) loads[b].force = model.bodies()[b].mass * model.gravity();
  const auto rotation = [&](int b) {
    return matrix(b == kWorld ? SO3<double>{1, 0, 0, 0} : o.bodies[b].rotation);
  };
  for (const JointSpring& spring : model.joint_springs()) {
    const Joint& joint = model.joints()[spring.joint];
    const double c = spring.damping.empty() ? 0 : spring.damping[0];
    Vec3<double> relative = o.bodies[joint.child].angular_velocity;
    if (joint.parent != kWorld) relative = relative - o.bodies[joint.parent].angular_velocity;
    const Vec3<double> moment =
        spring_moment(spring, rotation(joint.parent), rotation(joint.child)) - c * relative;
    loads[joint.child].moment += moment;
    if (joint.parent != kWorld) loads[joint.parent].moment = loads[joint.parent].moment - moment;
  }
  for (const Tendon& strut : model.tendons()) {  // of two points
    struct End {
      Vec3<double> arm, place, velocity;
    };
    const auto end = [&](const Point& point) {
      if (point.body == kWorld) return End{{}, point.p_B, {}};
      const BodyObservation& body = o.bodies[point.body];
      const Vec3<double> arm = rotation(point.body) * (point.p_B - model.bodies()[point.body].com);
      return End{arm, body.com + arm, body.velocity + cross(body.angular_velocity, arm)};
    };
    const End from = end(strut.path[0]), to = end(strut.path[1]);
    const Vec3<double> way = to.place - from.place, n = (1 / norm(way)) * way;
    const Vec3<double> pull = (-strut.stiffness * (norm(way) - strut.rest_length.value(0)) -
                               strut.damping * dot(n, to.velocity - from.velocity)) *
                              n;
    const auto apply = [&](int body, const Vec3<double>& arm, const Vec3<double>& force) {
      if (body == kWorld) return;
      loads[body].force += force;
      loads[body].moment += cross(arm, force);
    };
    apply(strut.path[1].body, to.arm, pull);
    apply(strut.path[0].body, from.arm, -pull);
  }
  return loads;
}

Observation observed(Stepper& stepper) {
  Observation o = stepper.make_observation();
  stepper.observe(o);
  return o;
}

std::vector<Vec3<double>> by_recursion(const Model& model, const Observation& o) {
  JointState state = neutral_state(model);
  state.q.clear();
  state.qd.clear();
  for (const JointObservation& joint : o.joints) {
    state.q.insert(state.q.end(), joint.position.begin(), joint.position.end());
    state.qd.insert(state.qd.end(), joint.rate.begin(), joint.rate.end());
  }
  state.qdd = Evaluation(model, state).forward_dynamics();
  std::vector<Vec3<double>> result;
  const auto accelerations = Evaluation(model, state).accelerations(Representation::body);
  for (std::size_t b = 0; b < accelerations.size(); ++b)
    result.push_back(matrix(o.bodies[b].rotation) * accelerations[b].angular);
  return result;
}

/// From the change of velocities in three short steps of energy-momentum, extrapolated to none.
std::vector<Vec3<double>> by_short_steps(const Model& model) {
  constexpr double kStep = 2e-5;
  const auto after = [&](double h) {
    const auto stepper = make_stepper(model, {"rotationless", "energy-momentum", {}, 0});
    if (h > 0) stepper->step(h);
    return observed(*stepper);
  };
  const Observation start = after(0), ends[3] = {after(kStep), after(2 * kStep), after(4 * kStep)};
  std::vector<Vec3<double>> result;
  for (std::size_t b = 0; b < start.bodies.size(); ++b) {
    const auto rise = [&](int k) {
      const Vec3<double> change = ends[k].bodies[b].angular_velocity - start.bodies[b].angular_velocity;
      return (1 / (kStep * (1 << k))) * change;
    };
    const Vec3<double> fine = 2.0 * rise(0) - rise(1), coarse = 2.0 * rise(1) - rise(2);
    result.push_back((1.0 / 3) * (4.0 * fine - coarse));
  }
  return result;
}

double largest_difference(const std::vector<Vec3<double>>& a, const std::vector<Vec3<double>>& b) {
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = larger(worst, norm(a[i] - b[i]));
    scale = larger(scale, norm(b[i]));
  }
  return worst / scale;
}

void expect_forces_by_hand(const ModelDescription& description) {
  SCOPED_TRACE(description.name);
  const Model model(description);
  const Observation start = observed(*make_stepper(model, {"joint", "rkmk4", {}, 0}));
  const auto exact = angular_accelerations(model, start, loads_by_hand(model, start));
  EXPECT_LE(largest_difference(by_recursion(model, start), exact), 1e-12);  // measured 7e-14
  EXPECT_LE(largest_difference(by_short_steps(model), exact), 1e-5);        // measured 1.3e-6
}

TEST(SpatialChainForces, AreThoseOfNewtonAndEuler) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    for (const char* name : {"chain1", "chain4", "chain16", "chain4_springs", "chain16_dampers"})
      expect_forces_by_hand(shaken(name, seed));
    ModelDescription strutted = shaken("chain16_dampers", seed);
    strutted.tendons.push_back(
        {"brace", {{"a", 2, {0.1, 0, -1}}, {"b", 13, {0, -0.1, -0.5}}}, 500, 3, 20, false});
    expect_forces_by_hand(strutted);
    ModelDescription log_springs = shaken("chain4_springs", seed);
    for (JointSpring& spring : log_springs.joint_springs) spring.law = SpringLaw::log;
    expect_forces_by_hand(log_springs);
  }
}

}  // namespace
}  // namespace torsor
