#include "experiments/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>

#include "experiments/curves.h"
#include "torsor/base/parallel.h"

namespace torsor {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

RunOutcome carry_out(const ExperimentRun& run, const LoadModel& load) {
  RunOutcome outcome{run, {}, {}, {}};
  try {
    outcome.model = std::make_shared<const Model>(load(run.model));
    if (run.step == 0) return outcome;
    const std::unique_ptr<Stepper> stepper = make_stepper(*outcome.model, run.method);
    const int every = run.record_every > 0 ? run.record_every : std::numeric_limits<int>::max();
    outcome.record = simulate(*stepper, {run.step, run.duration, every});
    if (outcome.record.failure) outcome.fault = outcome.record.failure->what();
  } catch (const std::exception& fault) {
    outcome.fault = fault.what();
    outcome.model.reset();
  }
  return outcome;
}

std::string option_text(const std::variant<double, std::string>& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
  return std::get<std::string>(value);
}

std::string model_text(const ExperimentModel& model) {
  std::string text = model.name;
  if (model.links > 0) text += fmt::format(" of {} links", model.links);
  for (const auto& [path, value] : model.set) text += fmt::format(" {}={}", path, value);
  return text;
}

std::string method_text(const StepperChoice& method) {
  std::string options;
  for (const auto& [name, value] : method.options) options += fmt::format(" {} {}", name, option_text(value));
  if (method.tolerance > 0) options += fmt::format(" tolerance {:g}", method.tolerance);
  return fmt::format("{}, {}{}", method.formulation, method.integrator, options);
}

/// Runs that differ in their step only share a line.
std::vector<std::string> run_texts(const std::vector<ExperimentRun>& runs) {
  std::vector<std::string> texts;
  for (std::size_t i = 0, j = 0; i < runs.size(); i = j) {
    const std::string model = model_text(runs[i].model);
    if (runs[i].step == 0) {
      texts.push_back(model);
      j = i + 1;
      continue;
    }
    const std::string method = method_text(runs[i].method);
    for (j = i; j < runs.size() && model_text(runs[j].model) == model &&
                method_text(runs[j].method) == method && runs[j].duration == runs[i].duration;) {
      ++j;
    }
    const std::string steps = j - i == 1
                                  ? fmt::format("{:g} s", runs[i].step)
                                  : fmt::format("{:g} .. {:g} s ({})", runs[i].step, runs[j - 1].step, j - i);
    texts.push_back(fmt::format("{}: {}, step {}, {:g} s", model, method, steps, runs[i].duration));
  }
  return texts;
}

ExperimentResult judged(const Experiment& experiment, Outcomes outcomes) {
  ExperimentResult result{experiment.name,
                          experiment.source,
                          experiment.item,
                          experiment.claim,
                          {},
                          run_texts(experiment.runs),
                          {},
                          {},
                          0};
  for (const ExperimentRun& run : experiment.runs) {
    if (std::find(result.models.begin(), result.models.end(), run.model.name) == result.models.end()) {
      result.models.push_back(run.model.name);
    }
  }
  for (const Check& check : experiment.checks) result.rows.push_back(judge(check, outcomes));
  for (const Plot& plot : experiment.plots) {
    NamedPlot named{plot.title, plot.x_label, plot.y_label, plot.log_x, plot.log_y, {}, plot.equal_axes};
    try {
      for (const Curve& curve : plot.curves(outcomes)) named.curves.push_back(thinned(curve));
    } catch (const std::exception&) {
      named.curves.clear();  // the rows tell what is wrong
    }
    result.plots.push_back(std::move(named));
  }
  return result;
}

/// The runs of all experiments, of which any thread takes the next. Whoever finishes the last run of an
/// experiment judges it and lets its states go.
class Pool {
 public:
  Pool(const std::vector<Experiment>& experiments, const LoadModel& load, const ReproductionOptions& options,
       std::vector<ExperimentResult>& results)
      : experiments_(experiments),
        load_(load),
        options_(options),
        results_(results),
        work_(experiments.size()) {}

  void run(bool timed, int threads) {
    jobs_.clear();
    for (std::size_t e = 0; e < experiments_.size(); ++e) {
      if (experiments_[e].timed != timed) continue;
      const std::size_t runs = experiments_[e].runs.size();
      work_[e].outcomes.resize(runs);
      work_[e].left = static_cast<int>(runs);
      for (std::size_t r = 0; r < runs; ++r) jobs_.push_back({e, r});
    }
    for_each_parallel(static_cast<long>(jobs_.size()), threads,
                      [this](long i, int) { carry_out_job(jobs_[i]); });
  }

 private:
  struct Job {
    std::size_t experiment, run;
  };
  struct Work {
    std::vector<RunOutcome> outcomes;
    std::atomic<int> left{0};
    std::atomic<double> seconds{0};
  };

  void carry_out_job(const Job& job) {
    const auto [e, r] = job;
    Work& work = work_[e];
    const Clock::time_point start = Clock::now();
    const ExperimentRun& run = experiments_[e].runs[r];
    if (options_.stopped && options_.stopped()) {
      work.outcomes[r] = {run, {}, {}, "interrupted"};
    } else {
      work.outcomes[r] = carry_out(run, load_);
    }
    work.seconds += since(start);
    if (--work.left == 0) finish(e);
  }

  void finish(std::size_t e) {
    results_[e] = judged(experiments_[e], work_[e].outcomes);
    results_[e].seconds = work_[e].seconds;
    work_[e].outcomes = {};
    const std::lock_guard lock(mutex_);
    ++done_;
    if (options_.on_result) options_.on_result(results_[e], done_, static_cast<int>(experiments_.size()));
  }

  const std::vector<Experiment>& experiments_;
  const LoadModel& load_;
  const ReproductionOptions& options_;
  std::vector<ExperimentResult>& results_;
  std::vector<Work> work_;
  std::vector<Job> jobs_;
  std::mutex mutex_;
  int done_ = 0;
};

std::string machine_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return "this machine";
}

}  // namespace

bool ExperimentResult::fell_short() const {
  return std::any_of(rows.begin(), rows.end(), [](const Row& r) { return r.verdict == Match::fell_short; });
}

int Reproduction::count(Match verdict) const {
  int number = 0;
  for (const ExperimentResult& e : experiments) {
    number += static_cast<int>(
        std::count_if(e.rows.begin(), e.rows.end(), [&](const Row& r) { return r.verdict == verdict; }));
  }
  return number;
}
bool Reproduction::fell_short() const { return count(Match::fell_short) > 0; }

Reproduction reproduce(const std::vector<Experiment>& experiments, const LoadModel& load,
                       const ReproductionOptions& options) {
  const Clock::time_point start = Clock::now();
  Reproduction reproduction{std::vector<ExperimentResult>(experiments.size()), machine_name(), 0,
                            std::max(1, options.threads)};
  Pool pool(experiments, load, options, reproduction.experiments);
  pool.run(false, reproduction.threads);
  pool.run(true, 1);
  reproduction.seconds = since(start);
  return reproduction;
}

}  // namespace torsor
