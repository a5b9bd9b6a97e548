#include "torsor/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "torsor/assembly/start.h"
#include "torsor/base/error.h"

namespace torsor {

SweepRunner::SweepRunner(const SweepDescription& description, MakeModel make)
    : samples_(description),
      make_(std::move(make)),
      keepers_(1, MeasureKeeper(description.measures)),
      values_(description.variables.size()) {}

void SweepStop::on_step(double time) {
  constexpr int kMostSteps = 16;
  constexpr std::chrono::milliseconds kSoon{10};
  if (!has_stopped && ++steps < between) return;
  steps = 0;
  const auto now = std::chrono::steady_clock::now();
  between = now - asked < kSoon ? std::min(2 * between, kMostSteps) : std::max(1, between / 2);
  asked = now;
  has_stopped = has_stopped || (stopped && stopped());
  if (has_stopped) throw RunInterrupted(time);
}

Model SweepRunner::model(long run) {
  samples_.values(run, values_);
  return make_(values_);
}

const Settings& SweepRunner::settings_of(const Model& model) {
  if (asked_ != model.simulation()) {
    settings_ = resolve_settings(model);
    settings_.run.extrema = false;
    settings_.run.extremes_of.clear();
    if (!keepers_[0].needs_all_states()) settings_.run.record_every = std::numeric_limits<int>::max();
    asked_ = model.simulation();
  }
  return settings_;
}

std::unique_ptr<Stepper> SweepRunner::stepper_of(std::shared_ptr<const Model> model,
                                                 const ChannelList& channels) {
  auto start = std::make_shared<const Start>(make_start(*model));
  if (!used_.empty()) {
    std::unique_ptr<Stepper> used = std::move(used_.back());
    used_.pop_back();
    if (used->take(model, start)) return used;
  }
  return make_stepper(std::move(model), std::move(start), settings_.method, channels);
}

namespace {

/// The measures, then kSweepLedger. Throws where the run did not get to its end.
std::vector<double> numbers_of(const Record& record, const MeasureKeeper& keeper) {
  if (record.failure) throw *record.failure;
  std::vector<double> numbers = keeper.numbers();
  const Ledger& ledger = record.ledger;
  numbers.push_back(ledger.energy_scale > 0 ? ledger.energy_max_residual / ledger.energy_scale : 0);
  numbers.push_back(ledger.position_max.value_or(0));
  numbers.push_back(static_cast<double>(ledger.steps));
  for (const double number : numbers) {
    if (!std::isfinite(number)) throw Error("a measure is not a finite number");
  }
  return numbers;
}

/// What is wrong with a run goes into its row.
template <class Make>
void attempt(SweepRow& row, Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    row.failure = error.what();
  }
  if (!row.done()) row.numbers.clear();
}

bool same_steps(const RunSettings& a, const RunSettings& b) {
  return a.step == b.step && a.duration == b.duration && a.record_every == b.record_every &&
         a.record == b.record && a.spans.empty() && b.spans.empty();
}

}  // namespace

std::vector<SweepRow> SweepRunner::run(std::span<const long> runs) {
  struct Lane {
    SweepRow* row;
    std::unique_ptr<Stepper> stepper;
    RunSettings settings;
  };
  std::vector<SweepRow> rows;
  for (const long run : runs) rows.push_back({run, {}, {}});
  std::vector<Lane> lanes;
  if (keepers_.size() < runs.size()) keepers_.resize(runs.size(), MeasureKeeper(keepers_[0]));
  for (SweepRow& row : rows) {
    attempt(row, [&] {
      const auto model = std::make_shared<const Model>(this->model(row.run));
      const Settings& settings = settings_of(*model);
      MeasureKeeper& keeper = keepers_[lanes.size()];
      Lane lane{&row, stepper_of(model, keeper.channels()), settings.run};
      keeper.find(lane.stepper->manifest());
      lane.settings.record = keeper.patterns();
      lanes.push_back(std::move(lane));
    });
  }
  for (std::size_t first = 0, end; first < lanes.size(); first = end) {
    end = first + 1;
    while (end < lanes.size() && same_steps(lanes[end].settings, lanes[first].settings)) ++end;
    std::vector<Stepper*> steppers;
    std::vector<std::vector<RunListener*>> listeners;
    for (std::size_t i = first; i < end; ++i) {
      steppers.push_back(lanes[i].stepper.get());
      listeners.push_back({&keepers_[i], &stop_});
    }
    std::vector<Record> records;
    const auto simulate_all = [&] {
      records = simulate_pack(steppers, lanes[first].settings, listeners, false, &bench_);
    };
    if (end == first + 1) {
      attempt(*lanes[first].row, simulate_all);
    } else {
      SweepRow together;
      attempt(together, simulate_all);
      if (!together.done()) {  // one of them is refused: by itself each finds out whether it is
        for (std::size_t i = first; i < end; ++i) {
          for (SweepRow& row : run(std::span(&lanes[i].row->run, 1))) *lanes[i].row = std::move(row);
        }
        continue;
      }
    }
    for (std::size_t i = first; i < end && !records.empty(); ++i) {
      if (records[i - first].failure && stop_.has_stopped) continue;
      attempt(*lanes[i].row, [&] { lanes[i].row->numbers = numbers_of(records[i - first], keepers_[i]); });
    }
  }
  for (Lane& lane : lanes) used_.push_back(std::move(lane.stepper));
  std::erase_if(rows, [](const SweepRow& row) { return row.done() && row.numbers.empty(); });  // not made
  return rows;
}

}  // namespace torsor
