#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "cli/interrupt_watch.h"
#include "cli/model_argument.h"
#include "cli/output_flags.h"
#include "cli/output_watch.h"
#include "cli/passing_result.h"
#include "cli/progress.h"
#include "cli/run_end.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/assembly/start.h"
#include "torsor/base/nearest.h"
#include "torsor/format/model_files.h"
#include "torsor/format/units.h"
#include "torsor/model/notices.h"
#include "torsor/page/report.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/result_channels.h"
#include "torsor/simulation/interruptible_stepper.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"
#include "torsor/study/step_choice.h"
#include "torsor/study/verification.h"

namespace torsor {
namespace {

constexpr const char* kRunFooter = R"(Examples:
  torsor run tendon_arm
  torsor run my_model.yaml --formulation joint --integrator dopri5 --duration 20 --out result.h5
  torsor run four_bar --report four_bar.html
  torsor run tendon_arm --duration 5 --verify
  torsor run four_bar --accuracy 1e-6
  torsor run tendon_arm --set gravity=[0,-9.81] --set "tendons.biarticular.stiffness=2 kN/m" --json
  torsor run double_pendulum --formulation joint --integrator "{name: dopri5, tolerance: 1e-12}"
  torsor run four_bar --out long.h5 --duration 1000 --record energy --record "joints.*.reaction" --extrema
  torsor run four_bar --out long.h5 --duration 1000 --record-every "{steps: 100, keep: extremes}"
--formulation, --integrator, --step, --duration, --record and --record-every stand for --set simulation.KEY=VALUE.
--duration 0 records the start.)";

struct RunOptions {
  ModelArgument model;
  std::string formulation, integrator, step, duration, record_every, tolerance, out, report;
  std::string accuracy, checkpoint;
  std::vector<std::string> record;
  bool json = false, extrema = false, units = false, verify = false, force = false;
};

/// As YAML has it: a name may begin with `*`.
std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    std::string doubled;
    for (char c : name) doubled.append(c == '\'' ? 2 : 1, c);
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", doubled);
  }
  return "[" + list + "]";
}

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
  if (!options.record.empty()) override_with("record", quoted_list(options.record));
  override_with("record_every", options.record_every);
  return overrides;
}

bool is_hdf5(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

constexpr CheckpointChoice kNoCheckpoints{0, 0, false};

CheckpointChoice checkpoints_asked(const RunOptions& options) {
  if (options.checkpoint.empty()) return {};
  const CheckpointChoice choice = parse_checkpoint_choice(options.checkpoint);
  if (!is_hdf5(options.out) && !choice.is_off()) {
    throw ModelError("--checkpoint",
                     "a result file .h5, which has room for it (--out; `torsor export` makes .csv of it)",
                     options.out.empty() ? "none" : in_quotes(options.out));
  }
  return choice;
}

std::unique_ptr<RunListener> make_writer(const std::string& path, const Model& model,
                                         const std::string& settings, const CheckpointChoice& checkpoints,
                                         bool units = false) {
  if (path.empty()) return nullptr;
  if (is_hdf5(path)) return std::make_unique<Hdf5Writer>(path, model, settings, checkpoints);
  if (std::filesystem::path(path).extension() == ".csv") return std::make_unique<CsvWriter>(path, units);
  throw ModelError("--out", "a file that ends in .h5 or .csv", in_quotes(path));
}

double error_asked(const std::string& text) {
  const ParsedQuantity error = parse_quantity(text, kNumber);
  if (!error.fault.empty()) throw ModelError("--accuracy", described(kNumber), error.fault);
  return error.value;
}

Status run(const RunOptions& options, const Model& model, const ImportReport& imported) {
  for (const std::string& notice : notices_of(model)) say("torsor: notice: {}\n", notice);
  std::vector<std::string> read = files_of(model, imported);
  require_replaceable(options.out, "--out", read, options.force);
  read.push_back(options.out);
  require_replaceable(options.report, "--report", read, options.force);
  StepperChoice choice;
  if (!options.tolerance.empty()) choice.tolerance = model.simulation().tolerance.value();
  Settings settings = resolve_settings(model, choice);
  const StudySubject subject(model);
  const std::unique_ptr<Stepper> stepper = make_stepper(model, subject.start, settings.method);
  std::optional<StepChoice> chosen;
  if (!options.accuracy.empty()) {
    ProgressLine line;
    ChosenSteps steps = choose_steps(subject, settings.method, settings.run,
                                     {.error = error_asked(options.accuracy)}, std::ref(line));
    settings.run = steps.run;
    chosen = steps.choice;
  }
  settings.run.extrema = options.extrema;
  const std::string listed_settings = settings_json(model, settings, chosen);
  const CheckpointChoice checkpoints = checkpoints_asked(options);
  const std::unique_ptr<RunListener> writer =
      make_writer(options.out, model, listed_settings, checkpoints, options.units);
  std::optional<PassingResult> passing;
  std::unique_ptr<RunListener> passing_writer;
  if (!options.report.empty()) {
    if (!is_hdf5(options.out)) {
      passing_writer = make_writer(passing.emplace().path(), model, listed_settings, kNoCheckpoints);
    }
  }
  if (!writer && !passing_writer && !options.extrema) {  // nobody reads what lies between
    settings.run.record_every =
        options.verify ? Verifier::spacing(settings.run) : std::numeric_limits<int>::max();
    settings.run.extremes_of.clear();
  }
  LastState last;
  ProgressBar progress;
  std::vector<RunListener*> listeners{&progress, &last};
  std::vector<std::unique_ptr<OutputWatch>> outputs;
  for (RunListener* one : {writer.get(), passing_writer.get()}) {
    if (one) listeners.push_back(outputs.emplace_back(std::make_unique<OutputWatch>(*one)).get());
  }
  Verifier verifier(subject, settings.method, result_channels);
  if (options.verify) listeners.push_back(&verifier);

  catch_interrupt();
  InterruptibleStepper interruptible(*stepper, was_interrupted);
  Record record = simulate(interruptible, settings.run, listeners, false);
  record.ledger.accuracy.choice = chosen;
  if (options.verify && !record.failure) {
    InterruptWatch watch;
    ProgressLine line;
    record.ledger.accuracy.verification = verifier.verify(std::ref(line), &watch);
  }

  const bool cut_off = record.failure && was_interrupted();
  const auto failed =
      std::find_if(outputs.begin(), outputs.end(), [](const auto& one) { return one->failure(); });
  print_ledger(record, last.observation(), options.json, failed != outputs.end());
  if (failed != outputs.end()) throw *(*failed)->failure();
  const RunEnd end = end_of(record);
  if (options.verify || chosen) {
    const std::string text = ledger_json(record.ledger, record.manifest, last.observation(), end);
    if (is_hdf5(options.out)) replace_ledger(options.out, text);
    if (passing) replace_ledger(passing->path(), text);
  }
  if (writer) say("result: {}\n", options.out);
  if (!options.report.empty()) {
    write_report({{passing ? passing->path() : options.out}, {}}, options.report, "--report");
    say("report: {}\n", options.report);
  }
  if (const Status status = say_how_it_ended(record); status != kDone) {
    if (cut_off && is_hdf5(options.out) && !checkpoints.is_off()) say_how_to_resume(options.out);
    return status;
  }
  if (chosen && !chosen->shortfall.empty()) {
    say("torsor: {}\n", chosen->shortfall);
    return kFellShort;
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
  verb.add_option("--record", options->record,
                  "channels of the result file by name or beginning, with * and ? (default: all)")
      ->type_name("CHANNEL")
      ->allow_extra_args(false);
  verb.add_option("--record-every", options->record_every,
                  "steps between two records; {steps: N, keep: extremes} records the extremes between")
      ->type_name("N");
  verb.add_flag("--verify", options->verify,
                "run again with half the step and say how many digits of each channel are correct");
  verb.add_option(
          "--accuracy", options->accuracy,
          "choose steps so that the error of the motion is at most E: positions over the size, angles in rad")
      ->type_name("E");
  verb.add_option("--out", options->out, "result file, .h5 or .csv")->type_name("FILE");
  verb.add_option(
          "--checkpoint", options->checkpoint,
          "how often a .h5 file keeps a checkpoint for `torsor resume`: '10 s' (the default), '5 min', "
          "'1000 steps', off")
      ->type_name("EVERY");
  verb.add_option("--report", options->report, "page with moving picture, plots and ledger")
      ->type_name("FILE.html");
  verb.add_flag("--units", options->units,
                "in a .csv file a second line, which begins with #, says the units");
  verb.add_flag("--extrema", options->extrema,
                "least and greatest value of every recorded number, with their times, in the ledger");
  verb.add_flag("--json", options->json, "the ledger as one JSON object");
  add_force(verb, options->force);
  verb.footer(kRunFooter);
  return [options] {
    if (!options->report.empty()) require_report_place(options->report, "--report");
    return options->model.use(overrides_of(*options), [&](const Model& model, const ImportReport& imported) {
      return run(*options, model, imported);
    });
  };
}

}  // namespace torsor
