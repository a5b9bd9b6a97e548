#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "cli/interrupt.h"
#include "cli/model_argument.h"
#include "cli/passing_result.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "torsor/assembly/start.h"
#include "torsor/base/nearest.h"
#include "torsor/page/report.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

constexpr const char* kRunFooter = R"(Examples:
  torsor run tendon_arm
  torsor run my_model.yaml --formulation joint --integrator dopri5 --duration 20 --out result.h5
  torsor run four_bar --report four_bar.html
  torsor run tendon_arm --set gravity=[0,-9.81] --set "tendons.biarticular.stiffness=2 kN/m" --json
  torsor run double_pendulum --formulation joint --integrator "{name: dopri5, tolerance: 1e-12}"
--formulation, --integrator, --step, --duration and --record-every stand for --set simulation.KEY=VALUE.)";

struct RunOptions {
  ModelArgument model;
  std::string formulation, integrator, step, duration, record_every, tolerance, out, report;
  bool json = false;
};

ModelArgument::Overrides overrides_of(const RunOptions& options) {
  ModelArgument::Overrides overrides;
  const auto override_with = [&](const char* key, const std::string& value) {
    if (!value.empty()) overrides.emplace_back(std::string("simulation.") + key, value);
  };
  override_with("formulation", options.formulation);
  override_with("integrator", options.integrator);
  override_with("step", options.step);
  override_with("duration", options.duration);
  override_with("tolerance", options.tolerance);
  override_with("record_every", options.record_every);
  return overrides;
}

bool is_hdf5(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

std::unique_ptr<RunListener> make_writer(const std::string& path, const Model& model,
                                         const std::string& settings) {
  if (path.empty()) return nullptr;
  if (is_hdf5(path)) return std::make_unique<Hdf5Writer>(path, model, settings);
  if (std::filesystem::path(path).extension() == ".csv") return std::make_unique<CsvWriter>(path, model);
  throw ModelError("--out", "a file that ends in .h5 or .csv", in_quotes(path));
}

/// The state at the end of a run, however it ended.
class LastState : public RunListener {
 public:
  void on_record(const Observation& observation, double) override { observation_ = observation; }
  const Observation& observation() const { return observation_; }

 private:
  Observation observation_;
};

Status run(const RunOptions& options, const Model& model) {
  StepperChoice choice;
  if (!options.tolerance.empty()) choice.tolerance = model.simulation().tolerance.value();
  Settings settings = resolve_settings(model, choice);
  const std::unique_ptr<Stepper> stepper = make_stepper(model, make_start(model), settings.method);
  const std::string listed_settings = settings_json(model, settings);
  const std::unique_ptr<RunListener> writer = make_writer(options.out, model, listed_settings);
  std::optional<PassingResult> passing;
  std::unique_ptr<RunListener> passing_writer;
  if (!options.report.empty()) {
    if (!is_hdf5(options.out)) {
      passing_writer = make_writer(passing.emplace().path(), model, listed_settings);
    }
  }
  // Nobody reads what lies between.
  if (!writer && !passing_writer) settings.run.record_every = std::numeric_limits<int>::max();
  LastState last;
  ProgressBar progress;
  std::vector<RunListener*> listeners{&progress, &last};
  if (writer) listeners.push_back(writer.get());
  if (passing_writer) listeners.push_back(passing_writer.get());

  catch_interrupt();
  InterruptibleStepper interruptible(*stepper);
  const Record record = simulate(interruptible, settings.run, listeners, false);

  const bool cut_off = record.failure && was_interrupted();
  RunEnd end{cut_off ? "interrupted" : record.failure ? "failed" : "done", {}};
  if (record.failure && !cut_off) end.failure = record.failure;
  if (options.json) {
    fmt::print("{}\n", ledger_json(record.ledger, record.manifest, last.observation(), end, 1));
  } else {
    std::cout << record.ledger << std::flush;
  }
  if (writer) fmt::print(stderr, "result: {}\n", options.out);
  if (!options.report.empty()) {
    write_report({{passing ? passing->path() : options.out}, {}}, options.report, "--report");
    fmt::print(stderr, "report: {}\n", options.report);
  }
  if (cut_off) {
    fmt::print(stderr, "torsor: interrupted at t = {:.9g} s\n", record.ledger.time);
    return kInterrupted;
  }
  if (record.failure) {
    fmt::print(stderr, "torsor: {}\n", record.failure->what());
    return kStepFailed;
  }
  return kDone;
}

}  // namespace

RunVerb add_run(CLI::App& verb) {
  const auto options = std::make_shared<RunOptions>();
  options->model.add_to(verb);
  verb.add_option("--formulation", options->formulation, "see `torsor list formulations`");
  verb.add_option("--integrator", options->integrator, "see `torsor list integrators`");
  verb.add_option("--step", options->step, "step size, also the finest spacing of records")->type_name("H");
  verb.add_option("--duration", options->duration, "time to simulate")->type_name("T");
  verb.add_option("--tolerance", options->tolerance, "of the solver, or of the error control of dopri5");
  verb.add_option("--record-every", options->record_every, "steps between two records")->type_name("N");
  verb.add_option("--out", options->out, "result file, .h5 or .csv")->type_name("FILE");
  verb.add_option("--report", options->report, "page with moving picture, plots and ledger")
      ->type_name("FILE.html");
  verb.add_flag("--json", options->json, "the ledger as one JSON object");
  verb.footer(kRunFooter);
  return [options] {
    if (!options->report.empty()) require_report_place(options->report, "--report");
    return options->model.use(overrides_of(*options),
                              [&](const Model& model) { return run(*options, model); });
  };
}

}  // namespace torsor
