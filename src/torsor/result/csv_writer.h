#pragma once
// A run as a table of text: one line a record, one column a number (`bodies.link1.com.x`).

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"

namespace torsor {

class ResultPlace;

/// Lines are gathered and written whole, many in one call, about once a second: wherever the program is killed, the file ends
/// with a line (whole_write.h).
class CsvWriter : public RunListener {
 public:
  /// With `units` a second line says them, beginning with `#`.
  explicit CsvWriter(std::string path, bool units = false);
  ~CsvWriter() override;

  /// Throws ModelError at `--out` if the file cannot be made or is being written by another run.
  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double energy_residual) override;
  void on_end(const Ledger& ledger) override;

 private:
  void write();
  void flush();

  std::string path_;
  bool units_;
  Manifest manifest_;
  std::unique_ptr<ResultPlace> place_;
  int file_ = -1;
  std::uint64_t end_ = 0;  ///< of the last whole line
  std::string lines_;      ///< not yet written
  RecordRow row_;
  std::vector<char> line_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace torsor
