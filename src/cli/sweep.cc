#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/interrupt_watch.h"
#include "cli/output_flags.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/base/parallel.h"
#include "torsor/format/model_files.h"
#include "torsor/page/report.h"
#include "torsor/page/sweep_page.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_place.h"
#include "torsor/result/sweep_folder.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweepFooter = R"(Examples:
  torsor sweep tolerances.yaml
  torsor sweep tolerances.yaml --threads 2 --out tolerances
After Ctrl-C, a crash or a full disk the same command continues where it stopped. The folder holds table.h5, table.csv, index.html
and the runs that are kept whole.)";

struct SweepOptions {
  std::string file, out;
  int threads = 0;
  bool json = false, page = true, force = false;
};

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string progress_text(const SweepProgress& p) {
  const long fresh = p.done - p.before;
  std::string text = fmt::format("{} of {} runs, {:.0f} %", p.done, p.planned,
                                 100.0 * static_cast<double>(p.done) / static_cast<double>(p.planned));
  if (fresh > 0 && p.seconds > 0.5) {
    const double rate = static_cast<double>(fresh) / p.seconds;
    text += fmt::format(", {:.3g} runs/s, {} left", rate,
                        duration_text(static_cast<double>(p.planned - p.done) / rate));
  }
  if (p.failed > 0) text += fmt::format(", {} failed", p.failed);
  return text;
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Throws ModelError at a link: names that the program chooses lead to no other place, whoever made the folder.
void require_no_link(const fs::path& path) {
  std::error_code fault;
  if (!fs::is_symlink(fs::symlink_status(path, fault))) return;
  throw ModelError("--out", "no links among the files and folders of a sweep",
                   fmt::format("'{}': it is a link", path.string()));
}

/// Likewise where the file would be written over what is none of ours.
void require_own_place(const fs::path& path, const std::vector<std::string>& read, bool force) {
  require_no_link(path);
  require_replaceable(path.string(), "--out", read, force);
}

/// The same of all runs that are kept.
void require_runs_replaceable(const fs::path& folder, const std::vector<std::string>& read, bool force) {
  require_no_link(folder);
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault)) {
    const fs::path& path = entry.path();
    const bool is_result = path.extension() == ".h5" || path.extension() == ".html";  // and no passing file
    if (is_result && path.filename().string().starts_with("run_")) require_own_place(path, read, force);
  }
}

/// Simulates a run once more, and keeps all of it: an older file stays until the new one is whole. False where it was
/// interrupted.
bool keep_run(SweepRunner& runner, long run, const std::string& file) {
  const Model model = runner.model(run);
  const Settings settings = resolve_settings(model);
  const std::unique_ptr<Stepper> stepper = make_stepper(model);
  ResultPlace place(file);
  if (place.is_in_place()) throw unwritable(file, "its folder takes no new file");
  {
    Hdf5Writer writer(place.working(), model, settings_json(model, settings));
    InterruptWatch interrupt;
    const std::vector<RunListener*> listeners[] = {{&writer, &interrupt}};
    simulate_pack({stepper.get()}, settings.run, listeners, false);  // as the row of the table was made
  }
  if (was_interrupted()) return false;
  place.settle();
  return true;
}

std::vector<KeptRun> keep_runs(const SweepSource& sweep, const SweepTable& table, const fs::path& folder,
                               bool pages, ProgressLine& line) {
  std::vector<KeptRun> kept;
  const std::vector<long> runs = runs_to_keep(table, sweep.description.kept_records);
  if (runs.empty()) return kept;
  std::error_code fault;
  fs::create_directories(folder / "runs", fault);
  if (fault) throw unwritable((folder / "runs").string(), fault.message());
  SweepRunner runner = make_runner(sweep);
  for (const long run : runs) {
    if (was_interrupted()) break;
    line(fmt::format("keeping run {}", run));
    const std::string name = fmt::format("run_{}", run);
    const std::string file = (folder / "runs" / (name + ".h5")).string();
    if (!keep_run(runner, run, file)) break;
    if (pages) write_report({{file}, {}}, (folder / "runs" / (name + ".html")).string());
    kept.push_back({run, "runs/" + name + (pages ? ".html" : ".h5")});
  }
  return kept;
}

void print_summary(const SweepTable& table, const std::string& folder) {
  print("{} of {} runs done, {} failed\n\n", table.runs.size(), table.planned, table.failed.size());
  print("{:28} {:>14} {:>14} {:>14}\n", "measure", "least", "mean", "greatest");
  for (const SweepColumn& column : table.columns) {
    if (column.group == SweepColumn::Group::inputs || column.values.empty()) continue;
    double least = column.values[0], most = least, sum = 0;
    for (const double value : column.values) {
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value;
    }
    const std::string name =
        column.group == SweepColumn::Group::ledger ? "ledger " + column.name : column.name;
    print("{:28} {:14.7g} {:14.7g} {:14.7g}  {}\n", name, least,
          sum / static_cast<double>(column.values.size()), most, column.unit == "1" ? "" : column.unit);
  }
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(kShown, table.failed.size()); ++i) {
    print("{}run {} failed: {}\n", i == 0 ? "\n" : "", table.failed[i].run, table.failed[i].reason);
  }
  if (table.failed.size() > kShown) print(".. and {} more, in the table\n", table.failed.size() - kShown);
  print("\ntable: {0}/table.h5, {0}/table.csv\n", folder);
}

Status sweep(const SweepOptions& options) {
  const SweepSource sweep = read_sweep(options.file);
  const fs::path folder = options.out.empty() ? fs::path(options.file).stem() : fs::path(options.out);
  if (options.threads < 0) throw ModelError("--threads", "1 or more", std::to_string(options.threads));
  if (options.out.empty()) require_no_link(folder);
  const std::string page = (folder / "index.html").string();
  std::vector<std::string> read = files_of(sweep.model);
  read.push_back(options.file);
  for (const char* name : {"table.h5", "table.csv", "index.html"}) {
    require_own_place(folder / name, read, options.force);
  }
  require_runs_replaceable(folder / "runs", read, options.force);
  SweepRunOptions running;
  running.threads = options.threads == 0 ? hardware_threads() : options.threads;
  running.stopped = was_interrupted;
  catch_interrupt();
  ProgressLine line;
  running.on_progress = [&](const SweepProgress& progress) { line(progress_text(progress)); };
  const auto start = std::chrono::steady_clock::now();
  SweepRuns runs(sweep, folder.string());
  const long missing = runs.progress().planned - runs.progress().done;
  run_sweep(sweep, runs, running);
  const SweepTable table = runs.table();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double busy = processor_seconds() / std::max(seconds, 1e-9);
  line.clear();
  if (was_interrupted()) {
    say("torsor: interrupted after {} of {} runs; the same command continues\n",
        table.runs.size() + table.failed.size(), table.planned);
    return kInterrupted;
  }
  write_sweep_table(table, (folder / "table.h5").string());
  write_sweep_table(table, (folder / "table.csv").string());
  const std::vector<KeptRun> kept = keep_runs(sweep, table, folder, options.page, line);
  line.clear();
  if (options.page) write_sweep_page(table, fs::path(options.file).stem().string(), kept, page);
  if (was_interrupted()) {
    say("torsor: interrupted after {} runs were kept whole; the same command continues\n", kept.size());
    return kInterrupted;
  }
  if (options.json) {
    print("{}\n", sweep_json(table));
  } else {
    print_summary(table, folder.string());
    if (options.page) print("page: {}\n", page);
    const long threads = std::clamp<long>(running.threads, 1, std::max<long>(1, missing));
    print("{:.3g} s on {} thread{}, {:.2f} cores busy\n", seconds, threads, threads == 1 ? "" : "s", busy);
  }
  return kDone;
}

}  // namespace

RunVerb add_sweep(CLI::App& verb) {
  const auto options = std::make_shared<SweepOptions>();
  verb.add_option("FILE", options->file, "a sweep file: model, what varies, what is measured")->required();
  verb.add_option("--threads", options->threads, "number of threads (default: all cores)")->type_name("N");
  verb.add_option("--out", options->out, "folder of the results (the name of the file without its ending)")
      ->type_name("DIR");
  verb.add_flag_callback(
      "--no-page", [options] { options->page = false; }, "no pages");
  verb.add_flag("--json", options->json, "ranges of the measures as one JSON object");
  add_force(verb, options->force);
  verb.footer(kSweepFooter);
  return [options] { return sweep(*options); };
}

}  // namespace torsor
