#include "torsor/formulation/rotationless/rotationless.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "testing/linkages.h"
#include "testing/numbers.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "testing/rotationless_probe.h"
#include "torsor/formulation/joint/joint.h"
#include "torsor/model/servo.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using testing::Probe, testing::State, testing::scaled;

/// A tree with joints of every type, every third of them on a free joint.
ModelDescription random_mechanism(int dimension, unsigned seed) {
  ModelDescription d = dimension == 2 ? random_planar_tree(9, seed) : random_tree(10, seed);
  if (seed % 3 == 0) {
    d.joints[0].type = JointType::free;
    d.joints[0].axis = {0, 0, 1};
  }
  return seed / 2 % 2 == 1 ? with_armature(d, seed) : d;
}

/// Largest entry of K^-1 dr/de_i - e_i, derivatives by central differences of fourth order in the chart of
/// the unknowns. Of e_i counts what acts, where constraints are redundant.
double tangent_error(Probe& probe, const State& s, std::span<const double> at, double h, double kappa) {
  ConstrainedSystem& system = *probe.system;
  const int n = system.unknown_count();
  const auto residual = [&](int i, double shift) {
    std::vector<double> step(n), unknowns(at.begin(), at.end()), r(n);
    if (i >= 0) step[i] = -shift;
    system.correct(step, unknowns);
    system.residual(probe.point_at(s, unknowns, h, kappa), unknowns, r);
    return r;
  };
  constexpr double e = 2e-4;  // between rounding and truncation
  std::vector<std::vector<double>> columns(n);
  for (int i = 0; i < n; ++i) {
    const auto a1 = residual(i, e), b1 = residual(i, -e), a2 = residual(i, 2 * e), b2 = residual(i, -2 * e);
    for (int k = 0; k < n; ++k) columns[i].push_back((8 * (a1[k] - b1[k]) - (a2[k] - b2[k])) / (12 * e));
  }
  residual(-1, 0);
  if (!system.factorise(probe.point_at(s, at, h, kappa), at)) return INFINITY;
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    std::vector<double> unit(n), acting(n);
    unit[i] = -1;
    system.correct(unit, acting);
    system.solve(columns[i]);
    for (int k = 0; k < n; ++k) {
      const double error = std::abs(columns[i][k] - acting[k]);
      worst = error <= worst ? worst : error;
    }
  }
  return worst;
}

/// The dampers of angles see the discrete derivative, which is a difference of angles where the constraints
/// hold: so these ends lie on them.
TEST(Rotationless, TangentOfAStepIsTheDerivativeOfItsResidual) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const int dimension : {2, 3}) {
      ModelDescription d = random_mechanism(dimension, seed);
      SCOPED_TRACE(d.name);
      add_every_element(d, seed);
      Probe probe(d);
      std::mt19937 random(seed);
      const State a = probe.random_state(random), b = probe.state_near(a, 0.3, random);
      const std::vector<double> unknowns = random_unknowns_between(probe, a, b, random);
      EXPECT_LE(tangent_error(probe, a, unknowns, 0.8, 0.5), 1e-8);  // measured 6e-10
    }
  }
}

double random_tangent_error(Probe& probe, double kappa, unsigned seed) {
  std::mt19937 random(seed);
  const State s = probe.random_state(random);
  const std::vector<double> unknowns = scaled(0.5, random_vector(probe.system->unknown_count(), random));
  return tangent_error(probe, s, unknowns, 0.8, kappa);
}

TEST(Rotationless, TangentOfAPointIsTheDerivativeOfItsResidual) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const int dimension : {2, 3}) {
      ModelDescription d = random_mechanism(dimension, seed);
      SCOPED_TRACE(d.name);
      add_every_element(d, seed, Damping::none);
      Probe probe(d);
      EXPECT_LE(random_tangent_error(probe, 1.0, seed), 1e-7);  // measured 1.7e-9
    }
  }
}

/// Of more bodies than are filled and eliminated together, on parents near and far.
TEST(Rotationless, TangentOfManyBodiesIsTheDerivativeOfItsResidual) {
  for (const double branching : {0.2, 1.0}) {
    Probe probe(random_tree(140, 3, branching));
    EXPECT_LE(random_tangent_error(probe, 0.5, 3), 1e-9);  // measured 3e-11
  }
}

Servo servo_of_point(int body, int dimension, std::vector<int> actuators) {
  Servo servo;
  servo.name = "lead";
  servo.point = Point{"", body, {0.2, -0.1, dimension == 2 ? 0.0 : 0.3}};
  const char* components[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    servo.follows[components[i]] = make_expression("sin(t)", {});
  }
  servo.actuators = std::move(actuators);
  return servo;
}

/// A tree with elements everywhere, closed by one joint more, and led by a servo.
ModelDescription random_loop(int dimension, JointType closing, unsigned seed) {
  ModelDescription d = dimension == 2 ? random_planar_tree(7, seed, 0.0) : random_tree(8, seed, 0.0);
  add_every_element(d, seed, Damping::none);
  d.servos = {servo_of_point(3, dimension, dimension == 2 ? std::vector{0, 1} : std::vector{0, 1, 2})};
  for (const int actuator : d.servos[0].actuators) d.actuators[actuator].effort = Program();
  Joint joint = d.joints[1];
  joint.name = "closing";
  joint.type = closing;
  joint.parent = 0;
  joint.child = static_cast<int>(d.bodies.size()) - 1;
  joint.pitch = closing == JointType::helical ? 0.3 : 0;
  joint.axis = {0, 0, 1};
  if (dimension == 2 && closing == JointType::prismatic) joint.axis = {0.6, 0.8, 0};
  d.joints.push_back(joint);
  return d;
}

TEST(Rotationless, TangentWithLoopsOfEveryJointTypeAndServos) {
  for (const int dimension : {2, 3}) {
    for (const JointType type :
         {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::helical,
          JointType::cylindrical, JointType::universal, JointType::spherical, JointType::planar}) {
      const bool spatial = type == JointType::helical || type == JointType::cylindrical ||
                           type == JointType::universal || type == JointType::spherical;
      if (dimension == 2 && (spatial || type == JointType::planar)) continue;
      SCOPED_TRACE(std::to_string(dimension) + "D, closed by a joint " + name_of(type));
      for (const double kappa : {0.5, 1.0}) {
        Probe probe(random_loop(dimension, type, 3));
        EXPECT_LE(random_tangent_error(probe, kappa, 5), 1e-8);  // measured 8e-10
      }
    }
  }
}

/// A joint's coordinates and, in space, an orientation, led away from where they are.
TEST(Rotationless, TangentOfServosOfJointsAndOrientations) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(std::to_string(dimension) + "D");
    ModelDescription d = dimension == 2 ? random_planar_tree(7, 3, 0.0) : random_tree(8, 3, 0.0);
    add_every_element(d, 3, Damping::none);
    std::erase_if(d.actuators, [](const Actuator& actuator) { return actuator.tendon.has_value(); });
    const Program program = make_expression("sin(t)", {});
    int actuator = 0;
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      for (const std::string& name : joint_outputs(d.joints[j].type)) {
        if (actuator + 3 >= static_cast<int>(d.actuators.size())) break;
        Servo servo;
        servo.name = d.joints[j].name + name;
        servo.joint = static_cast<int>(j);
        servo.follows = {{name, program}};
        servo.actuators = {actuator++};
        d.servos.push_back(servo);
      }
    }
    Servo servo;
    servo.name = "turn";
    servo.body = 3;
    servo.follows = {{"angle", program}};
    if (dimension == 3) servo.follows = {{"roll", program}, {"pitch", program}, {"yaw", program}};
    for (std::size_t i = 0; i < servo.follows.size(); ++i) servo.actuators.push_back(actuator++);
    d.servos.push_back(servo);
    for (int i = 0; i < actuator; ++i) d.actuators[i].effort = Program();
    Probe probe(d);
    EXPECT_GE(actuator, 5);
    EXPECT_LE(random_tangent_error(probe, 0.5, 5), 1e-8);  // measured 6e-11
  }
}

TEST(Rotationless, TangentOfLinkages) {
  for (ModelDescription d : {reference::four_bar(0.5, 1.5, 1, 1.5), reference::slider_crank(0.5, 1),
                             reference::parallel_four_bars(3)}) {
    SCOPED_TRACE(d.name);
    add_every_element(d, 3);
    Probe probe(d);
    EXPECT_LE(random_tangent_error(probe, 0.5, 5), 1e-8);  // measured 1e-11
  }
}

/// With how many of their constraints are redundant.
std::vector<std::pair<ModelDescription, int>> closed_linkages() {
  ModelDescription four_bar = reference::spatial_four_bar(1, 1.5, 1, 1.5);
  constexpr double angle = 1.1;
  four_bar.initial.joints = {
      {"drive", {angle}}, {"crank_pin", {-angle}}, {"pivot", {angle}}, {"rocker_pin", {angle}}};
  return {{four_bar, 3}, {reference::bricard(), 1}};
}

TEST(Rotationless, TangentWithRedundantConstraints) {
  for (auto [d, redundant] : closed_linkages()) {
    SCOPED_TRACE(d.name);
    add_every_element(d, 4, Damping::none);
    Probe probe(d, redundant);
    const std::vector<double> q = initial_coordinates(probe.model);
    const State s = probe.state_at(q, std::vector<double>(probe.model.rate_count()));
    probe.system->begin_step(0, s.x, s.v, s.angles);
    std::mt19937 random(3);
    std::vector<double> unknowns = scaled(0.1, random_vector(probe.system->unknown_count(), random));
    probe.system->correct(std::vector<double>(unknowns.size()), unknowns);
    EXPECT_LE(tangent_error(probe, s, unknowns, 0.8, 0.5), 1e-8);  // measured 3e-10
  }
}

/// Couplings of the first coordinates of all joints that have such.
TEST(Rotationless, TangentWithCouplings) {
  for (int dimension : {2, 3}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      ModelDescription d = random_mechanism(dimension, seed);
      Coupling coupling{"gears", {}, 0.3};
      for (std::size_t j = 0; j < d.joints.size(); ++j) {
        const JointParts parts = joint_parts(d.joints[j].type, dimension);
        if (components(parts.begin()->primitive).rates() != 1) continue;
        coupling.terms.push_back({static_cast<int>(j), 0, 0.5 - 0.4 * static_cast<double>(j)});
      }
      if (coupling.terms.size() < 2) continue;
      d.couplings = {coupling};
      Probe probe(d);
      for (const double kappa : {0.5, 1.0}) {
        SCOPED_TRACE(dimension * 1000 + seed);
        EXPECT_LE(random_tangent_error(probe, kappa, seed), 1e-7);
      }
    }
  }
}

/// r . (u, omega) = h^2/2 (change of energy + dissipated - work), whatever the multipliers, between any two
/// states that satisfy the constraints: the step conserves because its equations do.
TEST(Rotationless, StepTimesIncrementIsTheBalanceOfEnergy) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    ModelDescription d = random_mechanism(seed % 2 == 0 ? 2 : 3, seed);
    SCOPED_TRACE(d.name);
    add_every_element(d, seed);
    Probe probe(d);
    std::mt19937 random(seed);
    const State a = probe.random_state(random);
    State b = probe.state_near(a, 2.5, random);
    const std::vector<double> unknowns = random_unknowns_between(probe, a, b, random);
    constexpr double h = 0.7;
    const ConstrainedPoint point = probe.point_at(a, unknowns, h, 0.5);
    std::vector<double> r(unknowns.size()), v_b(a.v.size()), flows(probe.system->flow_count());
    probe.system->residual(point, unknowns, r);
    for (std::size_t i = 0; i < v_b.size(); ++i) v_b[i] = 2 * probe.dx[i] / h - a.v[i];
    probe.system->add_flows(point, unknowns, h, flows);
    std::vector<double> angles = a.angles;
    probe.system->settle(b.x, {}, angles);
    const EnergyParts before = probe.observer->energies(point.start_time, a.x, a.v, a.angles),
                      after = probe.observer->energies(point.end_time, b.x, v_b, angles);
    double balance =
        after.kinetic + after.gravity + after.elastic - before.kinetic - before.gravity - before.elastic;
    double size = before.kinetic + after.kinetic + before.elastic + after.elastic;
    const int sources = static_cast<int>(probe.observer->sources().size());
    for (int i = 0; i < probe.system->flow_count(); ++i) {
      EXPECT_TRUE(i < sources || flows[i] >= 0);
      balance -= i < sources ? flows[i] : -flows[i];
      size += std::abs(flows[i]);
    }
    double power = 0;
    for (const int first : probe.first_unknowns()) {
      for (int i = first; i < first + probe.width(); ++i) {
        power += r[i] * unknowns[i] / point.force_gain;
        size += std::abs(r[i] * unknowns[i]) / point.force_gain;
      }
    }
    EXPECT_LE(std::abs(power - balance), 2e-13 * size);  // measured 5e-14
  }
}

/// Forces and moments about the origin sum up to h/2 times the change of momenta, if nothing outside acts.
TEST(Rotationless, InnerForcesOfAStepKeepMomenta) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ModelDescription d = seed % 2 == 0 ? random_planar_tree(9, seed, 0.0) : random_tree(10, seed, 0.0);
    SCOPED_TRACE(d.name);
    d.gravity = {};
    d.joints[0].type = JointType::free;
    d.joints[0].axis = {0, 0, 1};
    add_inner_elements(d, seed);
    Probe probe(d);
    std::mt19937 random(seed);
    const State a = probe.random_state(random), b = probe.state_near(a, 2.0, random);
    const std::vector<double> unknowns = random_unknowns_between(probe, a, b, random);
    constexpr double h = 0.7;
    const ConstrainedPoint point = probe.point_at(a, unknowns, h, 0.5);
    std::vector<double> r(unknowns.size()), v_b(a.v.size());
    probe.system->residual(point, unknowns, r);
    for (std::size_t i = 0; i < v_b.size(); ++i) v_b[i] = 2 * probe.dx[i] / h - a.v[i];

    std::vector<BodyMotion> before(d.bodies.size()), after(before);
    probe.observer->body_motions(a.x, a.v, before);
    probe.observer->body_motions(b.x, v_b, after);
    const int D = d.dimension;
    const std::vector<int> first = probe.first_unknowns();
    Vec3<double> force, moment, p, L;
    double size = 0;
    for (std::size_t body = 0; body < before.size(); ++body) {
      const int node = probe.node(static_cast<int>(body));
      const double* row = &r[first[node]];
      const Vec3<double> F{row[0], row[1], D == 2 ? 0 : row[2]};
      force += F;
      moment += cross(0.5 * (before[body].com + after[body].com), F);
      moment += D == 2 ? Vec3<double>{0, 0, row[2]} : Vec3<double>{row[3], row[4], row[5]};
      for (const double sign : {-1.0, 1.0}) {
        const BodyMotion& m = sign < 0 ? before[body] : after[body];
        p += (sign * m.mass) * m.velocity;
        L += sign * (m.mass * cross(m.com, m.velocity) + m.spin);
        size += m.mass * norm(m.velocity) * (1 + norm(m.com));
      }
    }
    EXPECT_LE(norm(force - (0.5 * h) * p), 1e-14 * size);   // measured 3e-17
    EXPECT_LE(norm(moment - (0.5 * h) * L), 1e-13 * size);  // measured 5e-15
  }
}

/// Velocities of all coordinates, and what the joints' accelerations make of them: by dual numbers through
/// the kinematics of the tree.
template <int D>
std::vector<double> coordinate_accelerations(const Probe& probe, const JointSystem& joint,
                                             const std::vector<double>& q, const std::vector<double>& v,
                                             const std::vector<double>& a) {
  const Tree& tree = joint.tree();
  const NodeFrames<D> frames = make_node_frames<D>(probe.model);
  const int n = tree.rate_count;
  std::vector<Dual1> q0(q.begin(), q.end()), q_t(q0), v_t(n), step(n);
  for (int i = 0; i < n; ++i) {
    v_t[i] = Dual1(v[i], {a[i]});
    step[i] = Dual1(0.0, {v[i]});
  }
  retract<Dual1>(tree, q0, step, q_t);
  std::vector<Pose<Dual1>> X(tree.size());
  std::vector<Twist<Dual1>> V(tree.size());
  forward_kinematics<Dual1>(tree, q_t, v_t, X, V);
  std::vector<double> accelerations(probe.system->coordinate_count());
  for (std::size_t b = 0; b < frames.node_of.size(); ++b) {
    const int node = tree.body_node[b];
    const Pose<double> X_ND = tree.X_NB[b] * frames.X_BD[b];
    const auto dual = [](const Vec3<double>& u) { return Vec3<Dual1>{Dual1(u.x), Dual1(u.y), Dual1(u.z)}; };
    const Vec3<double> d[3] = {{X_ND.R.xx, X_ND.R.yx, X_ND.R.zx},
                               {X_ND.R.xy, X_ND.R.yy, X_ND.R.zy},
                               {X_ND.R.xz, X_ND.R.yz, X_ND.R.zz}};
    double* out = &accelerations[kCoordinates<D> * frames.node_of[b]];
    const auto put = [&](int first, const Vec3<Dual1>& velocity) {
      const Vec3<Dual1> world = X[node].R * velocity;
      for (int i = 0; i < D; ++i) out[first + i] = world[i].tangent[0];
    };
    put(0, V[node].linear + cross(V[node].angular, dual(X_ND.p)));
    for (int k = 0; k < D; ++k) put(D * (k + 1), cross(V[node].angular, dual(d[k])));
  }
  return accelerations;
}

/// Powers by the name of the element, for both formulations.
std::map<std::string, double> named(const std::vector<std::string>& sources,
                                    const std::vector<std::string>& dampers,
                                    const std::vector<double>& flows) {
  std::map<std::string, double> powers;
  for (std::size_t i = 0; i < sources.size() + dampers.size(); ++i) {
    powers[i < sources.size() ? sources[i] : dampers[i - sources.size()] + " damper"] = flows[i];
  }
  return powers;
}

TEST(Rotationless, AccelerationsAndPowersAreThoseOfTheTree) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    ModelDescription d = random_mechanism(seed % 2 == 0 ? 2 : 3, seed);
    SCOPED_TRACE(d.name);
    add_every_element(d, seed);
    Probe probe(d);
    JointSystem joint(probe.model);
    std::mt19937 random(seed);
    const State s = probe.random_state(random);
    constexpr double t = 0.4;
    std::vector<double> a(joint.rate_count()), p(joint.flow_count());
    joint.evaluate(t, s.q, s.qd, a, p);
    const std::vector<double> expected = d.dimension == 2
                                             ? coordinate_accelerations<2>(probe, joint, s.q, s.qd, a)
                                             : coordinate_accelerations<3>(probe, joint, s.q, s.qd, a);
    std::vector<double> found(expected.size()), unknowns(probe.system->unknown_count());
    ASSERT_TRUE(probe.system->accelerate(t, s.x, s.v, s.angles, unknowns, found));
    const std::size_t directors = probe.model.bodies().size() * d.dimension * (d.dimension + 1);
    EXPECT_LE(relative_error(std::span(found).first(directors), expected), 1e-11);  // measured 3e-13

    ConstrainedPoint point;
    point.time = point.start_time = point.end_time = t;
    point.x_a = point.x_b = s.x;
    point.angles = s.angles;
    point.velocity = s.v;
    point.w = found;
    point.kappa = point.force_gain = 1;
    std::vector<double> flows(probe.system->flow_count());
    probe.system->add_flows(point, unknowns, 1, flows);
    const auto here = named(probe.observer->sources(), probe.observer->dampers(), flows);
    const auto there = named(joint.elements().sources, joint.elements().dampers, p);
    ASSERT_EQ(here.size(), there.size());
    for (const auto& [name, power] : there) {
      ASSERT_TRUE(here.count(name)) << name;
      EXPECT_LE(std::abs(here.at(name) - power) / (1 + std::abs(power)), 1e-12) << name;  // measured 3e-14
    }
  }
}

/// Constraints hold, T(v) = T(projected) + T(v - projected), and what satisfies them stays.
void expect_orthogonal_projection(Probe& probe, const State& s, std::mt19937& random) {
  const std::vector<double> v = random_vector(static_cast<int>(s.x.size()), random);
  std::vector<double> projected(v.size()), twice(v.size()), apart(v);
  probe.observer->project_rates(s.x, s.angles, v, projected);
  EXPECT_LE(probe.observer->velocity_error(s.x, projected), 1e-13);  // measured 6e-16
  probe.observer->project_rates(s.x, s.angles, projected, twice);
  EXPECT_LE(relative_error(twice, projected), 1e-13);  // measured 4e-15
  for (std::size_t i = 0; i < v.size(); ++i) apart[i] -= projected[i];
  const auto kinetic = [&](const std::vector<double>& rates) {
    return probe.observer->energies(0, s.x, rates, s.angles).kinetic;
  };
  EXPECT_GT(kinetic(projected), 1e-3 * kinetic(v));
  EXPECT_NEAR(kinetic(v) / (kinetic(projected) + kinetic(apart)), 1, 1e-14);  // measured 4e-16
}

TEST(Rotationless, ProjectedRatesAreTheNearestConsistentOnes) {
  std::mt19937 random(7);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    ModelDescription d = random_mechanism(seed % 2 == 0 ? 2 : 3, seed);
    SCOPED_TRACE(d.name);
    Probe probe(d);
    const State s = probe.random_state(random);
    expect_orthogonal_projection(probe, s, random);
    std::vector<double> same(s.v.size());
    probe.observer->project_rates(s.x, s.angles, s.v, same);
    EXPECT_LE(relative_error(same, s.v), 1e-13);  // measured 6e-15
  }
}

/// Loops of every joint type, redundant ones, and servos, which are not asked.
TEST(Rotationless, ProjectedRatesAreConsistentWithLoops) {
  std::mt19937 random(8);
  for (const auto& [description, redundant] : closed_linkages()) {
    SCOPED_TRACE(description.name);
    Probe probe(description, redundant);
    const std::vector<double> q = initial_coordinates(probe.model);
    expect_orthogonal_projection(probe, probe.state_at(q, std::vector<double>(probe.model.rate_count())),
                                 random);
  }
  Probe led(random_loop(3, JointType::revolute, 3));
  expect_orthogonal_projection(led, led.random_state(random), random);
}

}  // namespace
}  // namespace torsor
