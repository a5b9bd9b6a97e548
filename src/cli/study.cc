#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>

#include "cli/flags.h"
#include "cli/model_argument.h"
#include "cli/output_flags.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/parallel.h"
#include "torsor/format/model_files.h"
#include "torsor/format/units.h"
#include "torsor/page/page.h"
#include "torsor/page/study_page.h"
#include "torsor/result/json_study.h"
#include "torsor/result/output_file.h"
#include "torsor/result/study_reference_reader.h"
#include "torsor/simulation/formulations.h"
#include "torsor/study/comparison.h"
#include "torsor/study/convergence_study.h"
#include "torsor/study/sampling_study.h"

namespace torsor {
namespace {

constexpr const char* kStudyFooter = R"(Examples:
  torsor study convergence three_link_arm --duration 3 --steps 0.04,0.02,0.01,0.005
  torsor study convergence tendon_arm --duration 2 --steps 0.1,0.05,0.025 --integrator energy-momentum
                           --integrator "{name: petrov-galerkin, m: 1}" --integrator rkmk4
  torsor study convergence four_bar --duration 1 --steps 0.02,0.01,0.005 --integrator all
  torsor study compare spherical_chain --accuracy 1e-8 --out methods.html
  torsor study sampling sampled_impedance_3d --periods 0.002,0.01,0.05 --duration 3)";

struct StudyOptions {
  std::string what;
  ModelArgument model;
  std::vector<std::string> steps, periods, integrators, formulations;
  std::string step, duration, reference = "fine", out;
  double accuracy = 1e-6;
  int threads = hardware_threads();
  bool json = false, force = false;
};

ModelArgument::Overrides overrides_of(const StudyOptions& options) {
  ModelArgument::Overrides overrides;
  if (!options.step.empty()) overrides.emplace_back("simulation.step", options.step);
  if (!options.duration.empty()) overrides.emplace_back("simulation.duration", options.duration);
  return overrides;
}

double duration_of(const Model& model) {
  if (model.simulation().duration) return *model.simulation().duration;
  throw ModelError("simulation.duration", "a duration in seconds (or --duration T)", "none");
}

/// In the formulations that were asked for, else in the file's own, or in the first that fits.
void add_choices(const StudyOptions& options, const Model& model, std::vector<StepperChoice>& choices) {
  StepperChoice choice;
  choice.integrator = model.simulation().integrator;
  choice.options = model.simulation().integrator_options;
  std::vector<std::string> names = options.formulations;
  if (names.empty()) {
    names = {model.simulation().formulation};
    const IntegratorEntry& entry = integrators().at(choice.integrator, "simulation.integrator");
    if (!formulation_named(names[0]).fits(entry)) {
      for (const auto& [name, formulation] : formulations()) {
        if (!formulation.fits(entry)) continue;
        names = {name};
        break;
      }
    }
  }
  for (const std::string& name : names) {
    formulations().at(name, "--formulation");
    choice.formulation = name;
    choices.push_back(choice);
  }
}

/// Each --integrator is read as the file's own would be.
std::vector<StepperChoice> choices_of(const StudyOptions& options) {
  std::vector<StepperChoice> choices;
  std::vector<std::string> texts = options.integrators;
  if (texts.empty()) texts = {""};
  for (const std::string& text : texts) {
    if (text == "all") {
      for (const StepperChoice& choice : method_choices()) {
        const auto& names = options.formulations;
        const bool asked =
            names.empty() || std::find(names.begin(), names.end(), choice.formulation) != names.end();
        if (asked) choices.push_back(choice);
      }
      continue;
    }
    ModelArgument::Overrides overrides;
    if (!text.empty()) overrides.emplace_back("simulation.integrator", text);
    options.model.use(overrides, [&](const Model& model) {
      add_choices(options, model, choices);
      return kDone;
    });
  }
  return choices;
}

std::vector<double> times_of(const std::vector<std::string>& texts, const char* flag) {
  std::vector<double> times;
  for (const std::string& text : texts) {
    const ParsedQuantity time = parse_quantity(text, kTime);
    if (!time.fault.empty()) throw ModelError(flag, described(kTime), time.fault);
    times.push_back(time.value);
  }
  return times;
}

double step_of(const Model& model) {
  if (model.simulation().step) return *model.simulation().step;
  throw ModelError("simulation.step", "a step in seconds (or --step H)", "none");
}

template <class Study>
void print_study(const Study& study, const StudyOptions& options) {
  if constexpr (requires { study_page(study); }) {
    if (!options.out.empty()) write_result(options.out, study_page(study));
  }
  if (options.json) {
    print("{}\n", study_json(study));
  } else {
    print_shown(study);
  }
}

Status convergence(const StudyOptions& options, const Model& model) {
  ConvergenceSettings settings;
  settings.steps = times_of(options.steps, "--steps");
  settings.duration = duration_of(model);
  settings.methods = choices_of(options);
  settings.threads = options.threads;
  if (options.reference != "fine") settings.reference = read_reference(options.reference, model);
  ConvergenceStudy study;
  {
    ProgressLine progress;
    study = convergence_study(model, settings, std::ref(progress));
  }
  print_study(study, options);
  return kDone;
}

Status compare(const StudyOptions& options, const Model& model) {
  ComparisonSettings settings;
  settings.step = step_of(model);
  settings.duration = duration_of(model);
  settings.accuracy = options.accuracy;
  settings.threads = options.threads;
  Comparison comparison;
  {
    ProgressLine progress;
    comparison = compare_methods(model, settings, std::ref(progress));
  }
  print_study(comparison, options);
  return kDone;
}

Status sampling(const StudyOptions& options, const Model& model) {
  SamplingSettings settings;
  settings.periods = times_of(options.periods, "--periods");
  settings.step = step_of(model);
  settings.duration = duration_of(model);
  SamplingStudy study;
  {
    ProgressLine progress;
    study = sampling_study(model, settings, std::ref(progress));
  }
  print_study(study, options);
  return kDone;
}

}  // namespace

RunVerb add_study(CLI::App& verb) {
  const auto options = std::make_shared<StudyOptions>();
  verb.add_option("WHAT", options->what,
                  "convergence: errors over steps; compare: every method side by side; sampling: how slowly "
                  "controllers may be sampled")
      ->required()
      ->check(CLI::IsMember({"convergence", "compare", "sampling"}));
  options->model.add_to(verb);
  verb.add_option("--steps", options->steps, "convergence: step sizes, H1,H2,..")
      ->delimiter(',')
      ->type_name("H");
  verb.add_option("--integrator", options->integrators,
                  "convergence: a name of `torsor list integrators`, {name: .., option: ..}, or all; may be "
                  "repeated")
      ->allow_extra_args(false);
  verb.add_option("--formulation", options->formulations,
                  "convergence: a name of `torsor list formulations`; may be repeated")
      ->allow_extra_args(false);
  verb.add_option("--reference", options->reference,
                  "convergence: fine (computed), or a result file .h5 whose times the steps meet")
      ->type_name("FILE|fine");
  verb.add_option("--periods", options->periods,
                  "sampling: periods, T1,T2,..; default: the step, doubled again and again")
      ->delimiter(',')
      ->type_name("T");
  verb.add_option("--step", options->step, "compare and sampling: step size; default: the model's")
      ->type_name("H");
  verb.add_option("--duration", options->duration, "time to simulate; default: the model's")->type_name("T");
  verb.add_option("--accuracy", options->accuracy, "compare: accuracy wanted of positions [m, rad]")
      ->type_name("E");
  verb.add_option("--threads", options->threads,
                  "convergence and compare: runs at a time; default: as many as there are cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--out", options->out, "a page with the tables and curves")->type_name("FILE.html");
  verb.add_flag("--json", options->json, "one JSON object");
  add_force(verb, options->force);
  verb.footer(kStudyFooter);
  return [options, &verb] {
    const bool converges = options->what == "convergence", compares = options->what == "compare",
               samples = options->what == "sampling";
    for (const char* flag : {"--steps", "--integrator", "--formulation", "--reference"}) {
      if (!converges) require_absent(verb, flag, "study convergence");
    }
    if (!compares) require_absent(verb, "--accuracy", "study compare");
    if (!samples) require_absent(verb, "--periods", "study sampling");
    if (converges) require_absent(verb, "--step", "study compare and study sampling");
    for (const char* flag : {"--out", "--threads"}) {
      if (samples) require_absent(verb, flag, "study convergence and study compare");
    }
    if (!options->out.empty()) require_page_place(options->out, "--out");
    return options->model.use(overrides_of(*options), [&](const Model& model, const ImportReport& imported) {
      std::vector<std::string> read = files_of(model, imported);
      read.push_back(options->reference);
      require_replaceable(options->out, "--out", read, options->force);
      return converges  ? convergence(*options, model)
             : compares ? compare(*options, model)
                        : sampling(*options, model);
    });
  };
}

}  // namespace torsor
