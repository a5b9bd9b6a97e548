#include "testing/random_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace torsor {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(generator_); }
  Vec3<double> point(int dimension) {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, dimension == 2 ? 0 : z};
  }
  std::vector<double> list(int count, double low, double high) {
    std::vector<double> values(count);
    for (double& value : values) value = between(low, high);
    return values;
  }
  Program program() {
    const double mean = between(-1, 1), swing = between(0.2, 1), frequency = between(1, 4);
    return make_expression(fmt::format("{} + {}*sin({}*t)", mean, swing, frequency), {});
  }

 private:
  std::mt19937 generator_;
};

class ElementMaker {
 public:
  ElementMaker(ModelDescription& description, unsigned seed, Damping damping, bool inner)
      : d_(description), random_(seed), damped_(damping == Damping::some), inner_(inner) {}

  void add_all() {
    for (std::size_t j = 0; j < d_.joints.size(); ++j) {
      if (inner_ && d_.joints[j].parent == kWorld) continue;
      add_actuators(static_cast<int>(j));
      add_spring(static_cast<int>(j));
    }
    for (int i = 0; i < 9; ++i) add_tendon(i);
    if (inner_) return;
    for (int i = 0; i < 4; ++i) add_load(i);
    for (std::size_t j = 0; j < d_.joints.size(); j += 2) add_pd(static_cast<int>(j));
    add_impedance("hand", true);
    add_impedance("elbow", false);
    for (int i = 0; damped_ && i < 3; ++i) {
      const double linear = random_.between(0.1, 0.3), angular = random_.between(0.1, 0.3);
      d_.drag.push_back({fmt::format("drag{}", i), any_body(), linear, angular});
    }
  }

 private:
  void add_actuators(int j) {
    const Joint& joint = d_.joints[j];
    const int spins = d_.dimension == 2 ? 1 : 3;
    for (int i = 0; i < rate_count(joint.type, d_.dimension); ++i) {
      if (has_twist_rates(joint.type) && joint.parent != kWorld && i >= spins) continue;
      d_.actuators.push_back({fmt::format("motor{}_{}", j, i), j, i, random_.program()});
    }
  }

  void add_spring(int j) {
    const JointType type = d_.joints[j].type;
    const int rates = rate_count(type, d_.dimension);
    if (rates == 0 || (d_.dimension == 2 && has_twist_rates(type))) return;
    JointSpring spring;
    spring.name = fmt::format("spring{}", j);
    spring.joint = j;
    if (has_twist_rates(type)) {
      const double k = random_.between(1, 3);
      spring.law = random_.below(2) == 0 ? SpringLaw::log : SpringLaw::euler321;
      spring.stiffness = {k, k, k};
      if (spring.law == SpringLaw::euler321) spring.stiffness = random_.list(3, 1, 3);
      spring.rest_rotation = exp_so3(0.5 * random_.point(3));
    } else {
      spring.stiffness = random_.list(rates, 1, 3);
      spring.rest = random_.list(rates, -1, 1);
    }
    if (damped_) spring.damping = random_.list(static_cast<int>(spring.stiffness.size()), 0.1, 0.5);
    d_.joint_springs.push_back(spring);
  }

  Point point_on(int body) { return {"", body, random_.point(d_.dimension)}; }
  int any_body() { return random_.below(static_cast<int>(d_.bodies.size())); }

  void add_tendon(int i) {
    Tendon tendon;
    tendon.name = fmt::format("tendon{}", i);
    const int points = 2 + i % 3;
    for (int k = 0; k < points; ++k) {
      const bool grounded = !inner_ && k == 0 && i % 2 == 0;
      tendon.path.push_back(point_on(grounded ? kWorld : any_body()));
    }
    tendon.stiffness = random_.between(1, 4);
    tendon.rest_length = (points - 1) * random_.between(0.5, 4);
    tendon.damping = damped_ ? random_.between(0.1, 0.5) : 0;
    tendon.tension_only = i % 3 != 1;
    if (damped_ && i % 3 == 2) tendon.muscle = muscle(i, points);
    d_.tendons.push_back(tendon);
  }

  /// Of rigid tendons: states without steps before them are as at a start.
  static Muscle muscle(int i, int points) {
    Muscle muscle;
    muscle.law = i == 5 ? Muscle::Law::mujoco : Muscle::Law::hill;
    muscle.excitation = make_expression("0.4 + 0.3*sin(3*t)", {});
    muscle.max_force = 1 + 0.2 * i;
    muscle.fibre_length = 3 * (points - 1);
    muscle.slack_length = 0.3;
    muscle.max_velocity = 10;
    muscle.pennation = i == 8 ? 0.3 : 0;
    return muscle;
  }

  void add_load(int i) {
    Load load;
    load.name = fmt::format("load{}", i);
    load.kind = i < 2 ? Load::Kind::force : Load::Kind::moment;
    load.at = point_on(any_body());
    load.in_body_axes = i % 2 == 1;
    for (int k = 0; k < 3; ++k) {
      const bool allowed = d_.dimension == 3 || (k == 2) == (load.kind == Load::Kind::moment);
      if (allowed) load.components[k] = random_.program();
    }
    d_.loads.push_back(load);
  }

  /// Whether a joint on the way from the ground lets the body move.
  bool moves(int body) const {
    while (body != kWorld) {
      const auto carrier =
          std::find_if(d_.joints.begin(), d_.joints.end(), [&](const Joint& j) { return j.child == body; });
      if (carrier == d_.joints.end() || carrier->type != JointType::fixed) return true;
      body = carrier->parent;
    }
    return false;
  }
  void add_pd(int j) {
    const JointType type = d_.joints[j].type;
    if (!has_plain_coordinates(type)) return;
    Controller controller;
    controller.name = fmt::format("keeper{}", j);
    controller.joint = j;
    add_gains(controller, rate_count(type, d_.dimension));
  }
  void add_impedance(const std::string& name, bool compensates) {
    Controller controller;
    controller.name = name;
    controller.type = Controller::Type::impedance;
    int body = any_body();
    while (!moves(body)) body = any_body();
    controller.point = point_on(body);
    controller.compensate_gravity = compensates && random_.below(3) > 0;
    controller.compensate_springs = compensates && random_.below(2) > 0;
    add_gains(controller, d_.dimension);
  }
  void add_gains(Controller& controller, int count) {
    controller.stiffness = random_.list(count, 1, 3);
    if (damped_) controller.damping = random_.list(count, 0.1, 0.5);
    for (int i = 0; i < count; ++i) controller.target.push_back(random_.program());
    d_.controllers.push_back(controller);
  }

  ModelDescription& d_;
  Random random_;
  bool damped_, inner_;
};

SO3<double> turn_in_plane(double angle) { return exp_so3(Vec3<double>{0, 0, angle}); }

}  // namespace

ModelDescription random_planar_tree(int joint_count, unsigned seed, double branching) {
  constexpr JointType kTypes[] = {JointType::revolute, JointType::prismatic, JointType::planar,
                                  JointType::revolute, JointType::free,      JointType::fixed};
  Random random(seed);
  ModelDescription d;
  d.name = fmt::format("random planar tree {}", seed);
  d.dimension = 2;
  d.gravity = 9.81 * random.point(2);
  for (int i = 0; i < joint_count; ++i) {
    Body body;
    body.name = fmt::format("body{}", i);
    body.mass = random.between(0.5, 1.5);
    body.com = 0.5 * random.point(2);
    const double xx = random.between(0.1, 0.5), yy = random.between(0.1, 0.5);
    body.inertia = {xx, yy, xx + yy, 0.3 * random.between(-xx, xx), 0, 0};
    Joint joint;
    joint.name = fmt::format("joint{}", i);
    joint.type = kTypes[i % std::size(kTypes)];
    joint.parent = i == 0 ? kWorld : i - 1;
    if (random.between(0, 1) < branching) joint.parent = random.below(i + 1) - 1;
    joint.child = i;
    joint.in_parent = {turn_in_plane(random.between(-3, 3)), random.point(2)};
    joint.in_child = {turn_in_plane(random.between(-3, 3)), 0.3 * random.point(2)};
    if (joint.type == JointType::prismatic) joint.axis = random.point(2);
    if (joint.type == JointType::revolute && i % 4 == 3) joint.axis = {0, 0, -1};
    d.bodies.push_back(body);
    d.joints.push_back(joint);
  }
  return d;
}

void add_every_element(ModelDescription& description, unsigned seed, Damping damping) {
  ElementMaker(description, seed, damping, false).add_all();
}

void add_inner_elements(ModelDescription& description, unsigned seed, Damping damping) {
  ElementMaker(description, seed, damping, true).add_all();
}

}  // namespace torsor
