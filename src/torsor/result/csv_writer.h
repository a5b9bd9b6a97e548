#pragma once
// A run as a table of text: one line a record, one column a number (`bodies.link1.com.x`).

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"

namespace torsor {

class CsvWriter : public RunListener {
 public:
  /// With `units` a second line says them, beginning with `#`.
  explicit CsvWriter(std::string path, bool units = false) : path_(std::move(path)), units_(units) {}

  /// Throws ModelError at `--out` if the file cannot be made.
  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double energy_residual) override;
  void on_end(const Ledger& ledger) override;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void flush();

  std::string path_;
  bool units_;
  Manifest manifest_;
  std::unique_ptr<std::FILE, Close> file_;
  RecordRow row_;
  std::vector<char> line_;
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace torsor
