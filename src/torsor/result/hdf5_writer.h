#pragma once
// A run as an HDF5 file, written as it goes and readable at any moment, after a crash too.

#include <chrono>
#include <string>
#include <vector>

#include "torsor/result/hdf5_id.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"

namespace torsor {

/// Records are gathered in blocks of one chunk and appended; the file's own structure reaches the disk only
/// in a flush, at the start, about once a second and at the end. So what is on disk between two flushes is
/// whole. A flush writes the file's length last, and data beyond that length cannot be read; so room is
/// reserved ahead, and a crash in the middle of a flush finds data only where the length already reaches. The
/// oldest file format is used on purpose: it carries no "still open" mark that a crash would leave behind.
class Hdf5Writer : public RunListener {
 public:
  /// `settings` is kept as an attribute (a JSON text).
  Hdf5Writer(std::string path, const Model& model, std::string settings);
  ~Hdf5Writer() override;

  /// Throws ModelError at `--out` if the file cannot be made or would not fit.
  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double energy_residual) override;
  void on_end(const Ledger& ledger) override;

 private:
  struct Dataset {
    Hdf5Id id;
    int width = 1;
    std::vector<double> block;  ///< rows not yet written, `width` numbers each
  };

  void make_datasets(int chunk_rows);
  void write_attribute(const char* name, const std::string& text);
  void reserve();
  void append_block();
  void flush();

  std::string path_, settings_;
  const Model& model_;
  Manifest manifest_;
  Hdf5Id file_;
  std::vector<Dataset> datasets_;
  RecordRow row_;
  std::vector<Hdf5Id> sentinels_;  ///< keep reserved room from being given back
  double reserved_ = 0;            ///< bytes left of it
  double expected_ = 0;            ///< rows of the whole run
  Observation last_;
  double duration_ = 0;
  int block_rows_ = 0, chunk_rows_ = 0;
  unsigned long long written_ = 0;  ///< rows in the file
  std::chrono::steady_clock::time_point flushed_;
};

/// Puts another ledger (a JSON text) into a file that Hdf5Writer has finished: what was learnt after the run. Throws
/// ModelError at `--out` if it cannot.
void replace_ledger(const std::string& path, const std::string& ledger);

}  // namespace torsor
