#include "torsor/study/state_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace torsor {
namespace {

TEST(StateError, IsNoNumberWhereAStateHasNone) {
  const std::vector<std::function<double&(BodyObservation&)>> numbers{
      [](BodyObservation& b) -> double& { return b.com.x; },
      [](BodyObservation& b) -> double& { return b.com.z; },
      [](BodyObservation& b) -> double& { return b.rotation.w; },
      [](BodyObservation& b) -> double& { return b.rotation.y; },
      [](BodyObservation& b) -> double& { return b.velocity.y; },
      [](BodyObservation& b) -> double& { return b.angular_velocity.z; }};
  const std::vector<BodyObservation> sound(3);
  EXPECT_EQ(state_error(sound, sound).position + state_error(sound, sound).velocity, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (int body = 0; body < 3; ++body) {
      for (const bool first : {true, false}) {
        std::vector<BodyObservation> a = sound, b = sound;
        numbers[i]((first ? a : b)[body]) = std::numeric_limits<double>::quiet_NaN();
        StateError error = state_error(a, b);
        error.raise(state_error(sound, sound));  // what comes later does not hide it
        EXPECT_TRUE(std::isnan(i < 4 ? error.position : error.velocity)) << i << " " << body;
      }
    }
  }
}

}  // namespace
}  // namespace torsor
