#pragma once
// Lanes of packs, and what their runs computed, to be compared with those of other packs and of single runs.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "testing/models.h"
#include "torsor/base/norm.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/pack_runs.h"

namespace torsor {

/// The arm with what a step may meet on its way: stops, slack tendons, friction.
inline ModelDescription limited_arm() {
  ModelDescription d = reference::three_link_arm_with_tendons();
  for (Tendon& tendon : d.tendons) tendon.tension_only = true;
  d.stops.push_back({.name = "stop", .joint = 1, .ranges = {{-0.3, 0.3, 50, 0.1}}});
  d.friction.push_back({.name = "rub", .joint = 2, .laws = {{0.05, 0.01, 0.08, 0.1, 0.02}}});
  return d;
}
/// Programs with kinks that lie elsewhere in each.
inline ModelDescription kinked_arm(int number) {
  ModelDescription d = reference::driven_arm();
  for (Actuator& actuator : d.actuators) actuator.effort = make_hat(1.5, 0.213 + 0.037 * number, 0.9);
  return d;
}
/// Its first step fails.
inline ModelDescription run_away(ModelDescription d) {
  d.initial.rates = {{d.joints[0].name, {1e200}}};
  return d;
}
/// A lane's own mechanism: masses differ.
inline ModelDescription with_other_masses(ModelDescription d, int number) {
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const double share = 1 + 0.05 * number + 0.01 * number * static_cast<double>(b);
    d.bodies[b].mass *= share;
    d.bodies[b].inertia = share * d.bodies[b].inertia;
  }
  return d;
}

using Steppers = std::vector<std::unique_ptr<Stepper>>;
/// By `make(number)`, a description for each number.
template <class Make>
Steppers make_steppers(const std::vector<int>& numbers, const StepperChoice& choice, Make&& make) {
  Steppers all;
  for (const int number : numbers) all.push_back(make_stepper(Model(make(number)), choice));
  return all;
}
inline std::vector<Stepper*> pointers(const Steppers& all) {
  std::vector<Stepper*> of;
  for (const auto& stepper : all) of.push_back(stepper.get());
  return of;
}

/// What a run computed, number by number.
using Numbers = std::vector<double>;
/// All that it recorded, and what its ledger saw between the records.
inline Numbers numbers_of(const Record& record) {
  const Ledger& ledger = record.ledger;
  Numbers all;
  const auto add = [&](std::initializer_list<double> some) { all.insert(all.end(), some); };
  add({ledger.energy_max_residual, ledger.energy_max_error, ledger.linear_max_error.value_or(-1),
       ledger.angular_max_error.value_or(-1), ledger.size, static_cast<double>(ledger.steps)});
  for (const TouchedStop& stop : ledger.touched_stops) {
    add({stop.bound, stop.first_time, static_cast<double>(stop.times), stop.overshoot, stop.time});
  }
  for (const SlackTendon& tendon : ledger.slack_tendons) {
    add({tendon.first_time, static_cast<double>(tendon.times), tendon.share, tendon.least_length,
         tendon.rest_length});
  }
  for (const EffortBeyond& effort : ledger.efforts_beyond) {
    add({effort.low, effort.high, effort.least, effort.most, effort.first_time});
  }
  Numbers row(static_cast<std::size_t>(row_width(record.manifest.channels)));
  for (const Observation& o : record.observations) {
    fill_row(o, 0, record.manifest, row);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}
/// Of these the motion and its balance, which two orders of sums leave near to each other. What a solver did is another matter,
/// and reactions may be large.
inline Numbers motion_numbers(const Record& record) {
  Numbers all{record.ledger.energy_max_residual, record.ledger.energy_max_error,
              static_cast<double>(record.ledger.steps)};
  for (const Observation& o : record.observations) {
    all.insert(all.end(), {o.time, o.kinetic, o.gravity, o.elastic, o.position_error, o.velocity_error});
    for (const Vec3<double>& momentum : {o.linear_momentum, o.angular_momentum}) {
      all.insert(all.end(), {momentum.x, momentum.y, momentum.z});
    }
    all.insert(all.end(), o.work.begin(), o.work.end());
    all.insert(all.end(), o.dissipated.begin(), o.dissipated.end());
    for (const BodyObservation& body : o.bodies) {
      for (int i = 0; i < 3; ++i)
        all.insert(all.end(), {body.com[i], body.velocity[i], body.angular_velocity[i]});
    }
    for (const JointObservation& joint : o.joints) {
      all.insert(all.end(), joint.position.begin(), joint.position.end());
      all.insert(all.end(), joint.rate.begin(), joint.rate.end());
    }
  }
  return all;
}
/// By packs of this width, none of whose lanes fails.
inline std::vector<Record> packed_records(const Steppers& all, const RunSettings& settings,
                                          int width = StepperPack::kMost) {
  EXPECT_EQ(pack_fault(pointers(all)), "");
  PackBench as_wide{PackWidth::of(width)};
  std::vector<Record> records = simulate_pack(pointers(all), settings, {}, true, &as_wide);
  for (const Record& record : records) EXPECT_FALSE(record.failure) << record.failure->what();
  return records;
}
inline std::vector<Numbers> packed_numbers(const Steppers& all, const RunSettings& settings,
                                           int width = StepperPack::kMost) {
  std::vector<Numbers> numbers;
  for (const Record& record : packed_records(all, settings, width)) numbers.push_back(numbers_of(record));
  return numbers;
}

inline bool same_bits(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}
inline double apart(const Numbers& a, const Numbers& b) {
  double most = a.size() == b.size() ? 0 : NAN;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    keep_largest(most, std::abs(a[k] - b[k]) / (1 + std::abs(b[k])));
  }
  return most;
}

/// The run of number 3, by `numbers(lanes, width)` of packs that it is in, is the same whatever lanes there are beside it and
/// however wide the pack.
template <class Of>
void expect_own_numbers(Of&& numbers) {
  const Numbers alone = numbers({3}, 8)[0];
  const std::vector<Numbers> two = numbers({9, 3}, 8);
  EXPECT_TRUE(same_bits(alone, two[1]));
  EXPECT_TRUE(same_bits(alone, numbers({3, 1, 2, 0, 4, 5, 6, 7}, 8)[0]));
  EXPECT_TRUE(same_bits(alone, numbers({11, 12, 13, 14, 3, 15, 16, 17}, 8)[4]));
  EXPECT_TRUE(same_bits(alone, numbers({3}, 4)[0]));
  EXPECT_TRUE(same_bits(alone, numbers({11, 12, 13, 14, 15, 3, 16, 17}, 4)[5]));
  EXPECT_FALSE(same_bits(alone, two[0]));
}

}  // namespace torsor
