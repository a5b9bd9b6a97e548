// torsor VERB ...: parses, calls, prints. No mechanics here.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "cli/interrupt.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/result/hdf5_id.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

struct VerbEntry {
  const char *name, *what;
  RunVerb (*add)(CLI::App&);
};

const VerbEntry kVerbs[] = {
    {"run", "simulate a model and print its ledger", add_run},
    {"resume", "continue a run that was interrupted, or to a later time", add_resume},
    {"report", "make a page of results: moving picture, plots, ledger", add_report},
    {"export", "write a result file as a table: CSV, JSON, HDF5", add_export},
    {"show", "make a page of a model's start, with a slider for each joint", add_show},
    {"check", "say what a model is, or what is wrong with it", add_check},
    {"eval", "evaluate kinematics and dynamics at a state", add_eval},
    {"equilibrium", "find rest positions: stable or not, reactions, efforts that hold a pose",
     add_equilibrium},
    {"modes", "find small motions: frequencies, damping, shapes, state-space matrices", add_modes},
    {"pose", "find poses that reach places, and other ways in which loops close", add_pose},
    {"study", "measure orders of convergence, or compare every method on a model", add_study},
    {"sweep", "make many runs with values that vary, and a table of what came out", add_sweep},
    {"list", "list models, integrators, formulations, experiments, quantities", add_list},
    {"new", "write a model file of a regular mechanism", add_new},
    {"convert", "write a model in another format: YAML, URDF, MJCF", add_convert},
    {"reproduce", "recompute published tables and figures, ours beside theirs", add_reproduce},
    {"completion", "print what lets a shell complete verbs, options and names", add_completion},
    {"manual", "print the manual page", add_manual},
};

constexpr const char* kMainFooter = R"(Examples:
  torsor list models
  torsor run tendon_arm
  torsor run my_model.yaml --out result.h5
Exit status: 0 done, 1 internal fault, 2 bad input or usage, 3 a step failed (what was computed is kept),
4 a check or comparison fell short, 5 a file or standard output could not be written to its end, 130 interrupted.)";

void complain(const std::string& message) { say("torsor: {}\n", message); }

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const VerbEntry& verb : kVerbs) names.push_back(verb.name);
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// What to type instead of a first word that is no verb.
std::string unknown_verb(const std::string& word) {
  if (word == "help") return "no verb 'help'; see `torsor --help` and `torsor VERB --help`";
  for (const char* ending : {".yaml", ".yml", ".urdf", ".xml", ".mjcf"}) {
    if (word.ends_with(ending))
      return fmt::format(
          "a verb comes before the file: `torsor run {}`, `torsor check {}`; see `torsor --help`", word,
          word);
  }
  return fmt::format("unknown verb {}; one of {}", did_you_mean(word, verb_names()), listed(verb_names()));
}

/// CLI11's own message, but with the nearest option for one that is unknown.
std::string usage_fault(const CLI::ParseError& fault, CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  CLI::App& verb = parsed.empty() ? app : *parsed.front();
  const std::string help = fmt::format("see `torsor {}--help`", parsed.empty() ? "" : verb.get_name() + " ");
  const std::vector<std::string> left_over = app.remaining(true);
  for (const std::string& left : left_over) {
    if (!left.starts_with("-")) continue;
    const std::string name = left.substr(0, left.find('='));
    return fmt::format("unknown option {}; {}", did_you_mean(name, option_names(verb)), help);
  }
  if (!left_over.empty())
    return fmt::format("one argument too many: {}; {}", in_quotes(left_over.front()), help);
  return fmt::format("{}; {}", fault.what(), help);
}

Status guarded(const RunVerb& run) {
  try {
    const Status status = run();
    finish_output();
    return status;
  } catch (const OutputFailure& failure) {
    complain(failure.what());
    return kOutputFailed;
  } catch (const ModelError& error) {
    complain(error.what());
    return kBadInput;
  } catch (const StepFailure& failure) {
    complain(failure.what());
    return kStepFailed;
  } catch (const std::bad_alloc&) {
    complain("there is not enough memory");
    return kInternalFault;
  } catch (const std::exception& fault) {
    complain(
        fmt::format("internal fault: {}\nThis is a bug in torsor {}; please report it with the model "
                    "file and the command.",
                    fault.what(), kVersion));
    return kInternalFault;
  }
}

int main_program(int argc, char** argv) {
  CLI::App app("Torsor simulates rigid-body mechanisms and reports what was conserved, and how well.",
               "torsor");
  app.set_version_flag("--version", build_text, "print version, compiler, flags and libraries, and exit");
  app.footer(kMainFooter);
  std::map<std::string, RunVerb> runners;
  for (const VerbEntry& entry : kVerbs) {
    runners[entry.name] = entry.add(*app.add_subcommand(entry.name, entry.what));
  }

  if (argc < 2) {
    say("{}", app.help());
    return kBadInput;
  }
  const std::string first = argv[1];
  if (!first.starts_with("-") && !runners.contains(first)) {
    complain(unknown_verb(first));
    return kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    if (fault.get_exit_code() == 0) {  // --help, --version
      return guarded([&] { return static_cast<Status>(app.exit(fault)); });
    }
    complain(usage_fault(fault, app));
    return kBadInput;
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.size() != 1) {
    complain(fmt::format("one verb at a time, one of {}", listed(verb_names())));
    return kBadInput;
  }
  return guarded(runners.at(chosen.front()->get_name()));
}

}  // namespace
}  // namespace torsor

int main(int argc, char** argv) {
  torsor::guard_standard_streams();
  torsor::end_at_interrupt();
  torsor::leave_hdf5_at_exit();
  return torsor::main_program(argc, argv);
}
