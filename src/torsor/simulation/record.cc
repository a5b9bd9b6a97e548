#include "torsor/simulation/record.h"

#include <chrono>
#include <cmath>
#include <limits>

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
  bool lost = false;  ///< the state that `now` shows is finite, but its energy is not

  Run(Stepper& s, Record& r, const std::vector<RunListener*>& l, bool k)
      : stepper(s),
        record(r),
        listeners(l),
        keep(k),
        motion_only(!k && needs_motion_only(r)),
        now(first_observation(s)),
        keeper(s.manifest(), now),
        motion(s.manifest()) {
    motion.feed(now.time, s.speeds(), now.velocity_error);
    const RunSettings& settings = r.settings;
    if (settings.extrema) extrema = ExtremaWatch(watched.emplace(r.manifest, settings.record).channels());
    if (!settings.extremes_of.empty()) {
      between.emplace(r.manifest, settings.extremes_of, "simulation.record_every.keep").begin(now, 0);
    }
    publish(now, 0);
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
};

}  // namespace

Record simulate(Stepper& stepper, const RunSettings& settings, const std::vector<RunListener*>& listeners,
                bool keep) {
  require_settings(settings);
  Record record{stepper.manifest(), settings, {}, {}, {}};
  for (const auto* controllers : {&record.manifest.sampled, &record.manifest.exciting}) {
    for (const SampledController& controller : *controllers) require_whole_steps(controller, settings.step);
  }
  chosen_channels(record.manifest.channels, settings.record, "simulation.record");
  for (RunListener* listener : listeners) listener->on_start(record.manifest, settings);
  Run run(stepper, record, listeners, keep);

  StepPlan plan(settings, stepper.time());
  const auto begin = std::chrono::steady_clock::now();
  long done = 0;
  try {
    while (done < plan.count()) {
      stepper.step(plan.next(stepper.time()));
      ++done;
      run.book(done == plan.count() || done % settings.record_every == 0);
      for (RunListener* listener : listeners) listener->on_step(stepper.time());
    }
  } catch (const StepFailure& failure) {
    record.failure = failure;
    if (run.lost) {
      --done;
    } else if (stepper.time() > run.now.time || done % settings.record_every != 0) {
      run.book(true);
    }
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  record.ledger = run.keeper.close(settings.step, done, wall.count(), stepper.evaluations());
  record.ledger.singular_times = stepper.singular_times();
  record.ledger.accuracy.indicator = run.motion.report();
  record.ledger.extrema = run.extrema.report();
  for (RunListener* listener : listeners) listener->on_end(record.ledger);
  return record;
}

}  // namespace torsor
