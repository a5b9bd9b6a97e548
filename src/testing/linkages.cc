#include "testing/linkages.h"

#include <string>

namespace torsor::reference {
namespace {

Body bar(const std::string& name, double length) {
  const double J = length * length / 12;
  return {name, 1, {0.5 * length, 0, 0}, {0.5 * J, 0.5 * J, J, 0, 0, 0}, {}, {}};
}

Joint pin(const std::string& name, int parent, int child, double in_parent, double in_child = 0) {
  Joint joint;
  joint.name = name;
  joint.parent = parent;
  joint.child = child;
  joint.in_parent.position = {in_parent, 0, 0};
  joint.in_child.position = {in_child, 0, 0};
  return joint;
}

}  // namespace

ModelDescription four_bar(double crank, double coupler, double rocker, double ground) {
  ModelDescription d;
  d.name = "four-bar";
  d.dimension = 2;
  d.bodies = {bar("crank", crank), bar("coupler", coupler), bar("rocker", rocker)};
  d.joints = {pin("drive", kWorld, 0, 0), pin("crank_pin", 0, 1, crank), pin("pivot", kWorld, 2, ground),
              pin("rocker_pin", 1, 2, coupler, rocker)};
  return d;
}

ModelDescription spatial_four_bar(double crank, double coupler, double rocker, double ground) {
  ModelDescription d = four_bar(crank, coupler, rocker, ground);
  d.name = "spatial four-bar";
  d.dimension = 3;
  for (Body& body : d.bodies) body.inertia = {0.1, 0.1, 0.1, 0, 0, 0};
  return d;
}

ModelDescription slider_crank(double crank, double rod) {
  ModelDescription d;
  d.name = "slider-crank";
  d.dimension = 2;
  d.bodies = {bar("crank", crank), bar("rod", rod), bar("slider", 0.1)};
  Joint guide = pin("guide", kWorld, 2, 0);
  guide.type = JointType::prismatic;
  guide.axis = {1, 0, 0};
  d.joints = {pin("drive", kWorld, 0, 0), pin("crank_pin", 0, 1, crank), guide, pin("wrist_pin", 1, 2, rod)};
  return d;
}

ModelDescription parallel_four_bars(int n) {
  ModelDescription d;
  d.name = "parallel four-bars";
  d.dimension = 2;
  for (int i = 0; i <= n; ++i) {
    const std::string number = std::to_string(i + 1);
    const int crank = static_cast<int>(d.bodies.size());
    d.bodies.push_back(bar("rod" + number, 1));
    d.joints.push_back(pin("crank" + number, kWorld, crank, i));
    if (i > 0) d.joints.push_back(pin("pin" + std::to_string(i), crank - 1, crank, 1, 1));
    if (i == n) break;
    d.bodies.push_back(bar("bar" + number, 1));
    d.joints.push_back(pin("top" + number, crank, crank + 1, 1));
  }
  return d;
}

ModelDescription scissors(int n) {
  constexpr double kHalf = 0.5, kRise = 0.3;
  const double length = 2 * std::hypot(kHalf, kRise), slope = std::atan2(kRise, kHalf);
  ModelDescription d;
  d.name = "scissors";
  d.dimension = 2;
  // Of a cross, the bar that falls to the right is the first; ends are those on the left, on the right.
  const auto index = [&](int row, int column, int second) { return 2 * (n * row + column) + second; };
  const auto join = [&](int parent, double at, int child, double child_at) {
    const std::string name = "pin" + std::to_string(d.joints.size());
    d.joints.push_back(pin(name, parent, child, at, child_at));
    return name;
  };
  std::vector<bool> held(2 * n * n, false);
  const auto angle = [&](int b) { return b % 2 == 0 ? -slope : slope; };
  const auto attach = [&](int parent, double at, int child, double child_at) {
    const std::string name = join(parent, at, child, child_at);
    if (held[child]) return;
    held[child] = true;
    d.initial.joints[name] = {angle(child) - (parent == kWorld ? 0 : angle(parent))};
  };
  for (int b = 0; b < 2 * n * n; ++b) d.bodies.push_back(bar("bar" + std::to_string(b), length));
  attach(kWorld, 0, 0, 0);
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      const int first = index(row, column, 0), second = index(row, column, 1);
      if (column > 0) attach(index(row, column - 1, 1), length, first, 0);  // upper corner on the left
      if (column == 0 && row > 0) attach(index(row - 1, 0, 1), 0, first, 0);
      attach(first, length / 2, second, length / 2);
      if (row > 0) attach(index(row - 1, column, 0), length, second, length);  // upper corner on the right
      if (column > 0) attach(index(row, column - 1, 0), length, second, 0);    // lower corner on the left
    }
  }
  return d;
}

ModelDescription planar_loop(int links, const std::function<double()>& length, double ground) {
  ModelDescription d;
  d.name = "planar loop";
  d.dimension = 2;
  double last = 0;
  for (int i = 0; i < links; ++i) {
    const std::string number = std::to_string(i);
    d.joints.push_back(pin("j" + number, i - 1, i, last));
    last = length();
    d.bodies.push_back(bar("b" + number, last));
  }
  Joint end = pin("pin", kWorld, links - 1, ground, last);
  d.joints.push_back(end);
  return d;
}

ModelDescription bricard() {
  // Vertices of a cube on the way round that leaves out two opposite corners; the axis at each vertex is the
  // edge direction that neither of its links has.
  const Vec3<double> corner[6] = {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1}, {1, 0, 1}};
  ModelDescription d;
  d.name = "Bricard";
  // Link i lies between corners i and i + 1; link 0 is the ground, body i - 1 is link i.
  for (int i = 1; i <= 6; ++i) {
    const Vec3<double>&before = corner[i - 1], &at = corner[i % 6], &after = corner[(i + 1) % 6];
    Joint joint;
    joint.name = "r" + std::to_string(i);
    joint.axis = cross(at - before, after - at);
    joint.in_parent.position = joint.in_child.position = at;
    joint.parent = i == 6 ? kWorld : i - 2;
    joint.child = i == 6 ? 4 : i - 1;
    d.joints.push_back(joint);
    if (i == 6) break;
    d.bodies.push_back({"link" + std::to_string(i), 1, 0.5 * (at + after), {0.1, 0.1, 0.1, 0, 0, 0}, {}, {}});
  }
  return d;
}

}  // namespace torsor::reference
