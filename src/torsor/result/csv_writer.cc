#include "torsor/result/csv_writer.h"

#include <cerrno>
#include <cstring>

#include "torsor/result/csv_text.h"
#include "torsor/result/output_file.h"

namespace torsor {

void CsvWriter::on_start(const Manifest& manifest, const RunSettings& settings) {
  manifest_ = manifest;
  row_ = RecordRow(manifest, settings.record);
  const std::string first_lines = csv_header(row_.channels(), units_);
  require_space(path_, static_cast<double>(first_lines.size()) + record_count(settings) * 12.0 * row_.size());
  file_.reset(std::fopen(path_.c_str(), "w"));
  if (!file_) throw unwritable(path_, std::strerror(errno));
  std::fwrite(first_lines.data(), 1, first_lines.size(), file_.get());
  flush();
}

void CsvWriter::on_record(const Observation& observation, double energy_residual) {
  const std::span<const double> row = row_.fill(observation, energy_residual, manifest_);
  require_finite(row_.channels(), row);
  const std::string_view line = csv_line(row, line_);
  std::fwrite(line.data(), 1, line.size(), file_.get());
  if (std::chrono::steady_clock::now() - flushed_ > kFlushInterval) flush();
}

void CsvWriter::on_end(const Ledger&) { flush(); }

void CsvWriter::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()))
    throw unwritable(path_, std::strerror(errno));
  flushed_ = std::chrono::steady_clock::now();
}

}  // namespace torsor
