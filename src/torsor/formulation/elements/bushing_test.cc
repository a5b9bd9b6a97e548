#include "torsor/formulation/elements/bushing.h"

#include <gtest/gtest.h>

#include "testing/element_laws.h"

namespace torsor {
namespace {

TreeBushing bushing() {
  TreeBushing made;
  made.parent = 1;
  made.child = 2;
  made.in_parent = {matrix(exp_so3(Vec3<double>{0.3, -0.2, 0.5})), {0.1, 0.2, -0.3}};
  made.in_child = {matrix(exp_so3(Vec3<double>{-0.4, 0.1, 0.2})), {0.3, -0.1, 0.2}};
  made.stiffness = {{3, 1, 2}, {0.5, 4, 1}};
  made.damping = {{0.3, 0.2, 0}, {0.1, 0, 0.4}};
  made.damper = 0;
  return made;
}

/// As the law kit asks for it.
struct Element {
  TreeBushing bushing;
  Tree tree{};

  template <class S>
  S potential(std::span<const Pose<S>> X_W) const {
    return bushing.potential(TreeView<S>{tree, 0, {}, {}, X_W, {}});
  }
  void add_wrenches(std::span<const Pose<double>> X_W, std::span<const Twist<double>> V,
                    std::span<Wrench<double>> F) const {
    bushing.apply(TreeView<double>{tree, 0, {}, {}, X_W, V}, TreeSink<double>{{}, F, {}, {}});
  }
  double dissipation(std::span<const Pose<double>> X_W, std::span<const Twist<double>> V) const {
    std::vector<Wrench<double>> F(X_W.size());
    double taken = 0;
    bushing.apply(TreeView<double>{tree, 0, {}, {}, X_W, V}, TreeSink<double>{{}, F, {}, {&taken, 1}});
    return taken;
  }
};

TEST(Bushing, IsAnInnerElement) { testing::expect_internal_element(Element{bushing()}, 3, 5); }

/// 2 sum kr_i q_i^2 with the quaternion of the rotation from J to K.
TEST(Bushing, TurnsByItsQuaternion) {
  TreeBushing turning = bushing();
  turning.stiffness.translation = {};
  turning.in_parent = turning.in_child = {};
  std::mt19937 random(3);
  for (int sample = 0; sample < 20; ++sample) {
    const testing::MovingFrames frames(random, 2);
    const SO3<double> q = exp_so3(testing::random_vector(random, 2));
    const Pose<double> X = frames.X_W[1];
    const std::vector<Pose<double>> X_W{frames.X_W[0], X, {X.R * matrix(q), {}}};
    const Vec3<double>& k = turning.stiffness.rotation;
    const double expected = 2 * (k.x * q.x * q.x + k.y * q.y * q.y + k.z * q.z * q.z);
    EXPECT_NEAR(Element{turning}.potential(std::span(X_W)), expected, 1e-14);  // measured 1.6e-15
  }
}

}  // namespace
}  // namespace torsor
