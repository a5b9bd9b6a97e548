#include "torsor/simulation/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "torsor/simulation/channels.h"
#include "torsor/simulation/extreme_states.h"
#include "torsor/simulation/motion_watch.h"
#include "torsor/simulation/sampled_control.h"
#include "torsor/simulation/step_plan.h"

namespace torsor {
namespace {

void require_settings(const RunSettings& settings) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (!positive(settings.step)) {
    throw ModelError("simulation.step", "a step above 0 s", fmt::format("{:g}", settings.step));
  }
  if (!(settings.duration == 0 || positive(settings.duration))) {
    throw ModelError("simulation.duration", "a duration of 0 s or more",
                     fmt::format("{:g}", settings.duration));
  }
  if (settings.record_every < 1) {
    throw ModelError("simulation.record_every", "1 or more", std::to_string(settings.record_every));
  }
  if (settings.duration / settings.step > 1e12) {
    throw ModelError("simulation.step", "at most 1e12 steps in a run",
                     fmt::format("steps of {:g} s in {:g} s", settings.step, settings.duration));
  }
}

/// Everything that grows while a run goes.
struct Run {
  Stepper& stepper;
  Record& record;
  const std::vector<RunListener*>& listeners;
  bool keep;
  bool motion_only;  ///< nobody reads more of a recorded state
  Observation now;
  LedgerKeeper keeper;
  MotionWatch motion;
  std::optional<RecordRow> watched;  ///< whose extrema are asked for
  ExtremaWatch extrema;
  std::optional<ExtremeStates> between;
  StepPlan plan;
  long done = 0;
  bool lost = false;  ///< the state that `now` shows is finite, but its energy is not

  Run(Stepper& s, Record& r, const std::vector<RunListener*>& l, bool k, bool motion_alone)
      : stepper(s),
        record(r),
        listeners(l),
        keep(k),
        motion_only(motion_alone && !k && !has_limits(r.manifest)),
        now(first_observation(s, motion_only)),
        keeper(s.manifest(), now),
        motion(s.manifest()),
        plan(r.settings, s.time()) {
    motion.feed(now.time, s.speeds(), now.velocity_error);
    const RunSettings& settings = r.settings;
    if (settings.extrema) extrema = ExtremaWatch(watched.emplace(r.manifest, settings.record).channels());
    if (!settings.extremes_of.empty()) {
      between.emplace(r.manifest, settings.extremes_of, "simulation.record_every.keep", now).begin(now, 0);
    }
  }

  /// Then efforts are watched at recorded states.
  static bool has_limits(const Manifest& manifest) {
    return std::any_of(manifest.limits.begin(), manifest.limits.end(),
                       [](const auto& limits) { return limits.has_value(); });
  }
  static Observation first_observation(Stepper& stepper, bool motion_only) {
    Observation first = stepper.make_observation();
    if (motion_only) {
      stepper.observe_balance(first);
      stepper.observe_motion(first);
    } else {
      stepper.observe(first);
    }
    return first;
  }
  void publish(const Observation& state, double residual) {
    if (keep) record.observations.push_back(state);
    if (watched) extrema.feed(state.time, watched->fill(state, residual, record.manifest));
    for (RunListener* listener : listeners) listener->on_record(state, residual);
  }
  void book(bool publish_it) {
    const double before = now.time;
    const bool shown = publish_it || between;
    if (shown && !motion_only) {
      stepper.observe(now);
    } else {
      stepper.observe_balance(now);
      if (shown) stepper.observe_motion(now);
    }
    if (!std::isfinite(now.total())) {
      lost = true;
      const std::string fault = stepper.law_fault();
      throw StepFailure(before, now.time - before, std::numeric_limits<double>::infinity(), 0,
                        fault.empty()
                            ? "the energy is beyond all bounds: take a smaller step or another integrator"
                            : fault);
    }
    const double residual = keeper.book(now);
    motion.feed(now.time, motion.looks() ? stepper.speeds() : std::span<const BodySpeed>{},
                now.velocity_error);
    if (!publish_it) {
      if (between) between->feed(now, residual);
      return;
    }
    const auto show = [&](const Observation& state, double its) { publish(state, its); };
    if (between) between->end(now, residual, show);
    publish(now, residual);
  }
  void pass(StateTape& tape) {
    stepper.pass(tape);
    tape(now, keeper, motion, extrema, plan, done);
    if (between) tape(*between);
  }
};

/// Hands checkpoints to those that keep them.
class CheckpointGiver {
 public:
  CheckpointGiver(Run& run, std::vector<Resumption> resumed) : run_(run) {
    checkpoint_.resumed = std::move(resumed);
    for (RunListener* listener : run.listeners) {
      if (listener->keeps_checkpoints()) keepers_.push_back(listener);
    }
  }

  template <class Clock>
  void give_where_due(const Clock& wall_seconds) {
    for (RunListener* keeper : keepers_) {
      if (keeper->checkpoint_is_due(run_.done)) give(*keeper, wall_seconds());
    }
  }
  void give_all(double wall_seconds) {
    for (RunListener* keeper : keepers_) give(*keeper, wall_seconds);
  }
  bool empty() const { return keepers_.empty(); }
  const std::vector<Resumption>& resumed() const { return checkpoint_.resumed; }

 private:
  void give(RunListener& keeper, double wall_seconds) {
    tape_.clear();
    run_.pass(tape_);
    checkpoint_.time = run_.stepper.time();
    checkpoint_.steps = run_.done;
    checkpoint_.wall_seconds = wall_seconds;
    checkpoint_.numbers = tape_.numbers();
    keeper.on_checkpoint(checkpoint_);
  }

  Run& run_;
  std::vector<RunListener*> keepers_;
  StateTape tape_;
  RunCheckpoint checkpoint_;
};

void restore(Run& run, const RunCheckpoint& from) {
  const auto refuse = [](const std::string& why) {
    throw ModelError("checkpoint", "one of this model and method", "one of another run: " + why);
  };
  try {
    StateTape tape(from.numbers);
    run.pass(tape);
    if (!tape.at_end()) refuse("it goes on");
  } catch (const std::out_of_range& fault) {
    refuse(fault.what());
  }
  const auto require_consistent = [&](bool holds) {
    if (!holds) refuse("times and steps do not fit together");
  };
  require_consistent(run.done >= 0 && run.done == from.steps && run.stepper.time() == from.time);
  if (run.done >= run.plan.count()) {
    throw ModelError("--duration", fmt::format("a time after {:.9g} s, where the run stands", from.time),
                     fmt::format("{:.9g} s", run.record.settings.duration));
  }
  require_consistent(run.plan.stands_at(run.done));
}

/// A run from its start, or from a checkpoint, to its end.
class RunLoop final : public SteppedRun {
 public:
  RunLoop(Stepper& stepper, const RunSettings& settings, const RunCheckpoint* from,
          const std::vector<RunListener*>& listeners, bool keep, std::optional<bool> motion_alone)
      : stepper_(stepper),
        listeners_(listeners),
        record_(checked(stepper, settings)),
        run_(stepper, record_, listeners_, keep,
             motion_alone ? *motion_alone : records_motion_alone(record_.manifest.channels, settings)),
        checkpoints_(run_, from ? from->resumed : std::vector<Resumption>{}),
        before_(from ? from->wall_seconds : 0) {
    if (from) restore(run_, *from);
    until_recorded_ = settings.record_every - run_.done % settings.record_every;
    for (RunListener* listener : listeners_) listener->on_start(record_.manifest, settings);
    if (!from) {
      run_.publish(run_.now, 0);
      checkpoints_.give_all(0);
    }
    begin_ = std::chrono::steady_clock::now();
  }

  bool goes_on() const override { return !record_.failure && run_.done < run_.plan.count(); }
  double next_step() override {
    if (run_.done + 1 == run_.plan.count() && !checkpoints_.empty()) checkpoints_.give_all(wall_seconds());
    return run_.plan.next(stepper_.time());
  }
  void book() override {
    try {
      ++run_.done;
      run_.plan.count_step();
      const bool recorded = --until_recorded_ == 0;
      if (recorded) until_recorded_ = record_.settings.record_every;
      run_.book(recorded || run_.done == run_.plan.count());
      for (RunListener* listener : listeners_) listener->on_step(stepper_.time());
      if (!checkpoints_.empty() && run_.done < run_.plan.count()) {
        checkpoints_.give_where_due([&] { return wall_seconds(); });
      }
    } catch (const StepFailure& failure) {
      fail(failure);
    }
  }
  void fail(const StepFailure& failure) override {
    end_early(failure, dynamic_cast<const RunInterrupted*>(&failure) != nullptr);
  }
  Record close() override {
    record_.ledger =
        run_.keeper.close(record_.settings.step, run_.done, wall_seconds(), stepper_.evaluations());
    record_.ledger.singular_times = stepper_.singular_times();
    record_.ledger.energy_returned = stepper_.energy_returned();
    record_.ledger.accuracy.indicator = run_.motion.report(record_.ledger.rests);
    record_.ledger.extrema = run_.extrema.report();
    record_.ledger.resumed = checkpoints_.resumed();
    for (RunListener* listener : listeners_) listener->on_end(record_.ledger);
    return std::move(record_);
  }
  /// All steps that are left. What a listener takes ends the run where it stands.
  void go() {
    try {
      while (goes_on()) step();
    } catch (...) {
      if (!is_taken(std::current_exception())) throw;
      try {
        // Without a checkpoint: what threw may have left a step half made.
        end_early(RunInterrupted(stepper_.time()), false);
      } catch (...) {  // a law may throw again, asked for where the run stands: then that is not recorded
        if (!is_taken(std::current_exception())) throw;
      }
    }
  }

 private:
  bool is_taken(const std::exception_ptr& thrown) const {
    return std::any_of(listeners_.begin(), listeners_.end(),
                       [&](RunListener* listener) { return listener->takes(thrown); });
  }
  void step() {
    try {
      stepper_.step(next_step());
    } catch (const StepFailure& failure) {
      return fail(failure);
    }
    book();
  }
  void end_early(const StepFailure& failure, bool with_checkpoint) {
    record_.failure = failure;
    const bool stands = !run_.lost && stepper_.time() == run_.now.time;
    if (stands && with_checkpoint) checkpoints_.give_all(wall_seconds());
    if (run_.lost) {
      --run_.done;
    } else if (!stands || run_.done % record_.settings.record_every != 0) {
      try {
        run_.book(true);
      } catch (const StepFailure&) {
        // Where it stands the energy is beyond all bounds: what ended the run is still the failure to tell of.
      }
    }
  }
  static Record checked(Stepper& stepper, const RunSettings& settings) {
    require_settings(settings);
    Record record{stepper.manifest(), settings, {}, {}, {}};
    for (const auto* controllers : {&record.manifest.sampled, &record.manifest.exciting}) {
      for (const SampledController& controller : *controllers) require_whole_steps(controller, settings.step);
    }
    return record;
  }
  double wall_seconds() const {
    return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  Stepper& stepper_;
  const std::vector<RunListener*> listeners_;
  Record record_;
  Run run_;
  CheckpointGiver checkpoints_;
  long until_recorded_;  ///< steps; a division at each would be slow
  double before_;
  std::chrono::steady_clock::time_point begin_;
};

Record go(Stepper& stepper, const RunSettings& settings, const RunCheckpoint* from,
          const std::vector<RunListener*>& listeners, bool keep) {
  RunLoop loop(stepper, settings, from, listeners, keep, {});
  loop.go();
  return loop.close();
}

}  // namespace

bool records_motion_alone(const ChannelList& channels, const RunSettings& settings) {
  const std::vector<bool> chosen = chosen_channels(channels, settings.record, "simulation.record");
  if (settings.record.empty() || !settings.extremes_of.empty()) return false;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (chosen[i] && !follows_from_motion(channels[i])) return false;
  }
  return true;
}

bool RecordedMotion::is_all(const ChannelList& channels, const RunSettings& settings) {
  if (channels.key() != channels_.key() || settings.record != record_ ||
      settings.extremes_of != extremes_of_) {
    is_all_ = records_motion_alone(channels, settings);
    channels_ = channels;
    record_ = settings.record;
    extremes_of_ = settings.extremes_of;
  }
  return is_all_;
}

Record simulate(Stepper& stepper, const RunSettings& settings, const std::vector<RunListener*>& listeners,
                bool keep) {
  return go(stepper, settings, nullptr, listeners, keep);
}

std::unique_ptr<SteppedRun> begin_run(Stepper& stepper, const RunSettings& settings,
                                      const std::vector<RunListener*>& listeners, bool keep,
                                      std::optional<bool> motion_alone) {
  return std::make_unique<RunLoop>(stepper, settings, nullptr, listeners, keep, motion_alone);
}

Record resume(Stepper& stepper, const RunSettings& settings, const RunCheckpoint& from,
              const std::vector<RunListener*>& listeners, bool keep) {
  return go(stepper, settings, &from, listeners, keep);
}

}  // namespace torsor
