#pragma once
// A sweep and the folder that it fills: runs are made on several threads, what is done is on the disk at once, and the same
// call goes on where it was cut off.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "torsor/format/sweep_reader.h"
#include "torsor/result/sweep_journal.h"
#include "torsor/result/sweep_table.h"

namespace torsor {

struct SweepProgress {
  long planned = 0, done = 0, failed = 0;  ///< `done` counts failed runs too
  long before = 0;                         ///< of these, done by earlier calls
  double seconds = 0;                      ///< since this call began
};

/// All that decides the numbers of a sweep, as one text.
std::string sweep_identity(const SweepSource& sweep);

/// The rows of a sweep, which come in any order, from any thread or process. What the folder has of an earlier call is there
/// at once.
class SweepRuns {
 public:
  /// Without a folder they are in memory alone. Throws ModelError at `key` as SweepJournal does.
  SweepRuns(const SweepSource& sweep, const std::string& folder = {}, const std::string& key = "--out");
  ~SweepRuns();

  std::size_t numbers() const { return numbers_; }  ///< of a row
  std::vector<long> missing() const;                ///< runs that are still to be made, rising
  /// A run that is there already is not counted again.
  void add(std::vector<SweepRow> rows);
  SweepProgress progress() const;
  void close();  ///< lets the folder go; what was added is on the disk
  /// Of the rows so far. Throws ModelError where the measures do not fit the model.
  SweepTable table() const;

 private:
  SweepSource sweep_;
  std::size_t numbers_;
  std::unique_ptr<SweepJournal> journal_;
  std::vector<bool> have_;
  std::vector<SweepRow> rows_;
  SweepProgress progress_;
  std::chrono::steady_clock::time_point start_;
};

struct SweepRunOptions {
  int threads = 1;
  std::function<void(const SweepProgress&)> on_progress =
      {};                              ///< by one thread at a time, some times a second
  std::function<bool()> stopped = {};  ///< asked by every thread, every few steps
};

/// A runner for one thread. Throws ModelError where the model does not have what is measured.
SweepRunner make_runner(const SweepSource& sweep);

/// Makes the runs that are missing, until it is stopped. Throws ModelError.
void run_sweep(const SweepSource& sweep, SweepRuns& runs, const SweepRunOptions& options = {});
/// All of it, in memory.
SweepTable run_sweep(const SweepSource& sweep, const SweepRunOptions& options = {});

/// Runs of which a person wants to see the whole motion: those with the least and the greatest of each measure, then others
/// spread evenly, `count` in all; rising.
std::vector<long> runs_to_keep(const SweepTable& table, long count);

}  // namespace torsor
