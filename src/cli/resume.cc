#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/interrupt.h"
#include "cli/output_flags.h"
#include "cli/output_watch.h"
#include "cli/progress.h"
#include "cli/run_end.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/assembly/start.h"
#include "torsor/base/nearest.h"
#include "torsor/format/model_files.h"
#include "torsor/format/units.h"
#include "torsor/page/report.h"
#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_reading.h"
#include "torsor/result/resumable_run.h"
#include "torsor/simulation/interruptible_stepper.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

constexpr const char* kResumeFooter = R"(Examples:
  torsor resume result.h5
  torsor resume result.h5 --duration 100
Goes on after Ctrl-C, kill -9 or a reboot, or to a later time, bit for bit as if the run had never stopped; the file is
that of the whole run then. Model and settings are in the file. A finished run needs --duration.)";

struct ResumeOptions {
  std::string result, duration, checkpoint, report;
  bool json = false, verify = false, force = false;
};

/// There is nothing to do: shows the ledger as it stands.
Status show_finished(const ResumableRun& run, bool json) {
  if (json) {
    put_out(json_text(parse_json(run.ledger, "ledger", run.path), 1) + "\n");
  } else {
    print_shown(parse_ledger(run.ledger));
  }
  say("torsor: the run is finished: it reached its end at t = {:.9g} s (--duration T continues to a "
      "later one)\n",
      run.settings.run.duration);
  return kDone;
}

void say_where_it_goes_on(const ResumableRun& run) {
  const std::uint64_t again = run.rows - run.checkpoints.front().rows;
  say("resumes at t = {:.9g} s, step {}{}\n", run.time(), run.checkpoints.front().run.steps,
      again == 0 ? ""
                 : fmt::format("; {} record{} after it {} made again", again, again == 1 ? "" : "s",
                               again == 1 ? "is" : "are"));
  if (!run.another_build.empty()) {
    say("note: another build wrote this file; last digits may differ from an uninterrupted run\n");
  }
}

Status resume_run(const ResumeOptions& options) {
  require_replaceable(options.report, "--report", {options.result}, options.force);
  ResumableRun run = read_resumable(options.result);
  if (!options.duration.empty()) {
    const ParsedQuantity duration = parse_quantity(options.duration, kTime);
    if (!duration.fault.empty()) throw ModelError("--duration", described(kTime), duration.fault);
    set_duration(run, duration.value);
  }
  if (run.finished) return show_finished(run, options.json);
  const CheckpointChoice checkpoints =
      options.checkpoint.empty() ? CheckpointChoice{} : parse_checkpoint_choice(options.checkpoint);
  const Model model = model_of(run);
  require_same_model(run, model);
  require_replaceable(options.report, "--report", files_of(model), options.force);
  const std::unique_ptr<Stepper> stepper = make_stepper(model, make_start(model), run.settings.method);
  Hdf5Writer writer(run, model, settings_json(model, run.settings, run.chosen), checkpoints);
  LastState last;
  ProgressBar progress;
  say_where_it_goes_on(run);
  catch_interrupt();
  InterruptibleStepper interruptible(*stepper, was_interrupted);
  OutputWatch watch(writer);
  Record record = resume(interruptible, run.settings.run, run.from(), {&progress, &last, &watch}, false);
  if (run.chosen) record.ledger.accuracy.choice = run.chosen;
  print_ledger(record, last.observation(), options.json, watch.failure().has_value());
  if (watch.failure()) throw *watch.failure();
  if (run.chosen) {
    replace_ledger(options.result,
                   ledger_json(record.ledger, record.manifest, last.observation(), end_of(record)));
  }
  say("result: {}\n", options.result);
  if (!options.report.empty()) {
    write_report({{options.result}, {}}, options.report, "--report");
    say("report: {}\n", options.report);
  }
  return say_how_it_ended(record);
}

}  // namespace

RunVerb add_resume(CLI::App& verb) {
  const auto options = std::make_shared<ResumeOptions>();
  verb.add_option("RESULT", options->result, "a result file of `torsor run --out FILE.h5`")->required();
  verb.add_option("--duration", options->duration,
                  "continue to this time (default: the end of the original run)")
      ->type_name("T");
  verb.add_option("--checkpoint", options->checkpoint, "as of `torsor run`")->type_name("EVERY");
  verb.add_option("--report", options->report, "page with moving picture, plots and ledger")
      ->type_name("FILE.html");
  verb.add_flag("--json", options->json, "the ledger as one JSON object");
  verb.add_flag("--verify", options->verify, "")->group("");  // not shown: only to say where it belongs
  add_force(verb, options->force);
  verb.footer(kResumeFooter);
  return [options] {
    if (options->verify) {
      throw ModelError("--verify", "only with `torsor run`, which compares a run with others from its start",
                       "it here");
    }
    if (!options->report.empty()) require_report_place(options->report, "--report");
    return resume_run(*options);
  };
}

}  // namespace torsor
