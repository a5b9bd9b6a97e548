#include "torsor/simulation/slack_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "testing/models.h"
#include "testing/runs.h"

namespace torsor {
namespace {

constexpr double kMass = 2, kStiffness = 50, kGravity = 9.81, kRest = 3;
constexpr double kSag = kMass * kGravity / kStiffness;

/// A mass that hangs by a tendon and slides vertically, let go with a stretch of `pull`:
///   stretch = sag + (pull - sag) cos(omega t)
ModelDescription hung_mass(double pull, bool tension_only) {
  ModelDescription d;
  d.name = "hung mass";
  d.dimension = 2;
  d.gravity = {0, -kGravity, 0};
  d.bodies = {{"mass", kMass, {}, {0.5, 0.5, 1, 0, 0, 0}, {}, {}}};
  Joint guide;
  guide.name = "guide";
  guide.type = JointType::prismatic;
  guide.parent = kWorld;
  guide.child = 0;
  guide.axis = {0, -1, 0};
  d.joints = {guide};
  d.tendons = {{"cord", {{"hook", kWorld, {}}, {"eye", 0, {}}}, kStiffness, kRest, 0, tension_only}};
  d.initial.joints["guide"] = {kRest + pull};
  return d;
}

/// By the analytic motion over one period: where the cord hangs slack the mass is in free flight.
TEST(SlackWatch, TellsWhenACordGoesSlackOrPushes) {
  const double omega = std::sqrt(kStiffness / kMass), pull = 4 * kSag, swing = pull - kSag;
  const double first = std::acos(-kSag / swing) / omega;
  const double speed = omega * std::sqrt(swing * swing - kSag * kSag);
  for (const bool tension_only : {true, false}) {
    const double lasts = tension_only ? 2 * speed / kGravity : 2 * (std::numbers::pi / omega - first);
    const double rise = tension_only ? speed * speed / (2 * kGravity) : swing - kSag;
    for (const char* integrator : {"dopri5", "energy-momentum"}) {
      SCOPED_TRACE(integrator);
      const Ledger ledger =
          testing::run(hung_mass(pull, tension_only), integrator, 1e-3, 2 * first + lasts).ledger;
      ASSERT_EQ(ledger.slack_tendons.size(), 1u);
      const SlackTendon& cord = ledger.slack_tendons[0];
      EXPECT_EQ(cord.name, "cord");
      EXPECT_EQ(cord.pushes, !tension_only);
      EXPECT_EQ(cord.times, 1);
      EXPECT_EQ(cord.rest_length, kRest);
      EXPECT_NEAR(cord.first_time, first, 2e-6);                   // measured 9e-7
      EXPECT_NEAR(cord.share, lasts / (2 * first + lasts), 2e-6);  // measured 6e-7
      EXPECT_NEAR(cord.least_length, kRest - rise, 3e-6);          // measured 1.5e-6
    }
  }
}

TEST(SlackWatch, CountsEveryTime) {
  const double period = 2 * std::numbers::pi / std::sqrt(kStiffness / kMass);
  const Ledger ledger = testing::run(hung_mass(4 * kSag, false), "dopri5", 1e-3, 5.2 * period).ledger;
  ASSERT_EQ(ledger.slack_tendons.size(), 1u);
  EXPECT_EQ(ledger.slack_tendons[0].times, 5);
  std::ostringstream text;
  text << ledger;
  EXPECT_NE(text.str().find("pushed from"), std::string::npos);
}

TEST(SlackWatch, IsSilentOfWhatStaysTaut) {
  for (const char* integrator : {"dopri5", "energy-momentum"}) {
    const Ledger ledger = testing::run(hung_mass(1.99 * kSag, true), integrator, 1e-3, 5).ledger;
    EXPECT_TRUE(ledger.slack_tendons.empty());
    std::ostringstream text;
    text << ledger;
    EXPECT_EQ(text.str().find("tendons"), std::string::npos);
  }
}

/// Lengths within rounding of the rest length are not slack.
TEST(SlackWatch, IsSilentOfATendonThatRests) {
  ModelDescription resting = hung_mass(0, true);
  resting.gravity = {};
  for (const double at : {0.0, 1e-3}) {
    resting.initial.joints["guide"] = {kRest * (1 - 1e-14) + at};
    resting.tendons[0].rest_length = kRest + at;
    const Ledger ledger = testing::run(resting, "energy-momentum", 0.01, 1).ledger;
    EXPECT_TRUE(ledger.slack_tendons.empty());
  }
}

/// A tendon may be slack at the start, and a run of no length has no share but all of it.
TEST(SlackWatch, BooksASlackStart) {
  const ModelDescription d = hung_mass(-0.1, true);
  const SlackTendon at_rest = testing::run(d, "dopri5", 0.01, 0).ledger.slack_tendons.at(0);
  EXPECT_EQ(at_rest.first_time, 0);
  EXPECT_EQ(at_rest.share, 1);
  const double fall = std::sqrt(2 * 0.1 / kGravity);
  const SlackTendon falling = testing::run(d, "dopri5", 1e-4, 2 * fall).ledger.slack_tendons.at(0);
  EXPECT_EQ(falling.first_time, 0);
  EXPECT_NEAR(falling.share, 0.5, 1e-7);  // measured 1.6e-8
  EXPECT_NEAR(falling.least_length, kRest - 0.1, 1e-15);
}

}  // namespace
}  // namespace torsor
