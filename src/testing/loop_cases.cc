#include "testing/loop_cases.h"

#include "testing/linkages.h"
#include "testing/random_elements.h"
#include "torsor/assembly/assembly.h"
#include "torsor/base/norm.h"

namespace torsor {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

/// A crank about z, a coupler, and a rocker about a skew axis; the ends of the coupler by joints of these types, of
/// which the second closes the loop.
ModelDescription skew_loop(JointType first, JointType second) {
  ModelDescription d;
  d.dimension = 3;
  const auto bar = [&](const char* name) {
    Body body{name, 1.3, {0.4, 0.05, -0.02}, {0.02, 0.2, 0.21, 0.001, 0.002, -0.003}, {}, {}};
    d.bodies.push_back(body);
  };
  bar("crank"), bar("coupler"), bar("rocker");
  const auto joint = [&](const char* name, JointType type, int parent, int child, Vec3<double> in_parent,
                         Vec3<double> in_child, Vec3<double> axis) {
    Joint j;
    j.name = name;
    j.type = type;
    j.parent = parent;
    j.child = child;
    j.in_parent.position = in_parent;
    j.in_child.position = in_child;
    if (has_axis(type)) j.axis = axis;
    if (type == JointType::helical) j.pitch = 0.1;
    d.joints.push_back(j);
  };
  joint("drive", JointType::revolute, kWorld, 0, {}, {}, {0, 0, 1});
  joint("near", first, 0, 1, {0.6, 0, 0}, {}, {0.3, 0.2, 1});
  joint("pivot", JointType::revolute, kWorld, 2, {1.7, 0.2, 0.1}, {}, {0.2, 1, 0.4});
  joint("far", second, 2, 1, {0.9, 0, 0.1}, {1.4, 0, 0}, {0.1, 1, 0.2});
  d.initial.joints = {{"drive", {0.7}}};
  d.initial.assemble = true;
  return d;
}

}  // namespace

std::vector<LoopCase> linkages() {
  std::vector<LoopCase> all;
  ModelDescription four_bar = reference::four_bar(0.5, 1.5, 1, 1.5);
  four_bar.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
  four_bar.initial.assemble = true;
  all.push_back({"four_bar", four_bar});
  ModelDescription slider = reference::slider_crank(0.4, 1.1);
  slider.initial.joints = {{"drive", {0.6}}};
  slider.initial.assemble = true;
  all.push_back({"slider_crank", slider});
  double length = 0.5;
  ModelDescription seven = reference::planar_loop(
      6, [&] { return length += 0.03; }, 0.9);
  seven.initial.joints = {{"j0", {1.1}}, {"j1", {-0.6}}, {"j2", {-0.9}}, {"j3", {-0.8}}};
  seven.initial.assemble = true;
  all.push_back({"planar_loop", seven});
  all.push_back({"R-S-U-R", skew_loop(JointType::spherical, JointType::universal)});
  all.push_back({"R-U-S-R", skew_loop(JointType::universal, JointType::spherical)});
  all.push_back({"R-S-C-R", skew_loop(JointType::spherical, JointType::cylindrical)});
  all.push_back({"R-F-H-R", skew_loop(JointType::free, JointType::helical)});
  all.push_back({"R-F-P-R", skew_loop(JointType::free, JointType::prismatic)});
  all.push_back({"R-F-fixed-R", skew_loop(JointType::free, JointType::fixed)});
  all.push_back({"R-S-planar-R", skew_loop(JointType::spherical, JointType::planar)});
  for (LoopCase& each : all)
    each.description.gravity = {0.3, -9.81, each.description.dimension == 3 ? -1.7 : 0};
  return all;
}
std::vector<LoopCase> redundant_linkages() {
  ModelDescription spatial = reference::spatial_four_bar();
  spatial.initial.joints = {{"drive", {0.8}}, {"pivot", {1.5}}};
  spatial.initial.assemble = true;
  std::vector<LoopCase> all{{"spatial_four_bar", spatial}, {"bricard", reference::bricard()}};
  for (LoopCase& each : all) each.description.gravity = {0.3, -9.81, -1.7};
  return all;
}
std::vector<LoopCase> with_elements(std::vector<LoopCase> all, Damping damping) {
  for (LoopCase& each : all) {
    add_every_element(each.description, 3, damping);
    each.name += " with elements";
  }
  return all;
}
std::vector<LoopCase> joined(std::vector<LoopCase> a, std::vector<LoopCase> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

VectorXd random_numbers(int count, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  VectorXd x(count);
  for (double& entry : x) entry = number(random);
  return x;
}

Moving random_motion(const ReducedMechanism& mechanism, std::mt19937& random) {
  Moving m{mechanism.configure(assemble(mechanism.model()).q), {}};
  m.at = mechanism.moved(m.at, 0.15 * random_numbers(m.at.dof(), random));
  m.motion.t = 0.3;
  m.motion.v = mechanism.rates(m.at, random_numbers(m.at.dof(), random));
  m.motion.a = mechanism.accelerations(m.at, m.motion.v, random_numbers(m.at.dof(), random));
  const VectorXd effort = random_numbers(mechanism.rate_count(), random);
  m.motion.effort.assign(effort.begin(), effort.end());
  const VectorXd actuation = random_numbers(static_cast<int>(mechanism.model().actuators().size()), random);
  m.motion.actuation.assign(actuation.begin(), actuation.end());
  return m;
}

double relative(const MatrixXd& a, const MatrixXd& b) {
  return max_abs(MatrixXd(a - b)) / std::max({1.0, max_abs(a), max_abs(b)});
}

void add_springs(ModelDescription& d, double damping) {
  for (std::size_t j = 0; j < d.joints.size(); ++j) {
    if (!has_plain_coordinates(d.joints[j].type)) continue;
    JointSpring spring;
    spring.name = "spring_" + d.joints[j].name;
    spring.joint = static_cast<int>(j);
    spring.stiffness.assign(rate_count(d.joints[j].type, d.dimension), 3.0 + static_cast<double>(j));
    spring.damping.assign(spring.stiffness.size(), damping);
    d.joint_springs.push_back(spring);
  }
}

}  // namespace torsor
