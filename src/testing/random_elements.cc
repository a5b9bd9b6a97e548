#include "testing/random_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
    if (!inner_) add_outer();
    for (std::size_t j = 0; j < d_.joints.size(); ++j) {
      if (inner_ && d_.joints[j].parent == kWorld) continue;
      add_stop(static_cast<int>(j));
      if (damped_) add_friction(static_cast<int>(j));
    }
    for (int i = 0; i < 3; ++i) add_bushing(i);
    for (int i = 9; i < 13; ++i) add_pulled_tendon(i);
    for (int i = 13; i < 17; ++i) add_wrapped_tendon(i);
    for (std::size_t j = 1; j < d_.joints.size(); j += 2) {
      if (!(inner_ && d_.joints[j].parent == kWorld)) add_coordinate_laws(static_cast<int>(j));
    }
    for (int i = 3; i < 6; ++i) add_length_law(i);
    for (int i = 6; i < 9; ++i) add_length_limits(i);
    for (int i = 0; i < 4; ++i) add_joint_tendon(i);
    for (int i = 0; !inner_ && i < 3; ++i) add_point_law(i);
  }

 private:
  /// What holds or pushes from outside.
  void add_outer() {
    for (int i = 0; i < 4; ++i) add_load(i);
    for (std::size_t j = 0; j < d_.joints.size(); j += 2) add_pd(static_cast<int>(j));
    add_impedance("hand", true);
    add_impedance("elbow", false);
    for (int i = 0; damped_ && i < 3; ++i) {
      const double linear = random_.between(0.1, 0.3), angular = random_.between(0.1, 0.3);
      d_.drag.push_back({fmt::format("drag{}", i), moving_body(), linear, angular, 0, {}});
      if (i > 0) d_.drag.back().quadratic = 0.1 * i;
      if (i > 1) d_.drag.back().point = point_on(d_.drag.back().body);
    }
  }

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

  /// Narrow enough that states are inside, beyond, and on either side of a step.
  void add_stop(int j) {
    const JointType type = d_.joints[j].type;
    if (!has_plain_coordinates(type)) return;
    JointStop stop{fmt::format("stop{}", j), j, {}};
    for (int i = 0; i < rate_count(type, d_.dimension); ++i) {
      const double middle = random_.between(-0.5, 0.5), half = random_.between(0.1, 1);
      JointStop::Range range{middle - half, middle + half, random_.between(1, 3), 0};
      if (damped_) range.damping = random_.between(0.1, 0.5);
      if ((i + j) % 3 == 2) range.upper = std::numeric_limits<double>::infinity();
      stop.ranges.push_back(range);
    }
    d_.stops.push_back(stop);
  }
  void add_friction(int j) {
    const JointType type = d_.joints[j].type;
    if (!has_plain_coordinates(type)) return;
    JointFriction friction{fmt::format("friction{}", j), j, {}};
    for (int i = 0; i < rate_count(type, d_.dimension); ++i) {
      friction.laws.push_back({random_.between(0.1, 0.5), random_.between(0, 0.2), random_.between(0.1, 1),
                               random_.between(3, 6), random_.between(3, 6)});
    }
    d_.friction.push_back(friction);
  }
  void add_bushing(int i) {
    const int bodies = static_cast<int>(d_.bodies.size());
    Bushing bushing;
    bushing.name = fmt::format("bushing{}", i);
    bushing.child = any_body();
    bushing.parent = inner_ || i > 0 ? any_body() : kWorld;
    if (bushing.parent == bushing.child) bushing.parent = (bushing.child + 1) % bodies;
    if (bushing.parent == bushing.child) return;
    const bool flat = d_.dimension == 2;
    const auto frame = [&] {
      const Vec3<double> turn = random_.point(3);
      return SE3<double>{exp_so3(flat ? Vec3<double>{0, 0, turn.z} : turn), random_.point(d_.dimension)};
    };
    bushing.in_parent = frame();
    bushing.in_child = frame();
    const auto six = [&](double low, double high) {
      const std::vector<double> k = random_.list(6, low, high);
      if (flat) return Bushing::Six{{k[0], k[1], 0}, {0, 0, k[5]}};
      return Bushing::Six{{k[0], k[1], k[2]}, {k[3], k[4], k[5]}};
    };
    bushing.stiffness = six(0, 3);
    if (damped_) bushing.damping = six(0, 0.5);
    d_.bushings.push_back(bushing);
  }

  /// Potentials, and forces that do work or dissipate.
  void add_coordinate_laws(int j) {
    const JointType type = d_.joints[j].type;
    if (!has_plain_coordinates(type)) return;
    for (int i = 0; i < rate_count(type, d_.dimension); ++i) {
      OwnLaw law{fmt::format("law{}_{}", j, i), j, i};
      const double a = random_.between(0.1, 0.4), b = random_.between(0.5, 1);
      law.potential =
          make_potential([a, b](auto x) { return a * sqrt(1.0 + b * x * x) + 0.005 * x * x * x * x; });
      law.dissipates = damped_ && (i + j / 2) % 2 == 0;
      if (law.dissipates)
        law.force = make_force([a](auto x, auto rate, double) { return -a * rate / (1.0 + x * x); });
      if (damped_ && !law.dissipates)
        law.force = make_force(
            [b](auto x, auto rate, double t) { return std::sin(3 * t) * cos(x) - 0.2 * b * rate; });
      d_.laws.push_back(law);
    }
  }
  void add_length_limits(int i) {
    const double middle = random_.between(1, 3), half = random_.between(0.2, 1);
    JointStop stop{fmt::format("cord stop{}", i), 0, {{middle - half, middle + half, 1, 0}}, i};
    if (i == 7) stop.ranges[0].upper = std::numeric_limits<double>::infinity();
    if (damped_) stop.ranges[0].damping = random_.between(0.1, 0.3);
    d_.stops.push_back(stop);
    const FrictionLaw law{0.2, 0.1, random_.between(0.1, 0.4), random_.between(3, 6), random_.between(3, 6)};
    if (damped_) d_.friction.push_back({fmt::format("cord friction{}", i), 0, {law}, i});
  }
  void add_length_law(int i) {
    OwnLaw law{fmt::format("cord law{}", i)};
    law.tendon = i;
    const double rest = random_.between(0.5, 4);
    law.potential = make_potential([rest](auto x) { return exp(0.5 * (x - rest)) - 0.5 * x; });
    if (damped_)
      law.force = make_force([](auto x, auto rate, double t) { return 0.3 * std::cos(t) * x - 0.2 * rate; });
    d_.laws.push_back(law);
  }

  void add_point_law(int i) {
    PointLaw law{fmt::format("place law{}", i), point_on(moving_body())};
    const double a = random_.between(0.1, 0.4), b = random_.between(-1, 1);
    law.potential = make_point_potential([a, b](auto x, auto y, auto z) {
      return a * sqrt(1.0 + x * x + 2.0 * y * y + z * z) + 0.1 * sin(x * y - b * z);
    });
    law.dissipates = damped_ && i == 1;
    if (law.dissipates) {
      law.force = make_point_force([a](auto p, auto v, double) { return -a / (1.0 + dot(p, p)) * v; });
    } else if (damped_) {
      law.force = make_point_force([b](auto p, auto v, double t) {
        return (b * std::sin(3 * t)) * cross(p, v) + 0.2 * cos(p.x) * p - 0.1 * v;
      });
    }
    d_.point_laws.push_back(law);
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

  /// By a winch, by a motor, by both, by an actuator.
  void add_pulled_tendon(int i) {
    add_tendon(i);
    Tendon& tendon = d_.tendons.back();
    tendon.path.resize(2);
    if (i % 4 < 2) {
      const double rest = tendon.rest_length.value(0), swing = random_.between(0.1, 0.4);
      tendon.rest_length = make_expression(fmt::format("{}*(1 + {}*sin(3*t))", rest, swing), {});
    }
    if (i % 4 > 0) tendon.tension = random_.program();
    Actuator actuator{fmt::format("cable{}", i), 0, 0, random_.program()};
    actuator.tendon = i;
    if (i % 4 == 3) d_.actuators.push_back(actuator);
  }

  void add_wrapped_tendon(int i) {
    for (const Controller& controller : d_.controllers) {
      if (controller.compensate_springs) return;
    }
    add_tendon(i);
    Tendon& tendon = d_.tendons.back();
    tendon.path.resize(2);
    Wrap wrap;
    wrap.at = point_on(!inner_ && i % 2 == 0 ? kWorld : any_body());
    wrap.law.radius = random_.between(0.02, 0.08);
    wrap.law.kind = d_.dimension == 2 ? WrapLaw::Kind::circle
                    : i % 4 < 2       ? WrapLaw::Kind::cylinder
                                      : WrapLaw::Kind::sphere;
    if (d_.dimension == 3) wrap.rotation = exp_so3(random_.point(3));
    if (i % 3 == 1 && d_.dimension == 3) wrap.law.side = random_.point(3);
    const auto is_inside = [&](const Point& end) {
      return end.body == wrap.at.body && norm(end.p_B - wrap.at.p_B) < 2 * wrap.law.radius;
    };
    if (is_inside(tendon.path[0]) || is_inside(tendon.path[1])) return;
    if (wrap.law.kind == WrapLaw::Kind::cylinder &&
        (tendon.path[0].body == wrap.at.body || tendon.path[1].body == wrap.at.body)) {
      return;
    }
    tendon.wraps.push_back(wrap);
  }

  /// Over pulleys in up to three joints: with a law of one's own, with limits, wound and pulled, with a muscle.
  void add_joint_tendon(int i) {
    for (const Controller& controller : d_.controllers) {
      if (controller.compensate_springs) return;
    }
    Tendon tendon;
    tendon.name = fmt::format("pulleys{}", i);
    const int joints = static_cast<int>(d_.joints.size());
    for (int k = 0, j = i % joints; k < joints && tendon.joints.size() < 3; ++k, j = (j + 1) % joints) {
      const Joint& joint = d_.joints[j];
      if (!has_plain_coordinates(joint.type) || joint.type == JointType::fixed) continue;
      if (inner_ && joint.parent == kWorld) continue;
      const int coordinate = random_.below(rate_count(joint.type, d_.dimension));
      tendon.joints.push_back({j, coordinate, random_.between(0.5, 1.5) * (k % 2 == 0 ? 1 : -1)});
    }
    if (tendon.joints.empty()) return;
    tendon.stiffness = random_.between(1, 3);
    tendon.rest_length = random_.between(-0.5, 0.5);
    tendon.damping = damped_ ? random_.between(0.1, 0.5) : 0;
    tendon.tension_only = i == 1;
    if (i == 2) {
      tendon.rest_length = make_expression("0.3*sin(3*t)", {});
      tendon.tension = random_.program();
      d_.actuators.push_back({tendon.name, 0, 0, random_.program()});
      d_.actuators.back().tendon = static_cast<int>(d_.tendons.size());
    }
    if (damped_ && i == 3) tendon.muscle = muscle(i, 2);
    d_.tendons.push_back(tendon);
    if (i == 0) add_length_law(static_cast<int>(d_.tendons.size()) - 1);
    if (i == 1) {
      const double half = random_.between(0.2, 1);
      JointStop stop{tendon.name + " stop", 0, {{-half, half, 2, damped_ ? 0.2 : 0}}};
      stop.tendon = static_cast<int>(d_.tendons.size()) - 1;
      d_.stops.push_back(stop);
      const FrictionLaw law{0.2, 0.1, 0.3, 4, 4};
      if (damped_) d_.friction.push_back({tendon.name + " friction", 0, {law}, stop.tendon});
    }
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
  int moving_body() {
    int body = any_body();
    while (!moves(body)) body = any_body();
    return body;
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
    controller.point = point_on(moving_body());
    controller.compensate_gravity = compensates && random_.below(3) > 0;
    controller.compensate_springs = compensates && random_.below(2) > 0;
    if (d_.dimension == 3) {
      controller.rotation = exp_so3(Vec3<double>{0.4, -0.3, 0.2});
      if (!compensates)
        controller.rotation = OrientationProgram(
            {make_expression("0.4 + 0.5*sin(2*t)", {}), make_expression("0.3*t", {}), -0.6});
      controller.angular_stiffness = 1.5;
      controller.angular_damping = damped_ ? 0.3 : 0;
    }
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
