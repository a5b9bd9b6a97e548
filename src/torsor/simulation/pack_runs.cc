#include "torsor/simulation/pack_runs.h"

#include <algorithm>

#include "torsor/base/pack_lanes.h"
#include "torsor/base/thread_seconds.h"
#include "torsor/simulation/lock_step.h"

namespace torsor {
namespace {

void require_packable(const std::vector<Stepper*>& steppers, int width) {
  if (steppers.empty() || steppers.size() > static_cast<std::size_t>(width)) {
    throw NotPackable{"none, or more than a pack has lanes"};
  }
  for (const Stepper* stepper : steppers) {
    if (!stepper->manifest().sampled.empty() || !stepper->manifest().exciting.empty()) {
      throw NotPackable{"sampled controllers"};
    }
    if (stepper->time() != steppers[0]->time()) throw NotPackable{"different times"};
  }
}

std::unique_ptr<LockStep> make_lock_step(const std::vector<Stepper*>& steppers, int width) {
  require_packable(steppers, width);
  if (auto lanes = make_constrained_lock_step(steppers, width)) return lanes;
  if (auto lanes = make_tree_lock_step(steppers, width)) return lanes;
  throw NotPackable{"different formulations"};
}

}  // namespace

StepperPack::StepperPack(std::vector<Stepper*> steppers, int width)
    : width_(width), lanes_(make_lock_step(steppers, width)) {
  start(steppers.size());
}

StepperPack::~StepperPack() = default;

void StepperPack::start(std::size_t lanes) {
  size_ = static_cast<int>(lanes);
  running_.reset();
  for (int lane = 0; lane < size(); ++lane) running_.set(lane);
}

void StepperPack::release() {
  lanes_->release();
  start(0);
}

bool StepperPack::take(const std::vector<Stepper*>& steppers) {
  release();
  require_packable(steppers, width_);
  if (!lanes_->take(steppers)) return false;
  start(steppers.size());
  return true;
}

const std::optional<StepFailure>& StepperPack::failure(int lane) const { return lanes_->failure(lane); }

void StepperPack::step(double h) { lanes_->step(h, running_); }

void StepperPack::share_balances() { lanes_->share_balances(running_); }

std::string pack_fault(const std::vector<Stepper*>& steppers) {
  try {
    make_lock_step(steppers, StepperPack::kMost);
  } catch (const NotPackable& fault) {
    return fault.reason;
  }
  return "";
}

namespace {

/// None where they cannot be packed. One that was used before serves again if it can.
std::unique_ptr<StepperPack> pack_of(const std::vector<Stepper*>& steppers, int width,
                                     std::unique_ptr<StepperPack> used) {
  try {
    if (used && used->take(steppers)) return used;
    return std::make_unique<StepperPack>(steppers, width);
  } catch (const NotPackable&) {
    return nullptr;
  }
}

/// Of a width among all.
std::size_t place_of(int width) {
  return std::find(std::begin(StepperPack::kWidths), std::end(StepperPack::kWidths), width) -
         std::begin(StepperPack::kWidths);
}

/// Runs in lock-step to their ends.
void run_together(StepperPack& pack, std::span<const std::unique_ptr<SteppedRun>> runs) {
  for (;;) {
    double h = 0;
    for (const auto& run : runs) {
      if (run->goes_on()) h = run->next_step();
    }
    if (h == 0) return;
    pack.step(h);
    pack.share_balances();
    for (int lane = 0; lane < pack.size(); ++lane) {
      SteppedRun& run = *runs[lane];
      if (!run.goes_on()) continue;
      const auto& failure = pack.failure(lane);
      failure ? run.fail(*failure) : run.book();
      if (!run.goes_on()) pack.stop(lane);
    }
  }
}

}  // namespace

PackWidth PackWidth::of(int width) {
  PackWidth decided;
  decided.book(width, 0);
  for (Timed& timed : decided.timed_) timed.rounds = kRounds;
  return decided;
}

bool PackWidth::is_decided() const {
  return std::all_of(timed_.begin(), timed_.end(), [](const Timed& one) { return one.rounds >= kRounds; });
}

int PackWidth::next() const {
  const auto fewer = [](const Timed& a, const Timed& b) { return a.rounds < b.rounds; };
  const auto quicker = [](const Timed& a, const Timed& b) { return a.least < b.least; };
  auto chosen = std::min_element(timed_.begin(), timed_.end(), fewer);
  if (is_decided()) chosen = std::min_element(timed_.begin(), timed_.end(), quicker);
  return StepperPack::kWidths[chosen - timed_.begin()];
}

void PackWidth::book(int width, double seconds_per_step) {
  Timed& timed = timed_[place_of(width)];
  ++timed.rounds;
  timed.least = std::min(timed.least, seconds_per_step);
}

std::vector<Record> simulate_pack(const std::vector<Stepper*>& steppers, const RunSettings& settings,
                                  std::span<const std::vector<RunListener*>> listeners, bool keep,
                                  PackBench* bench) {
  const auto listening = [&](std::size_t i) {
    return listeners.empty() ? std::vector<RunListener*>{} : listeners[i];
  };
  std::vector<Record> records;
  records.reserve(steppers.size());
  PackWidth* const width = bench ? &bench->width : nullptr;
  const auto used = [&](int lanes) {
    return bench ? std::move(bench->packs[place_of(lanes)]) : std::unique_ptr<StepperPack>();
  };
  RecordedMotion own;
  RecordedMotion& recorded = bench ? bench->recorded : own;
  bool one_by_one = false;  // the last one cannot be packed, and most likely the next cannot either
  for (std::size_t first = 0, count; first < steppers.size(); first += count) {
    const int lanes_at_most = width ? width->next() : StepperPack::kMost;
    // Reading the thread's clock is a system call: only while the width is undecided.
    const bool is_timed = width && !width->is_decided() && settings.duration > 0;
    const double begin = is_timed ? thread_seconds() : 0;
    count = one_by_one ? 1 : std::min<std::size_t>(lanes_at_most, steppers.size() - first);
    const auto lanes = [&] {
      return std::vector<Stepper*>(steppers.begin() + static_cast<long>(first),
                                   steppers.begin() + static_cast<long>(first + count));
    };
    std::unique_ptr<StepperPack> pack = pack_of(lanes(), lanes_at_most, used(lanes_at_most));
    // What can be packed by itself is: else its numbers would depend on the company in which it was asked for.
    if (!pack && count > 1) {
      count = 1;
      pack = pack_of(lanes(), lanes_at_most, nullptr);
    }
    one_by_one = !pack;
    if (!pack) {
      records.push_back(simulate(*steppers[first], settings, listening(first), keep));
      continue;
    }
    std::vector<std::unique_ptr<SteppedRun>> runs;
    for (std::size_t i = first; i < first + count; ++i) {
      const bool motion_alone = recorded.is_all(steppers[i]->manifest().channels, settings);
      runs.push_back(begin_run(*steppers[i], settings, listening(i), keep, motion_alone));
    }
    run_together(*pack, runs);
    long steps = 0;
    for (const auto& run : runs) {
      records.push_back(run->close());
      steps += records.back().ledger.steps;
    }
    if (is_timed && steps > 0 && pack->size() == lanes_at_most) {
      width->book(lanes_at_most, (thread_seconds() - begin) / static_cast<double>(steps));
    }
    pack->release();
    if (bench) bench->packs[place_of(lanes_at_most)] = std::move(pack);
  }
  return records;
}

}  // namespace torsor
