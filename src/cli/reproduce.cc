#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/interrupt.h"
#include "cli/output_flags.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "experiments/experiment_models.h"
#include "experiments/json_reproduction.h"
#include "experiments/registry.h"
#include "experiments/reproduction_page.h"
#include "experiments/tables.h"
#include "torsor/base/nearest.h"
#include "torsor/base/parallel.h"
#include "torsor/format/model_reader.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReproduceFooter = R"(Examples:
  torsor reproduce                                  everything, in a few minutes; table on the screen
  torsor reproduce goetz-fig-5.3 saetran            one figure, and all of a source
  torsor reproduce --out proof                      proof/reproduction.html, .json and .md beside the table
  torsor reproduce --source goetz --set gravity=[0,-9.81]    the same models under gravity
Exit status 4 if a row falls short of its bound. Times are shown beside the published ones, without a verdict.)";

struct ReproduceOptions {
  std::vector<std::string> names, sources, set, out;
  int threads = 0;
  bool json = false, markdown = false, force = false;
};

std::string contents(const std::string& ending, const Reproduction& reproduction) {
  if (ending == ".html") return reproduction_page(reproduction);
  if (ending == ".json") return reproduction_json(reproduction, 1) + "\n";
  return markdown_of(reproduction);
}

bool is_document(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".html" || ending == ".json" || ending == ".md";
}

/// A document by its ending, or a folder for all of them.
std::vector<fs::path> documents(const std::vector<std::string>& out) {
  std::vector<fs::path> paths;
  for (const fs::path path : out) {
    if (is_document(path)) {
      paths.push_back(path);
      continue;
    }
    for (const char* ending : {".html", ".json", ".md"}) {
      paths.push_back(path / (std::string("reproduction") + ending));
    }
  }
  return paths;
}

/// Before hours of work rather than after.
void make_places(const std::vector<std::string>& out, bool force) {
  for (const fs::path path : out) {
    std::error_code fault;
    if (!is_document(path)) fs::create_directories(path, fault);
    if (fault) throw unwritable(path, fault.message());
  }
  for (const fs::path& path : documents(out)) {
    require_writable(path);
    require_replaceable(path, "--out", {}, force);
  }
}

LoadModel loader(const std::vector<std::string>& assignments) {
  std::vector<std::pair<std::string, std::string>> overrides;
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return [overrides](ExperimentModel model) {
    model.set.insert(model.set.end(), overrides.begin(), overrides.end());
    return load_experiment_model(model);
  };
}

Status run(const ReproduceOptions& options) {
  const std::vector<Experiment> experiments = select_experiments(options.names, options.sources);
  make_places(options.out, options.force);
  const bool as_text = !options.json && !options.markdown;
  ReproductionOptions how;
  how.threads = options.threads > 0 ? options.threads : hardware_threads();
  how.stopped = was_interrupted;
  ProgressLine progress(ProgressLine::Elsewhere::lines);
  how.on_result = [&](const ExperimentResult& result, int done, int all) {
    progress(
        fmt::format("[{}/{}] {}: {}", done, all, result.name, result.fell_short() ? "fell short" : "done"));
  };
  catch_interrupt();
  const Reproduction reproduction = reproduce(experiments, loader(options.set), how);
  progress.clear();
  if (was_interrupted()) {
    say("torsor: interrupted\n");
    return kInterrupted;
  }
  if (options.json) print("{}\n", reproduction_json(reproduction, 1));
  if (options.markdown) print("{}", markdown_of(reproduction));
  if (as_text) {
    for (const ExperimentResult& result : reproduction.experiments) print("{}\n", text_of(result));
    print("{}\n", summary_of(reproduction));
  }
  for (const fs::path& path : documents(options.out))
    write_result(path, contents(path.extension(), reproduction));
  return reproduction.fell_short() ? kFellShort : kDone;
}

}  // namespace

RunVerb add_reproduce(CLI::App& verb) {
  const auto options = std::make_shared<ReproduceOptions>();
  verb.add_option("EXPERIMENT", options->names,
                  "names from `torsor list experiments`, or of a source; all if none is given");
  verb.add_option("--source", options->sources, "all experiments of a source")
      ->type_name("NAME")
      ->allow_extra_args(false);
  verb.add_option("--out", options->out, "a folder for reproduction.html, .json, .md, or one such file")
      ->type_name("DIR|FILE")
      ->allow_extra_args(false);
  verb.add_option("--set", options->set, "change a value of every model")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--threads", options->threads, "runs at a time; default: as many as there are cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  CLI::Option* json = verb.add_flag("--json", options->json, "rows and curves as one JSON object");
  verb.add_flag("--markdown", options->markdown, "the table as a document")->excludes(json);
  add_force(verb, options->force);
  verb.footer(kReproduceFooter);
  return [options] { return run(*options); };
}

}  // namespace torsor
