#include "torsor/simulation/ledger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace torsor {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Manifest manifest() {
  Manifest m;
  m.tendons = {"cable"};
  m.rest_lengths = {1};
  m.tension_only = {true};
  m.sources = {"motor", "load"};
  m.dampers = {"oil", "air"};
  m.has_quaternions = m.has_constraints = true;
  for (int i = 0; i < 3; ++i) {
    Twist<double> slide, turn;
    slide.linear[i] = turn.angular[i] = 1;
    m.conserved_linear.push_back(slide);
    m.conserved_angular.push_back(turn);
  }
  return m;
}

Observation observation(double time) {
  Observation o;
  o.time = time;
  o.kinetic = 1 + time;
  o.gravity = 2 - time;
  o.elastic = 0.5;
  o.work = o.dissipated = {0, 0};
  o.tendons = {{2, 0}};
  return o;
}

struct Place {
  const char* name;
  std::function<double&(Observation&)> number;
  std::vector<std::function<double(const Ledger&)>> entries;  ///< that must show it
};

const std::vector<Place>& places() {
  const auto error = [](const Ledger& l) { return l.energy_max_error; };
  const auto mean = [](const Ledger& l) { return l.energy_mean_error; };
  const auto residual = [](const Ledger& l) { return l.energy_max_residual; };
  const auto scale = [](const Ledger& l) { return l.energy_scale; };
  const auto linear = [](const Ledger& l) { return *l.linear_max_error; };
  const auto angular = [](const Ledger& l) { return *l.angular_max_error; };
  static const std::vector<Place> all{
      {"kinetic", [](Observation& o) -> double& { return o.kinetic; }, {error, mean, residual, scale}},
      {"gravity", [](Observation& o) -> double& { return o.gravity; }, {error, mean, residual, scale}},
      {"elastic", [](Observation& o) -> double& { return o.elastic; }, {error, mean, residual, scale}},
      {"work 0", [](Observation& o) -> double& { return o.work[0]; }, {residual}},
      {"work 1", [](Observation& o) -> double& { return o.work[1]; }, {residual}},
      {"dissipated 0", [](Observation& o) -> double& { return o.dissipated[0]; }, {residual}},
      {"dissipated 1", [](Observation& o) -> double& { return o.dissipated[1]; }, {residual}},
      {"linear x", [](Observation& o) -> double& { return o.linear_momentum.x; }, {linear}},
      {"linear y", [](Observation& o) -> double& { return o.linear_momentum.y; }, {linear}},
      {"linear z", [](Observation& o) -> double& { return o.linear_momentum.z; }, {linear}},
      {"angular x", [](Observation& o) -> double& { return o.angular_momentum.x; }, {angular}},
      {"angular y", [](Observation& o) -> double& { return o.angular_momentum.y; }, {angular}},
      {"angular z", [](Observation& o) -> double& { return o.angular_momentum.z; }, {angular}},
      {"position", [](Observation& o) -> double& { return o.position_error; }, {[](const Ledger& l) {
         return *l.position_max;
       }}},
      {"velocity", [](Observation& o) -> double& { return o.velocity_error; }, {[](const Ledger& l) {
         return *l.velocity_max;
       }}},
      {"unit length", [](Observation& o) -> double& { return o.unit_length_error; }, {[](const Ledger& l) {
         return *l.unit_length_max_error;
       }}},
      {"tendon", [](Observation& o) -> double& { return o.tendons[0].length; }, {[](const Ledger& l) {
         return l.slack_tendons.empty() ? 0 : l.slack_tendons[0].least_length;
       }}}};
  return all;
}

/// In the first record, in one of the middle, in the last.
TEST(Ledger, ShowsWhatIsNotANumberWhereverItStands) {
  const Manifest names = manifest();
  for (const Place& place : places()) {
    for (int poisoned = 0; poisoned < 4; ++poisoned) {
      const auto at = [&](int k) {
        Observation o = observation(0.1 * k);
        if (k == poisoned) place.number(o) = kNan;
        return o;
      };
      LedgerKeeper keeper(names, at(0));
      for (int k = 1; k < 4; ++k) keeper.book(at(k));
      const Ledger ledger = keeper.close(0.1, 3, 1, 3);
      for (const auto& entry : place.entries) {
        EXPECT_TRUE(std::isnan(entry(ledger))) << place.name << " at " << poisoned;
      }
    }
  }
}

TEST(Ledger, IsFiniteWithoutIt) {
  const Manifest names = manifest();
  LedgerKeeper keeper(names, observation(0));
  for (int k = 1; k < 4; ++k) keeper.book(observation(0.1 * k));
  const Ledger ledger = keeper.close(0.1, 3, 1, 3);
  for (const Place& place : places()) {
    for (const auto& entry : place.entries) EXPECT_TRUE(std::isfinite(entry(ledger))) << place.name;
  }
}

}  // namespace
}  // namespace torsor
