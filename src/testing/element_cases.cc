#include "testing/element_cases.h"

#include <cmath>
#include <ostream>

namespace torsor::testing {
namespace {

/// On hinges, one after the other, in the field of gravity.
ModelDescription two_links(int dimension) {
  ModelDescription d = two_bodies(dimension);
  d.gravity = {0, -9.81, 0};
  d.initial.bodies.clear();
  d.joints.resize(2);
  d.joints[0].name = "shoulder", d.joints[0].child = 0;
  d.joints[1].name = "elbow", d.joints[1].parent = 0, d.joints[1].child = 1;
  d.joints[1].in_parent.position = {0.6, 0, 0};
  if (dimension == 3) d.joints[1].axis = {0, 0.6, 0.8};
  d.initial.rates = {{"shoulder", {1}}, {"elbow", {-2}}};
  return d;
}
/// With a ball joint between them.
ModelDescription with_ball() {
  ModelDescription d = two_links(3);
  d.joints[1].type = JointType::spherical;
  d.joints[1].axis = Joint{}.axis;
  d.initial.rates["elbow"] = {0.8, -1, 1.5};
  return d;
}

Program program(const char* expression) { return make_expression(expression, {}); }

Bushing mount(int parent, int child, int dimension) {
  const bool flat = dimension == 2;
  Bushing bushing;
  bushing.name = "mount";
  bushing.parent = parent;
  bushing.child = child;
  bushing.in_parent.position = {0.5, 0.1, 0};
  bushing.in_child.position = {-0.1, 0.1, 0};
  bushing.stiffness = {{40, 25, flat ? 0.0 : 60}, {flat ? 0.0 : 3, flat ? 0.0 : 5, 4}};
  bushing.damping = {{0.4, 0.2, flat ? 0.0 : 0.1}, {flat ? 0.0 : 0.05, 0, 0.02}};
  return bushing;
}

/// From the ground over the first link to the second.
Tendon strap() {
  Tendon tendon;
  tendon.name = "strap";
  tendon.path = {{"", kWorld, {0.3, 0.8, 0}}, {"", 0, {0.5, 0.1, 0}}, {"", 1, {0.4, 0.1, 0}}};
  return tendon;
}
Muscle muscle(double tendon_strain) {
  Muscle muscle;
  muscle.excitation = program("0.4 + 0.2*sin(9*t)");
  muscle.smoothing = 2;  // the rate is smooth in the activation
  muscle.max_force = 200;
  muscle.fibre_length = 0.8;
  muscle.slack_length = 0.5;
  muscle.pennation = 0.2;
  muscle.tendon_strain = tendon_strain;
  return muscle;
}

std::vector<OwnLaw> own_laws() {
  OwnLaw well{"well", 0, 0}, brake{"brake", 1, 0}, pull{"pull", 0, 0, 0};
  well.potential = make_potential([](auto x) { return 6.0 * (1.0 - cos(2.0 * x)) + 0.5 * x * x * x * x; });
  brake.force = make_force([](auto x, auto rate, double) { return -0.3 * rate * (1.0 + x * x); });
  brake.dissipates = true;
  pull.potential = make_potential([](auto x) { return 2.0 * exp(1.5 * (x - 0.8)); });
  pull.force = make_force([](auto x, auto rate, double t) { return 0.5 * std::sin(5 * t) / x - 0.1 * rate; });
  return {well, brake, pull};
}
std::vector<PointLaw> point_laws() {
  PointLaw star{"star", {"", 1, {0.5, 0.1, 0}}}, wind{"wind", {"", 0, {0.3, 0, 0}}},
      swirl{"swirl", {"", 1, {0.6, 0, 0}}};
  star.potential = make_point_potential([](auto x, auto y, auto z) {
    return -4.0 / sqrt(0.2 + (x - 0.9) * (x - 0.9) + (y + 0.8) * (y + 0.8) + z * z);
  });
  wind.force = make_point_force([](auto p, auto v, double) { return -0.3 * (1.0 + dot(p, p)) * v; });
  wind.dissipates = true;
  swirl.force = make_point_force([](auto p, auto, double t) {
    return (2 * std::sin(4 * t)) * cross(Vec3<double>{0, 0, 1}, p);
  });
  return {star, wind, swirl};
}

class Cases {
 public:
  std::vector<ElementCase> all;

  template <class Change>
  void add(const std::string& name, ModelDescription model, Change&& change, bool smooth = true) {
    change(model);
    all.push_back({name + (model.dimension == 2 ? "_2d" : "_3d"), std::move(model), smooth});
  }

  void add_joint_elements(int dimension) {
    const ModelDescription links = two_links(dimension);
    add(
        "stop", links,
        [](ModelDescription& d) {
          d.stops = {{"shoulder stop", 0, {{-0.8, 0.3, 200, 2}}}, {"elbow stop", 1, {{-0.5, 0.5, 100, 0}}}};
        },
        false);
    add("friction", links, [](ModelDescription& d) {
      d.friction = {{"shoulder friction", 0, {{0.5, 0.1, 0.8, 2, 1.5}}},
                    {"elbow friction", 1, {{0.2, 0, 0.2, 1, 1}}}};
    });
    add("armature", links, [](ModelDescription& d) {
      d.joints[0].armature = {0.4};
      d.joints[1].armature = {1.5};
    });
    add("spring", links, [](ModelDescription& d) {
      d.joint_springs = {{"spring", 1, SpringLaw::angle, {20}, {0.3}, {0.5}}};
    });
    add("actuator", links, [](ModelDescription& d) {
      d.actuators = {{"motor", 1, 0, program("3*sin(5*t)")}};
    });
    add("pd", links, [](ModelDescription& d) {
      Controller keeper;
      keeper.name = "keeper";
      keeper.joint = 1;
      keeper.stiffness = {20};
      keeper.damping = {1};
      keeper.target = {program("0.5*sin(3*t)")};
      d.controllers = {keeper};
    });
    add("coupling", links, [](ModelDescription& d) { d.couplings = {{"gear", {{0, 0, 2}, {1, 0, 1}}, 0}}; });
  }

  void add_tendons(int dimension) {
    const ModelDescription links = two_links(dimension);
    const auto add_strap = [&](const std::string& name, auto change, bool smooth = true) {
      add(
          name, links,
          [&](ModelDescription& d) {
            d.tendons = {strap()};
            change(d);
          },
          smooth);
    };
    add_strap(
        "strap_stop",
        [](ModelDescription& d) {
          d.stops = {{"strap stop", 0, {{1.2, 1.45, 300, 3}}, 0}};
        },
        false);
    add_strap("strap_friction", [](ModelDescription& d) {
      d.friction = {{"strap friction", 0, {{2, 0.3, 3, 2, 1.5}}, 0}};
    });
    add_strap("tendon", [](ModelDescription& d) {
      d.tendons[0].stiffness = 60;
      d.tendons[0].rest_length = 0.9;
      d.tendons[0].damping = 0.5;
    });
    add_strap(
        "slack_tendon",
        [](ModelDescription& d) {
          d.tendons[0].stiffness = 60;
          d.tendons[0].rest_length = 1.35;
          d.tendons[0].tension_only = true;
        },
        false);
    add_strap("winch", [](ModelDescription& d) {
      d.tendons[0].stiffness = 60;
      d.tendons[0].rest_length = program("0.9 + 0.1*sin(4*t)");
    });
    add("belt", links, [](ModelDescription& d) {
      Tendon belt;
      belt.name = "belt";
      belt.joints = {{0, 0, 0.6}, {1, 0, -1.1}};
      belt.stiffness = 25;
      belt.damping = 0.3;
      belt.rest_length = 0.2;
      d.tendons = {belt};
      d.friction = {{"belt friction", 0, {{0.5, 0.1, 0.8, 2, 1.5}}, 0}};
    });
    add_strap("tension", [](ModelDescription& d) { d.tendons[0].tension = program("6 + 3*sin(7*t)"); });
    add_strap("cable", [](ModelDescription& d) {
      Actuator motor{"motor", 0, 0, program("5*cos(6*t)")};
      motor.tendon = 0;
      d.actuators = {motor};
    });
    add_strap("muscle", [](ModelDescription& d) { d.tendons[0].muscle = muscle(0); });
    add_strap("series_muscle", [](ModelDescription& d) { d.tendons[0].muscle = muscle(0.1); });
    const auto wrapped = [&](WrapLaw::Kind kind) {
      return [=](ModelDescription& d) {
        Tendon& tendon = d.tendons[0];
        tendon.stiffness = 60;
        tendon.rest_length = 2.2;
        tendon.path = {{"", kWorld, {0.6, 2.4, dimension == 2 ? 0 : 0.1}}, {"", 1, {0.4, 0, 0}}};
        Wrap wrap;  // out of reach, and always on the same side
        wrap.at = {"", kWorld, {0.908, 1.554, 0}};
        wrap.law = {kind, 0.6, {}};
        tendon.wraps = {wrap};
      };
    };
    if (dimension == 2) return add_strap("circle", wrapped(WrapLaw::Kind::circle));
    add_strap("cylinder", wrapped(WrapLaw::Kind::cylinder));
    add_strap("sphere", wrapped(WrapLaw::Kind::sphere));
  }

  void add_others(int dimension) {
    const bool flat = dimension == 2;
    const ModelDescription links = two_links(dimension);
    add("drag", links, [](ModelDescription& d) {
      d.drag = {{"air", 0, 0.2, 0.1, 0.3, {}}, {"tip", 1, 0.1, 0, 0.4, Point{"", 1, {0.6, 0.1, 0}}}};
      d.initial.rates["shoulder"] = {-1};  // |v| v is not smooth where a link turns round
    });
    add("bushing", two_bodies(dimension),
        [&](ModelDescription& d) { d.bushings = {mount(0, 1, dimension)}; });
    add("load", links, [&](ModelDescription& d) {
      Load push{"push", Load::Kind::force, {"", 1, {0.5, 0.1, 0}}, true, {}},
          turn{"turn", Load::Kind::moment, {"", 0, {}}, false, {}};
      push.components[1] = program("4*sin(6*t)");
      turn.components[2] = program("2*cos(5*t)");
      if (!flat) turn.components[0] = program("sin(4*t)");
      d.loads = {push, turn};
    });
    add("impedance", links, [&](ModelDescription& d) {
      Controller hand;
      hand.name = "hand";
      hand.type = Controller::Type::impedance;
      hand.point = Point{"", 1, {0.5, 0, 0}};
      hand.stiffness = std::vector<double>(dimension, 30.0);
      hand.damping = std::vector<double>(dimension, 1.0);
      hand.target = {0.8, program("-0.2 + 0.3*sin(3*t)")};
      if (!flat) {
        hand.target.push_back(0.0);
        hand.rotation = OrientationProgram({0.2, program("0.4*sin(4*t)"), program("0.3 + 0.5*t")});
        hand.angular_stiffness = 3;
        hand.angular_damping = 0.2;
      }
      d.controllers = {hand};
    });
    add("law", links, [](ModelDescription& d) {
      d.tendons = {{"cord", {{"", kWorld, {0.3, 0.8, 0}}, {"", 1, {0.4, 0.1, 0}}}}};
      d.laws = own_laws();
    });
    add("point_law", links, [](ModelDescription& d) { d.point_laws = point_laws(); });
    if (flat) return;
    const auto ball_spring = [](SpringLaw law) {
      return [=](ModelDescription& d) {
        JointSpring spring{"spring", 1, law, {4, 4, 4}, {0.1, 0.1, 0.1}, {}};
        if (law == SpringLaw::euler321) spring.stiffness = {3, 4, 5};
        spring.rest_rotation = exp_so3(Vec3<double>{0.2, -0.3, 0.4});
        d.joint_springs = {spring};
      };
    };
    add("log_spring", with_ball(), ball_spring(SpringLaw::log));
    add("euler_spring", with_ball(), ball_spring(SpringLaw::euler321));
  }

  /// The elements of the cases on the two links, once each.
  void add_together(int dimension) {
    ModelDescription sum = two_links(dimension);
    sum.joints[1].armature = {0.2};
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    const std::string in = dimension == 2 ? "_2d" : "_3d";
    for (const ElementCase& one : all) {
      const ModelDescription& d = one.model;
      const std::string kind = one.name.substr(0, one.name.size() - in.size());
      if (!one.name.ends_with(in) || kind == "coupling" || kind == "log_spring" || kind == "euler_spring")
        continue;
      const int first = static_cast<int>(sum.tendons.size());
      const auto on_these = [&](auto elements) {
        for (auto& element : elements) {
          if (element.tendon) *element.tendon += first;
          element.name = kind + " " + element.name;
        }
        return elements;
      };
      for (Tendon tendon : d.tendons) {
        tendon.name = kind + " " + tendon.name;
        sum.tendons.push_back(tendon);
      }
      append(sum.stops, on_these(d.stops));
      append(sum.friction, on_these(d.friction));
      append(sum.actuators, on_these(d.actuators));
      append(sum.laws, on_these(d.laws));
      append(sum.joint_springs, d.joint_springs);
      append(sum.controllers, d.controllers);
      append(sum.drag, d.drag);
      append(sum.loads, d.loads);
      append(sum.point_laws, d.point_laws);
    }
    sum.bushings = {mount(kWorld, 1, dimension)};
    add(
        "together", sum, [](ModelDescription&) {}, false);
  }
};

}  // namespace

void PrintTo(const ElementCase& c, std::ostream* out) { *out << c.name; }

ModelDescription two_bodies(int dimension) {
  ModelDescription d;
  d.dimension = dimension;
  const bool flat = dimension == 2;
  for (const char* name : {"left", "right"}) {
    Body body;
    body.name = name;
    body.mass = 1.5;
    body.com = {0.1, -0.05, flat ? 0 : 0.07};
    body.inertia = flat ? Sym3<double>{0.2, 0.3, 0.5, 0, 0, 0} : Sym3<double>{0.2, 0.3, 0.4, 0.02, 0.01, 0};
    body.pose = SE3<double>{{}, {name[0] == 'l' ? 0.0 : 0.6, 0, 0}};
    d.bodies.push_back(body);
  }
  d.initial.bodies["right"].velocity = Vec3<double>{0.2, 0.5, flat ? 0 : -0.3};
  d.initial.bodies["right"].angular_velocity = Vec3<double>{flat ? 0 : 1.0, flat ? 0 : -0.6, 1.4};
  return d;
}

std::vector<ElementCase> element_cases() {
  Cases cases;
  for (const int dimension : {2, 3}) {
    cases.add_joint_elements(dimension);
    cases.add_tendons(dimension);
    cases.add_others(dimension);
    cases.add_together(dimension);
  }
  return cases.all;
}

std::vector<ElementCase> smooth_element_cases() {
  std::vector<ElementCase> all = element_cases();
  std::erase_if(all, [](const ElementCase& c) { return !c.smooth; });
  return all;
}

}  // namespace torsor::testing
