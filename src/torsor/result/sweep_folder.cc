#include "torsor/result/sweep_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/parallel.h"
#include "torsor/format/yaml_tree.h"
#include "torsor/result/output_file.h"
#include "torsor/result/sweep_journal.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kHandOver{100};  ///< rows wait so long in their thread

/// Its own runner, and the rows it has made but not handed over.
struct Worker {
  std::unique_ptr<SweepRunner> runner;
  std::vector<SweepRow> made;
  SteadyClock::time_point handed_over = SteadyClock::now();
};

/// Complaints about the sweep file get its name and line; called where one was caught.
[[noreturn]] void rethrow_located(const ModelError& error, const SweepSource& sweep) {
  if (!error.file.empty() || !error.key.starts_with("measure.")) throw;
  const YamlNode root = parse_yaml(sweep.text, sweep.file);
  throw ModelError(error.key, error.expected, error.found, sweep.file, deepest_match(root, error.key).line);
}

/// As the model has them before anything varies. Throws ModelError where it does not have what is measured: that is the fault of
/// the sweep, while a single run without it fails alone.
std::vector<std::string> measured_units(const SweepSource& sweep) {
  MeasureKeeper keeper(sweep.description.measures);
  try {
    keeper.find(make_stepper(parse_model(sweep.model))->manifest());
  } catch (const ModelError& error) {
    rethrow_located(error, sweep);
  }
  return keeper.units();
}

}  // namespace

std::string sweep_identity(const SweepSource& sweep) {
  std::string identity = build_text() + "\n" + sweep.text + "\n" + sweep.model.text + "\n";
  for (const auto& [path, value] : sweep.model.overrides) {
    identity.append(path).append("=").append(value).append("\n");
  }
  return identity;
}

SweepRuns::SweepRuns(const SweepSource& sweep, const std::string& folder, const std::string& key)
    : sweep_(sweep),
      numbers_(sweep.description.measures.size() + std::size(kSweepLedger)),
      have_(static_cast<std::size_t>(SweepSamples(sweep.description).count())),
      start_(SteadyClock::now()) {
  progress_.planned = static_cast<long>(have_.size());
  if (folder.empty()) return;
  namespace fs = std::filesystem;
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (!fs::is_directory(folder, fault)) {
    throw ModelError(key, "a folder that can be made", "'" + folder + "'");
  }
  if (!put_folder_on_disk(fs::weakly_canonical(folder, fault).string())) {
    throw write_failed(folder, std::strerror(errno), key);
  }
  auto journal = std::make_unique<SweepJournal>((fs::path(folder) / "journal.bin").string(),
                                                sweep_identity(sweep), numbers_, key);
  add(journal->rows());
  progress_.before = progress_.done;
  journal_ = std::move(journal);
}
SweepRuns::~SweepRuns() = default;

std::vector<long> SweepRuns::missing() const {
  std::vector<long> runs;
  runs.reserve(static_cast<std::size_t>(progress_.planned - progress_.done));
  for (std::size_t i = 0; i < have_.size(); ++i) {
    if (!have_[i]) runs.push_back(static_cast<long>(i));
  }
  return runs;
}

void SweepRuns::add(std::vector<SweepRow> rows) {
  std::erase_if(rows, [&](const SweepRow& row) {
    return row.run < 0 || row.run >= progress_.planned || have_[row.run];
  });
  if (journal_) journal_->add(rows);
  for (SweepRow& row : rows) {
    if (have_[row.run]) continue;
    const long run = row.run;
    const bool failed = !row.done();
    rows_.push_back(std::move(row));  // may throw, and then the row is still missing
    have_[run] = true;
    ++progress_.done;
    progress_.failed += failed;
  }
}

void SweepRuns::close() {
  const std::unique_ptr<SweepJournal> journal = std::move(journal_);  // let go even where that fails
  if (journal) journal->sync();
}

SweepProgress SweepRuns::progress() const {
  SweepProgress progress = progress_;
  progress.seconds = std::chrono::duration<double>(SteadyClock::now() - start_).count();
  return progress;
}

SweepTable SweepRuns::table() const {
  if (journal_) journal_->sync();
  SweepTable table = make_sweep_table(sweep_.description, rows_, measured_units(sweep_));
  table.sweep = sweep_.text;
  table.model = sweep_.model.text;
  return table;
}

SweepRunner make_runner(const SweepSource& sweep) {
  measured_units(sweep);
  return {sweep.description, [variants = std::make_shared<ModelVariants>(sweep.variants())](
                                 std::span<const double> values) { return variants->model(values); }};
}

void run_sweep(const SweepSource& sweep, SweepRuns& runs, const SweepRunOptions& options) {
  const std::vector<long> missing = runs.missing();
  const int threads = static_cast<int>(
      std::clamp<long>(options.threads, 1, std::max<long>(1, static_cast<long>(missing.size()))));
  std::vector<Worker> workers(static_cast<std::size_t>(threads));
  // Several at once, but so that all threads have their share to the end.
  const long together =
      std::clamp<long>(static_cast<long>(missing.size()) / (4L * threads), 1, SweepRunner::kTogether);
  const long chunks = (static_cast<long>(missing.size()) + together - 1) / together;
  std::mutex mutex;
  const auto hand_over = [&](Worker& worker) {
    const std::lock_guard lock(mutex);
    runs.add(std::exchange(worker.made, {}));
    worker.handed_over = SteadyClock::now();
    if (options.on_progress) options.on_progress(runs.progress());
  };
  for_each_parallel(chunks, threads, [&](long i, int thread) {
    if (options.stopped && options.stopped()) return;
    Worker& worker = workers[thread];
    if (!worker.runner) {
      worker.runner = std::make_unique<SweepRunner>(make_runner(sweep));
      worker.runner->stop_when(options.stopped);
    }
    const auto first = static_cast<std::size_t>(i * together);
    const std::span<const long> chunk =
        std::span(missing).subspan(first, std::min<std::size_t>(together, missing.size() - first));
    for (SweepRow& row : worker.runner->run(chunk)) worker.made.push_back(std::move(row));
    if (SteadyClock::now() - worker.handed_over >= kHandOver) hand_over(worker);
  });
  for (Worker& worker : workers) hand_over(worker);
}

SweepTable run_sweep(const SweepSource& sweep, const SweepRunOptions& options) {
  SweepRuns runs(sweep);
  run_sweep(sweep, runs, options);
  return runs.table();
}

std::vector<long> runs_to_keep(const SweepTable& table, long count) {
  std::set<long> kept;
  const auto room = [&] { return static_cast<long>(kept.size()) < count; };
  for (const SweepColumn& column : table.columns) {
    if (column.group != SweepColumn::Group::measures || column.values.empty()) continue;
    const auto [least, most] = std::minmax_element(column.values.begin(), column.values.end());
    if (room()) kept.insert(table.runs[least - column.values.begin()]);
    if (room()) kept.insert(table.runs[most - column.values.begin()]);
  }
  const auto rows = static_cast<long>(table.runs.size());
  for (long i = 0; i < count && room() && rows > 0; ++i) kept.insert(table.runs[i * rows / count]);
  return {kept.begin(), kept.end()};
}

}  // namespace torsor
