#pragma once
// A sweep and the folder that it fills: runs are made on several threads, what is done is on the disk at once, and the same
// call goes on where it was cut off.

#include <functional>
#include <string>

#include "torsor/format/sweep_reader.h"
#include "torsor/result/sweep_table.h"

namespace torsor {

struct SweepProgress {
  long planned = 0, done = 0, failed = 0;  ///< `done` counts failed runs too
  long before = 0;                         ///< of these, done by earlier calls
  double seconds = 0;                      ///< since this call began
};

struct SweepRunOptions {
  int threads = 1;
  std::function<void(const SweepProgress&)> on_progress =
      {};                              ///< by one thread at a time, some times a second
  std::function<bool()> stopped = {};  ///< asked by every thread before each run
};

/// All that decides the numbers of a sweep, as one text.
std::string sweep_identity(const SweepSource& sweep);

/// Makes the runs that `folder` has not got yet (journal.bin). The table holds all that are there at the end: the whole sweep
/// unless it was stopped. Throws ModelError.
SweepTable run_sweep(const SweepSource& sweep, const std::string& folder, const SweepRunOptions& options,
                     const std::string& key = "--out");
/// The same without a folder: nothing is kept but the table.
SweepTable run_sweep(const SweepSource& sweep, const SweepRunOptions& options);

/// Runs of which a person wants to see the whole motion: those with the least and the greatest of each measure, then others
/// spread evenly, `count` in all; rising.
std::vector<long> runs_to_keep(const SweepTable& table, long count);

}  // namespace torsor
