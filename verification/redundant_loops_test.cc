// Mechanisms whose loops say some things twice, in many poses: no digit is lost by it.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "testing/linkages.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

/// All bodies have their frames in the world's at the start, where all coordinates are zero: every loop is
/// closed without a rounding.
class RandomMechanism {
 public:
  RandomMechanism(int dimension, int seed) : random_(seed) {
    d_.name = "redundant";
    d_.dimension = dimension;
    d_.gravity = 9.81 * direction_in_plane();
  }

  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  Vec3<double> direction() {
    std::normal_distribution<double> normal;
    return normalized(Vec3<double>{normal(random_), normal(random_), normal(random_)});
  }
  Vec3<double> direction_in_plane() {
    Vec3<double> n = direction();
    if (d_.dimension == 2) n.z = 0;
    return normalized(n);
  }
  Vec3<double> axis() { return d_.dimension == 2 ? Vec3<double>{0, 0, 1} : direction(); }
  int body(const Vec3<double>& com) {
    const double m = std::pow(10, between(-1, 1)), r = between(0.1, 0.5);
    const double J = m * r * r;
    const double J_z = d_.dimension == 2 ? 1.8 * J : 0.9 * J;
    d_.bodies.push_back({"b" + std::to_string(d_.bodies.size()), m, com, {J, 0.8 * J, J_z, 0, 0, 0}, {}, {}});
    return static_cast<int>(d_.bodies.size()) - 1;
  }
  void join(JointType type, int parent, int child, const Vec3<double>& at,
            const Vec3<double>& axis = {0, 0, 1}) {
    Joint joint;
    joint.name = "j" + std::to_string(d_.joints.size());
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.in_parent.position = joint.in_child.position = at;
    if (has_axis(type)) joint.axis = axis;
    d_.joints.push_back(joint);
  }
  const ModelDescription& description() const { return d_; }
  ModelDescription& description() { return d_; }

 private:
  static Vec3<double> normalized(const Vec3<double>& v) { return (1 / norm(v)) * v; }
  std::mt19937 random_;
  ModelDescription d_;
};

using enum JointType;

/// Two bodies welded by two or three parallel hinges, hung on a pin or a ball.
void weld_of_hinges(RandomMechanism& m, JointType hung, int hinges) {
  const Vec3<double> n = m.axis(), pin = {};
  const int a = m.body(m.between(0.2, 1) * m.direction_in_plane());
  const int b = m.body(m.between(0.2, 2) * m.direction_in_plane());
  m.join(hung, kWorld, a, pin, m.axis());
  for (int i = 0; i < hinges; ++i) m.join(revolute, a, b, m.between(0.2, 1) * m.direction_in_plane(), n);
}
void doubled_fixed(RandomMechanism& m) {
  const int a = m.body(m.between(0.2, 1) * m.direction_in_plane());
  const int b = m.body(m.between(0.2, 2) * m.direction_in_plane());
  m.join(revolute, kWorld, a, {}, m.axis());
  for (int i = 0; i < 2; ++i) m.join(fixed, a, b, m.between(0.2, 1) * m.direction_in_plane());
}
/// A coupler on equal cranks, all axes parallel.
void parallelogram(RandomMechanism& m, int cranks) {
  const Vec3<double> n = m.axis();
  const Vec3<double> along = m.direction_in_plane();
  const Vec3<double> crank = m.between(0.3, 1.5) * m.direction_in_plane();
  const int coupler = m.body(crank + m.between(-1, 1) * along);
  for (int i = 0; i < cranks; ++i) {
    const Vec3<double> foot = (i + m.between(0.1, 0.9)) * along;
    const int bar = m.body(foot + 0.5 * crank);
    m.join(revolute, kWorld, bar, foot, n);
    m.join(revolute, bar, coupler, foot + crank, n);
  }
}
/// All axes meet in a point.
void spherical_four_bar(RandomMechanism& m) {
  const Vec3<double> centre = m.between(0, 1) * m.direction();
  int last = kWorld;
  for (int i = 0; i < 3; ++i) {
    const int link = m.body(centre + m.between(0.2, 1) * m.direction());
    m.join(revolute, last, link, centre + m.between(0.1, 1) * m.direction(), {});
    last = link;
  }
  m.join(revolute, kWorld, last, {}, {});
  for (Joint& joint : m.description().joints) {
    joint.axis = m.direction();
    joint.in_parent.position = joint.in_child.position = centre + m.between(0.1, 1) * joint.axis;
  }
}
/// Parallel rails, and a body that hangs on the slide.
void rails(RandomMechanism& m, int count) {
  const Vec3<double> n = m.direction_in_plane();
  const int slide = m.body(m.between(0.1, 1) * m.direction_in_plane());
  for (int i = 0; i < count; ++i)
    m.join(prismatic, kWorld, slide, m.between(0, 1) * m.direction_in_plane(), n);
  const int hung = m.body(m.between(0.3, 2) * m.direction_in_plane());
  m.join(revolute, slide, hung, m.between(0, 1) * m.direction_in_plane(), m.axis());
}
/// Two hinges and a ball on one line.
void door(RandomMechanism& m) {
  const Vec3<double> n = m.direction(), foot = m.between(0, 1) * m.direction();
  const int leaf = m.body(m.between(0.2, 1) * m.direction());
  m.join(revolute, kWorld, leaf, foot, n);
  m.join(revolute, kWorld, leaf, foot + m.between(0.2, 2) * n, n);
  m.join(spherical, kWorld, leaf, foot - m.between(0.2, 2) * n);
}
void bricard(RandomMechanism& m) {
  const ModelDescription loop = reference::bricard();
  const SO3<double> R = exp_so3(m.between(0, 3) * m.direction());
  const double size = m.between(0.3, 2);
  for (const Body& link : loop.bodies) m.body(size * act(R, link.com));
  for (const Joint& joint : loop.joints) {
    m.join(revolute, joint.parent, joint.child, size * act(R, joint.in_parent.position), act(R, joint.axis));
  }
}

struct Family {
  const char* name;
  int dimension;
  std::function<void(RandomMechanism&)> build;
};
const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"weld of two hinges on a pin", 3, [](auto& m) { weld_of_hinges(m, revolute, 2); }},
      {"weld of three hinges on a ball", 3, [](auto& m) { weld_of_hinges(m, spherical, 3); }},
      {"weld of hinges in the plane", 2, [](auto& m) { weld_of_hinges(m, revolute, 3); }},
      {"doubled fixed joint", 3, doubled_fixed},
      {"doubled fixed joint in the plane", 2, doubled_fixed},
      {"parallelogram", 3, [](auto& m) { parallelogram(m, 2); }},
      {"doubled parallelogram", 3, [](auto& m) { parallelogram(m, 4); }},
      {"doubled parallelogram in the plane", 2, [](auto& m) { parallelogram(m, 3); }},
      {"spherical four-bar", 3, spherical_four_bar},
      {"rails", 3, [](auto& m) { rails(m, 3); }},
      {"rails in the plane", 2, [](auto& m) { rails(m, 2); }},
      {"door", 3, door},
      {"Bricard's loop", 3, bricard}};
  return all;
}

/// Largest energy of the mechanism hung upright [J] and largest distance [m].
struct Size {
  double energy = 0, length = 0;
};
Size size_of(const ModelDescription& d) {
  Size size;
  for (const Body& body : d.bodies) keep_largest(size.length, norm(body.com));
  for (const Joint& joint : d.joints) keep_largest(size.length, norm(joint.in_parent.position));
  for (const Body& body : d.bodies) size.energy += body.mass * norm(d.gravity) * size.length;
  return size;
}

class RedundantLoops : public ::testing::TestWithParam<int> {};

TEST_P(RedundantLoops, KeepEnergyAndConstraints) {
  const Family& family = families()[GetParam()];
  for (int seed = 0; seed < 24; ++seed) {
    RandomMechanism mechanism(family.dimension, seed);
    family.build(mechanism);
    const ModelDescription& d = mechanism.description();
    const Size size = size_of(d);
    for (const char* integrator : {"energy-momentum", "generalized-alpha"}) {
      const Record record = testing::run(
          Model(d), {.formulation = "rotationless", .integrator = integrator, .options = {}}, 0.01, 3);
      EXPECT_FALSE(record.failure) << family.name << " " << seed << ": "
                                   << (record.failure ? record.failure->what() : "");
      if (record.ledger.integrator != "energy-momentum") continue;
      const double energy = record.ledger.energy_max_residual / size.energy;
      const double gap = *record.ledger.position_max / size.length;
      EXPECT_LT(energy, 1e-11) << family.name << " " << seed;  // measured 2.4e-13
      EXPECT_LT(gap, 1e-11) << family.name << " " << seed;     // measured 2e-14
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Families, RedundantLoops, ::testing::Range(0, 13));

}  // namespace
}  // namespace torsor
