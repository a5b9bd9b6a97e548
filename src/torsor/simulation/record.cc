#include "torsor/simulation/record.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
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
    throw ModelError("simulation.step", "a step above 0 s", std::to_string(settings.step));
  }
  if (!(settings.duration == 0 || positive(settings.duration))) {
    throw ModelError("simulation.duration", "a duration of 0 s or more", std::to_string(settings.duration));
  }
  if (settings.record_every < 1) {
    throw ModelError("simulation.record_every", "1 or more", std::to_string(settings.record_every));
  }
  if (settings.duration / settings.step > 1e15) {
    throw ModelError("simulation.step", "a step that can be counted", std::to_string(settings.step));
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

  Run(Stepper& s, Record& r, const std::vector<RunListener*>& l, bool k)
      : stepper(s),
        record(r),
        listeners(l),
        keep(k),
        motion_only(!k && needs_motion_only(r)),
        now(first_observation(s)),
        keeper(s.manifest(), now),
        motion(s.manifest()),
        plan(r.settings, s.time()) {
    motion.feed(now.time, s.speeds(), now.velocity_error);
    const RunSettings& settings = r.settings;
    if (settings.extrema) extrema = ExtremaWatch(watched.emplace(r.manifest, settings.record).channels());
    if (!settings.extremes_of.empty()) {
      between.emplace(r.manifest, settings.extremes_of, "simulation.record_every.keep").begin(now, 0);
    }
  }

  static bool needs_motion_only(const Record& record) {
    const RunSettings& settings = record.settings;
    const std::vector<Channel>& channels = record.manifest.channels;
    if (settings.record.empty() || !settings.extremes_of.empty()) return false;
    for (const auto& limits : record.manifest.limits) {
      if (limits) return false;  // efforts are watched at recorded states
    }
    const std::vector<bool> chosen = chosen_channels(channels, settings.record, "simulation.record");
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (chosen[i] && !follows_from_motion(channels[i])) return false;
    }
    return true;
  }
  static Observation first_observation(Stepper& stepper) {
    Observation first = stepper.make_observation();
    stepper.observe(first);
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
    motion.feed(now.time, stepper.speeds(), now.velocity_error);
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
  bool same = true;
  try {
    StateTape tape(from.numbers);
    run.pass(tape);
    same = tape.at_end() && run.done == from.steps && run.stepper.time() == from.time;
  } catch (const std::out_of_range&) {
    same = false;
  }
  if (!same) throw ModelError("checkpoint", "one of this model and method", "one of another run");
  if (run.done >= run.plan.count()) {
    throw ModelError("--duration", fmt::format("a time after {:.9g} s, where the run stands", from.time),
                     fmt::format("{:.9g} s", run.record.settings.duration));
  }
}

Record go(Stepper& stepper, const RunSettings& settings, const RunCheckpoint* from,
          const std::vector<RunListener*>& listeners, bool keep) {
  require_settings(settings);
  Record record{stepper.manifest(), settings, {}, {}, {}};
  for (const auto* controllers : {&record.manifest.sampled, &record.manifest.exciting}) {
    for (const SampledController& controller : *controllers) require_whole_steps(controller, settings.step);
  }
  chosen_channels(record.manifest.channels, settings.record, "simulation.record");
  Run run(stepper, record, listeners, keep);
  if (from) restore(run, *from);
  for (RunListener* listener : listeners) listener->on_start(record.manifest, settings);

  CheckpointGiver checkpoints(run, from ? from->resumed : std::vector<Resumption>{});
  if (!from) {
    run.publish(run.now, 0);
    checkpoints.give_all(0);
  }
  const auto begin = std::chrono::steady_clock::now();
  const double before = from ? from->wall_seconds : 0;
  const auto wall_seconds = [&] {
    return before + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  try {
    while (run.done < run.plan.count()) {
      if (run.done + 1 == run.plan.count() && !checkpoints.empty()) checkpoints.give_all(wall_seconds());
      stepper.step(run.plan.next(stepper.time()));
      ++run.done;
      run.book(run.done == run.plan.count() || run.done % settings.record_every == 0);
      for (RunListener* listener : listeners) listener->on_step(stepper.time());
      if (!checkpoints.empty() && run.done < run.plan.count()) checkpoints.give_where_due(wall_seconds);
    }
  } catch (const StepFailure& failure) {
    record.failure = failure;
    const bool stands = !run.lost && stepper.time() == run.now.time;
    if (stands && dynamic_cast<const RunInterrupted*>(&failure)) checkpoints.give_all(wall_seconds());
    if (run.lost) {
      --run.done;
    } else if (!stands || run.done % settings.record_every != 0) {
      run.book(true);
    }
  }
  record.ledger = run.keeper.close(settings.step, run.done, wall_seconds(), stepper.evaluations());
  record.ledger.singular_times = stepper.singular_times();
  record.ledger.accuracy.indicator = run.motion.report();
  record.ledger.extrema = run.extrema.report();
  record.ledger.resumed = checkpoints.resumed();
  for (RunListener* listener : listeners) listener->on_end(record.ledger);
  return record;
}

}  // namespace

Record simulate(Stepper& stepper, const RunSettings& settings, const std::vector<RunListener*>& listeners,
                bool keep) {
  return go(stepper, settings, nullptr, listeners, keep);
}

Record resume(Stepper& stepper, const RunSettings& settings, const RunCheckpoint& from,
              const std::vector<RunListener*>& listeners, bool keep) {
  return go(stepper, settings, &from, listeners, keep);
}

}  // namespace torsor
