#include "testing/models.h"

#include <cmath>

#include "testing/random_models.h"

namespace torsor::reference {
namespace {

/// A flat body of the plane.
Body rod(const std::string& name, double mass, double length, double inertia) {
  return {name, mass, {0.5 * length, 0, 0}, {0.5 * inertia, 0.5 * inertia, inertia, 0, 0, 0}, {}, {}};
}

Body block(const std::string& name, double mass, const Vec3<double>& com, const Sym3<double>& inertia) {
  return {name, mass, com, inertia, {}, {}};
}

Joint make_joint(const std::string& name, JointType type, int parent, int child, const Vec3<double>& at,
                 const Vec3<double>& axis = {0, 0, 1}) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.in_parent.position = at;
  joint.axis = axis;
  return joint;
}

Tendon make_tendon(const std::string& name, std::vector<Point> path, double stiffness, double rest_length,
                   double damping = 0, bool tension_only = false) {
  return {name, std::move(path), stiffness, rest_length, damping, tension_only};
}

SO3<double> some_rotation(double x, double y, double z) { return exp_so3(Vec3<double>{x, y, z}); }

}  // namespace

ModelDescription pendulum() {
  ModelDescription d;
  d.name = "pendulum";
  d.dimension = 2;
  d.gravity = {0, -9.81, 0};
  d.bodies = {rod("rod", 1, 1, 1.0 / 12)};
  d.joints = {make_joint("hinge", JointType::revolute, kWorld, 0, {})};
  return d;
}

ModelDescription three_link_arm() {
  ModelDescription d;
  d.name = "three-link arm";
  d.dimension = 2;
  d.gravity = {0, -1, 0};
  d.bodies = {rod("link1", 1, 1, 1), rod("link2", 1, 1, 1), rod("link3", 1, 1, 1)};
  d.joints = {make_joint("shoulder", JointType::revolute, kWorld, 0, {}),
              make_joint("elbow", JointType::revolute, 0, 1, {1, 0, 0}),
              make_joint("wrist", JointType::revolute, 1, 2, {1, 0, 0})};
  return d;
}

ModelDescription three_link_arm_with_tendons() {
  ModelDescription d = three_link_arm();
  d.name = "three-link arm with tendons";
  const Point post{"post", kWorld, {0, 0.4, 0}}, horn1{"horn1", 0, {1, 0.4, 0}},
      horn2{"horn2", 1, {1, 0.4, 0}};
  const Point anchor{"anchor", kWorld, {1, -1, 0}}, tip{"tip", 2, {1, 0, 0}};
  d.tendons = {make_tendon("biarticular", {post, horn1, horn2}, 1, 0.4),
               make_tendon("stay", {anchor, tip}, 0.5, 1)};
  return d;
}

ModelDescription driven_arm() {
  ModelDescription d = three_link_arm_with_tendons();
  d.name = "driven arm";
  d.tendons[0].damping = 0.2;
  d.tendons[1].damping = 0.1;
  JointSpring spring;
  spring.name = "wrist spring";
  spring.joint = 2;
  spring.stiffness = {2};
  spring.damping = {0.3};
  spring.rest = {0.2};
  d.joint_springs = {spring};
  d.actuators = {{"motor", 0, 0, make_hat(2, 0.7, 1.9)},
                 {"shaker", 1, 0, make_expression("0.5*sin(2*t)", {})}};
  return d;
}

ModelDescription spherical_chain(int n) {
  ModelDescription d;
  d.name = "spherical chain";
  d.gravity = {0, 0, -9.81};
  for (int i = 0; i < n; ++i) {
    const std::string number = std::to_string(i + 1);
    d.bodies.push_back(
        block("body" + number, 1 + 0.1 * i, {0.02, 0.01, -0.25}, {0.03, 0.025, 0.01, 0.001, 0, 0.002}));
    Joint joint = make_joint("ball" + number, JointType::spherical, i - 1, i, {0, 0, i == 0 ? 0 : -0.5});
    const SO3<double> R = some_rotation(0.8 - 0.3 * i, 0.2 * i, 0.1);
    d.initial.joints[joint.name] = {R.w, R.x, R.y, R.z};
    d.initial.rates[joint.name] = {0.3, -0.5 + 0.2 * i, 1.5};
    d.joints.push_back(joint);
  }
  return d;
}

ModelDescription heavy_top() {
  ModelDescription d;
  d.name = "heavy top";
  d.gravity = {0, 0, -9.81};
  d.bodies = {block("top", 1, {0, 0, 0.3}, {0.04, 0.04, 0.02, 0, 0, 0})};
  d.joints = {make_joint("tip", JointType::spherical, kWorld, 0, {})};
  const SO3<double> R = some_rotation(0.5, 0.1, 0);
  d.initial.joints["tip"] = {R.w, R.x, R.y, R.z};
  d.initial.rates["tip"] = {0.2, 0.0, 40.0};
  return d;
}

ModelDescription free_top() {
  ModelDescription d;
  d.name = "free top";
  d.bodies = {block("top", 2, {}, {0.05, 0.05, 0.02, 0, 0, 0})};
  d.joints = {make_joint("flight", JointType::free, kWorld, 0, {})};
  const SO3<double> R = some_rotation(0.3, -0.2, 0.5);
  d.initial.joints["flight"] = {R.w, R.x, R.y, R.z, 1, 2, 3};
  d.initial.rates["flight"] = {0.4, 0.0, 6.0, 0.5, -0.2, 0.1};
  return d;
}

ModelDescription free_tree() {
  ModelDescription d;
  d.name = "free tree";
  d.gravity = {0, 0, -9.81};
  d.bodies = {block("base", 3, {0.05, 0, 0.02}, {0.1, 0.12, 0.08, 0.01, 0, 0.005}),
              block("arm", 1, {0, 0.3, 0}, {0.04, 0.01, 0.045, 0, 0.001, 0}),
              block("hand", 0.5, {0.1, 0, 0.05}, {0.004, 0.006, 0.005, 0, 0, 0})};
  d.joints = {make_joint("flight", JointType::free, kWorld, 0, {}),
              make_joint("ball", JointType::spherical, 0, 1, {0.2, 0.1, 0}),
              make_joint("hinge", JointType::revolute, 1, 2, {0, 0.6, 0}, {1, 1, 0})};
  const SO3<double> R = some_rotation(0.4, 0.1, -0.3), Q = some_rotation(-0.2, 0.5, 0.3);
  d.initial.joints = {
      {"flight", {R.w, R.x, R.y, R.z, 0, 0, 1}}, {"ball", {Q.w, Q.x, Q.y, Q.z}}, {"hinge", {0.4}}};
  d.initial.rates = {
      {"flight", {1.0, -0.5, 0.7, 0.2, 0.1, 1.0}}, {"ball", {0.5, 1.0, -2.0}}, {"hinge", {1.5}}};
  return d;
}

ModelDescription all_joints() {
  ModelDescription d;
  d.name = "all joints";
  d.gravity = {0.5, 0, -9.81};
  int index = 0;
  for (const JointType type : with_others({JointType::free, JointType::revolute, JointType::prismatic,
                                           JointType::helical, JointType::cylindrical, JointType::universal,
                                           JointType::spherical, JointType::planar, JointType::fixed})) {
    const std::string name = name_of(type);
    const double s = 1 + 0.1 * index;
    d.bodies.push_back(block(name + " body", s, {0.1, 0.05 * s, -0.1},
                             {0.05 * s, 0.04 * s, 0.03 * s, 0.002, 0.001, -0.003}));
    Joint joint = make_joint(name, type, index == 0 ? kWorld : (index - 1) / 2, index, {0.3, -0.1 * s, 0.2},
                             has_axis(type) ? Vec3<double>{0.3, 0.2 * index, 1} : Vec3<double>{0, 0, 1});
    joint.in_child = {some_rotation(0.1, 0.2 * s, -0.1), {0.05, 0, 0.1}};
    joint.pitch = has_pitch(type) ? 0.2 : 0;
    d.joints.push_back(joint);
    std::vector<double> rates;
    for (int i = 0; i < rate_count(type, 3); ++i) rates.push_back(0.5 - 0.2 * i + 0.05 * index);
    if (!rates.empty()) d.initial.rates[name] = rates;
    ++index;
  }
  return d;
}

ModelDescription all_elements() {
  ModelDescription d = all_joints();
  d.name = "all elements";
  const Point sky{"sky", kWorld, {0, 0, 2}}, on_free{"on free", 0, {0.1, 0, 0}},
      on_slider{"on slider", 2, {0, 0.2, 0.1}};
  const Point on_ball{"on ball", 6, {0, 0, 0.3}}, on_plane{"on plane", 7, {0.2, 0, 0}};
  d.tendons = {make_tendon("stay", {sky, on_free, on_slider}, 20, 1, 0.5),
               make_tendon("rope", {on_free, on_ball}, 15, 0.4, 0.3, true),
               make_tendon("bridge", {on_slider, on_plane, on_ball}, 8, 0.5)};
  const auto joint_named = [&](JointType type) {
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (d.joints[j].type == type) return static_cast<int>(j);
    }
    return 0;
  };
  const auto spring = [&](const char* name, JointType type, SpringLaw law, std::vector<double> stiffness,
                          std::vector<double> damping) {
    JointSpring s;
    s.name = name;
    s.joint = joint_named(type);
    s.law = law;
    s.stiffness = std::move(stiffness);
    s.damping = std::move(damping);
    if (law != SpringLaw::angle) s.rest_rotation = some_rotation(0.1, -0.2, 0.3);
    return s;
  };
  d.joint_springs = {spring("hinge spring", JointType::revolute, SpringLaw::angle, {5}, {0.1}),
                     spring("screw spring", JointType::cylindrical, SpringLaw::angle, {3, 40}, {0.05, 0.2}),
                     spring("ball spring", JointType::spherical, SpringLaw::log, {4, 4, 4}, {0.1, 0.1, 0.1}),
                     spring("base spring", JointType::free, SpringLaw::euler321, {6, 5, 4}, {0.2, 0.1, 0.1})};
  d.loads = {
      {"wind",
       Load::Kind::force,
       on_ball,
       false,
       {Program(0.5), make_expression("sin(3*t)", {}), Program(0.0)}},
      {"thrust", Load::Kind::force, on_free, true, {Program(0.0), Program(0.0), make_hat(10, 0.2, 0.5)}},
      {"twist",
       Load::Kind::moment,
       on_plane,
       true,
       {Program(0.1), Program(0.0), make_expression("cos(t)", {})}}};
  d.actuators = {{"motor", joint_named(JointType::universal), 1, make_expression("0.3*sin(4*t)", {})},
                 {"pusher", joint_named(JointType::prismatic), 0, make_hat(3, 0.1, 0.4)}};
  return d;
}

}  // namespace torsor::reference
