#include "torsor/result/sweep_folder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>

#include "torsor/base/error.h"
#include "torsor/base/parallel.h"
#include "torsor/result/output_file.h"
#include "torsor/result/sweep_journal.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kHandOver{100};  ///< rows wait so long in their thread

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The rows of all threads. Hands them to the journal, and tells how far it is.
class Collector {
 public:
  Collector(std::vector<SweepRow> rows, long planned, SweepJournal* journal, const SweepRunOptions& options)
      : rows_(std::move(rows)), journal_(journal), options_(options) {
    progress_.planned = planned;
    progress_.before = progress_.done = static_cast<long>(rows_.size());
    for (const SweepRow& row : rows_) progress_.failed += !row.done();
  }

  void take(std::vector<SweepRow>& made) {
    const std::lock_guard lock(mutex_);
    if (journal_) journal_->add(made);
    for (SweepRow& row : made) {
      ++progress_.done;
      progress_.failed += !row.done();
      rows_.push_back(std::move(row));
    }
    made.clear();
    progress_.seconds = since(start_);
    if (options_.on_progress) options_.on_progress(progress_);
  }
  std::vector<SweepRow>& rows() { return rows_; }

 private:
  std::vector<SweepRow> rows_;
  SweepJournal* journal_;
  const SweepRunOptions& options_;
  SweepProgress progress_;
  Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
};

/// Its own runner, and the rows it has made but not handed over.
struct Worker {
  std::unique_ptr<SweepRunner> runner;
  std::vector<SweepRow> made;
  Clock::time_point handed_over = Clock::now();
};

MakeModel maker_of(const SweepSource& sweep) {
  return [variants = std::make_shared<ModelVariants>(sweep.variants())](std::span<const double> values) {
    return variants->model(values);
  };
}

/// Complaints about the sweep file get its name and line.
[[noreturn]] void rethrow_located(const ModelError& error, const SweepSource& sweep) {
  if (!error.file.empty() || !error.key.starts_with("measure.")) throw error;
  const YamlNode root = parse_yaml(sweep.text, sweep.file);
  throw ModelError(error.key, error.expected, error.found, sweep.file, deepest_match(root, error.key).line);
}

SweepTable carry_out(const SweepSource& sweep, SweepJournal* journal, const SweepRunOptions& options) {
  const SweepSamples samples(sweep.description);
  std::vector<SweepRow> before = journal ? journal->rows() : std::vector<SweepRow>{};
  std::vector<bool> have(static_cast<std::size_t>(samples.count()));
  std::erase_if(before, [&](const SweepRow& row) {
    const bool strange = row.run < 0 || row.run >= samples.count() || have[row.run];
    if (!strange) have[row.run] = true;
    return strange;
  });
  std::vector<long> todo;
  for (long run = 0; run < samples.count(); ++run) {
    if (!have[run]) todo.push_back(run);
  }
  Collector collector(std::move(before), samples.count(), journal, options);
  const int threads = static_cast<int>(
      std::clamp<long>(options.threads, 1, std::max<long>(1, static_cast<long>(todo.size()))));
  std::vector<Worker> workers(static_cast<std::size_t>(threads));
  std::vector<std::string> units;
  try {
    MeasureKeeper keeper(sweep.description.measures);  // also where nothing is left to do
    keeper.on_start(make_stepper(parse_model(sweep.model))->manifest(), {});
    units = keeper.units();
    for_each_parallel(static_cast<long>(todo.size()), threads, [&](long i, int thread) {
      if (options.stopped && options.stopped()) return;
      Worker& worker = workers[thread];
      if (!worker.runner) worker.runner = std::make_unique<SweepRunner>(sweep.description, maker_of(sweep));
      worker.made.push_back(worker.runner->run(todo[i]));
      if (Clock::now() - worker.handed_over < kHandOver) return;
      collector.take(worker.made);
      worker.handed_over = Clock::now();
    });
  } catch (const ModelError& error) {
    rethrow_located(error, sweep);
  }
  for (Worker& worker : workers) collector.take(worker.made);
  if (journal) journal->sync();
  SweepTable table = make_sweep_table(sweep.description, std::move(collector.rows()), units);
  table.sweep = sweep.text;
  table.model = sweep.model.text;
  return table;
}

}  // namespace

std::string sweep_identity(const SweepSource& sweep) {
  std::string identity = std::string(kVersion) + "\n" + sweep.text + "\n" + sweep.model.text + "\n";
  for (const auto& [path, value] : sweep.model.overrides) {
    identity.append(path).append("=").append(value).append("\n");
  }
  return identity;
}

SweepTable run_sweep(const SweepSource& sweep, const std::string& folder, const SweepRunOptions& options,
                     const std::string& key) {
  namespace fs = std::filesystem;
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (!fs::is_directory(folder, fault)) {
    throw ModelError(key, "a folder that can be made", "'" + folder + "'");
  }
  const std::size_t numbers = sweep.description.measures.size() + std::size(kSweepLedger);
  SweepJournal journal((fs::path(folder) / "journal.bin").string(), sweep_identity(sweep), numbers, key);
  return carry_out(sweep, &journal, options);
}

SweepTable run_sweep(const SweepSource& sweep, const SweepRunOptions& options) {
  return carry_out(sweep, nullptr, options);
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
