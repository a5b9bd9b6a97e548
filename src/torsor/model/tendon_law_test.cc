#include "torsor/model/tendon_law.h"

#include <gtest/gtest.h>

#include "testing/element_laws.h"

namespace torsor {
namespace {

struct Case {
  const char* name;
  TendonLaw law;

  template <class S>
  S potential(std::span<const Pose<S>> X_W) const {
    return torsor::potential(law, X_W);
  }
  void add_wrenches(std::span<const Pose<double>> X_W, std::span<const Twist<double>> V,
                    std::span<Wrench<double>> F) const {
    torsor::add_wrenches(law, tendon_state(law, X_W, V).tension, X_W, F);
  }
  double dissipation(std::span<const Pose<double>> X_W, std::span<const Twist<double>> V) const {
    return tendon_state(law, X_W, V).dissipation;
  }
};

const TendonLaw::Via kA{0, {0.1, 0.2, 0.3}}, kB{1, {-0.2, 0, 0.1}}, kC{2, {0, 0.3, 0}}, kD{0, {0.5, -0.1, 0}};

TendonLaw::Around round(WrapLaw::Kind kind, double radius, std::optional<Vec3<double>> side) {
  return {0, {2, {0.1, 0.1, -0.2}}, matrix(exp_so3(Vec3<double>{0.4, -0.3, 0.9})), {kind, radius, side}};
}

const Case kTendons[] = {
    {"straight", {{kA, kB}, 3, 0.5, 0, false}},
    {"pushes below its rest length", {{kA, kB}, 3, 5, 0, false}},
    {"routed over a third body", {{kA, kB, kC}, 2, 0.4, 0, false}},
    {"back to its own body", {{kA, kC, kD}, 2, 0.4, 0.7, false}},
    {"damped", {{kA, kB, kC}, 2, 0.4, 1.5, false}},
    {"slack or tight, damped until it would push", {{kA, kB}, 2, 1.0, 3, true}},
    {"always slack", {{kA, kB}, 2, 100, 3, true}},
    {"damper without spring", {{kA, kB}, 0, 0, 3, false}},
    {"round a sphere", {{kA, kB, kC}, 2, 0.4, 1.5, false, {}, {round(WrapLaw::Kind::sphere, 0.4, {})}}},
    {"round a cylinder", {{kA, kB, kC}, 2, 0.4, 1.5, false, {}, {round(WrapLaw::Kind::cylinder, 0.4, {})}}},
    {"on a side of a cylinder",
     {{kA, kB}, 2, 0.4, 0, false, {}, {round(WrapLaw::Kind::cylinder, 0.3, Vec3<double>{1, 0.5, 0})}}},
};

TEST(TendonLaw, IsAnInternalElement) {
  for (const Case& tendon : kTendons) {
    SCOPED_TRACE(tendon.name);
    testing::expect_internal_element(tendon, 3, 7);
  }
}

TEST(TendonLaw, PullsAndNeverPushesWhereTensionOnly) {
  std::mt19937 random(3);
  int slack = 0, tight = 0, clipped = 0;
  const TendonLaw& law = kTendons[5].law;
  for (int sample = 0; sample < 300; ++sample) {
    const testing::MovingFrames frames(random, 2);
    const auto state = tendon_state<double>(law, frames.X_W, frames.V);
    EXPECT_GE(state.tension, 0);
    if (state.length < law.rest_length.value(0)) {
      EXPECT_EQ(state.tension, 0);
      EXPECT_EQ(state.potential, 0);
      ++slack;
    } else {
      ++(state.tension == 0 ? clipped : tight);
    }
  }
  EXPECT_GT(slack, 0);
  EXPECT_GT(tight, 0);
  EXPECT_GT(clipped, 0);
}

TEST(TendonLaw, HasNoDirectionWherePointsMeet) {
  const TendonLaw law{{{0, {}}, {1, {}}}, 2, 0.5, 1, false};
  const std::vector<Pose<Dual8>> X_W(2);
  std::vector<Twist<Dual8>> V(2);
  V[1].linear.x = Dual8::variable(1.0, 0);
  const auto state = tendon_state<Dual8>(law, X_W, V);
  EXPECT_EQ(state.length.value, 0);
  EXPECT_EQ(state.rate.value, 0);
  EXPECT_DOUBLE_EQ(state.tension.value, -1);
  std::vector<Wrench<Dual8>> F(2);
  add_wrenches<Dual8>(law, state.tension, X_W, F);
  for (const Wrench<Dual8>& f : F) {
    EXPECT_EQ(f.force.x.value, 0);
    EXPECT_EQ(f.force.x.tangent[0], 0);  // no 0/0 in the derivatives either
  }
}

}  // namespace
}  // namespace torsor
