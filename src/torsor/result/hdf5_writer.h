#pragma once
// A run as an HDF5 file, written as it goes and readable at any moment, after a crash too.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "torsor/result/checkpoint_choice.h"
#include "torsor/result/hdf5_id.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"

namespace torsor {

struct ResumableRun;
struct StoredCheckpoint;
class CheckpointSlots;
class RecordRows;
class ResultPlace;

/// Records are gathered in blocks of one chunk and appended; the file's own structure reaches the disk only in a flush, at
/// the start, about once a second and at the end, all of it or nothing (journaled_file.h). With it goes, now and then, a
/// checkpoint from which the run can go on (checkpoint_slots.h). A file of the name that was there stays until the
/// first flush, and takes part in nothing after it. The oldest file format is used on purpose: it carries no "still open"
/// mark that a crash would leave behind.
class Hdf5Writer : public RunListener {
 public:
  /// `settings` is kept as one of the texts (JSON).
  Hdf5Writer(std::string path, const Model& model, std::string settings, CheckpointChoice checkpoints = {});
  /// Goes on with the file of that run: its records up to the checkpoint, then those that come. The run must outlive it.
  Hdf5Writer(const ResumableRun& run, const Model& model, std::string settings,
             CheckpointChoice checkpoints = {});
  ~Hdf5Writer() override;

  /// Throws ModelError at `--out` if the file cannot be made, would not fit or is being written by another run.
  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double energy_residual) override;
  void on_end(const Ledger& ledger) override;
  bool keeps_checkpoints() const override { return !checkpoints_.is_off(); }
  bool checkpoint_is_due(long steps) override;
  void on_checkpoint(const RunCheckpoint& checkpoint) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Dataset {
    Hdf5Id id;
    int width = 1;
    std::vector<double> block;  ///< rows not yet written, `width` numbers each
    std::uint64_t sum = 0;      ///< of all rows so far
  };

  void make_datasets(int chunk_rows);
  void make_slots();
  void copy_rows();
  void write_text(const char* name, const std::string& text);
  void write_checkpoint();
  void append_block();
  void require_memory();
  /// A run that is resumed makes the records after its checkpoint again. Until there are as many as there were, the file
  /// stays as it was: if the run is killed once more, nothing that was there is lost.
  bool lags() const { return written_ + block_rows_ < rows_before_; }
  void flush();

  std::string path_, settings_;
  const Model& model_;
  CheckpointChoice checkpoints_;
  const ResumableRun* resumed_ = nullptr;
  std::unique_ptr<ResultPlace> place_;
  Manifest manifest_;
  Hdf5Id file_;
  std::unique_ptr<CheckpointSlots> slots_;
  std::vector<Dataset> datasets_;
  RecordRow row_;
  std::unique_ptr<StoredCheckpoint> newest_;  ///< not yet written where it waits for the end
  bool due_ = true, waits_ = false;
  Clock::time_point kept_;        ///< the last one
  Clock::duration looked_{};      ///< at the clock after that
  long asked_ = 0, between_ = 1;  ///< how often whether one is due, and how often the clock is looked at
  Observation last_;
  double duration_ = 0;
  int block_rows_ = 0, chunk_rows_ = 0;
  unsigned long long written_ = 0;      ///< rows in the file
  unsigned long long rows_before_ = 0;  ///< in that of the run that is resumed
  Clock::time_point flushed_;
  Clock::duration cost_{};  ///< of the last flush
};

/// Puts another ledger (a JSON text) into a file that Hdf5Writer has finished: what was learnt after the run. Throws
/// ModelError at `--out` if it cannot.
void replace_ledger(const std::string& path, const std::string& ledger);

}  // namespace torsor
