#include "torsor/result/csv_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr std::size_t kLongestNumber = 32;  ///< the shortest text that reads back exactly takes at most 24

/// RFC 4180: a field with a comma, quote or line break stands in quotes, quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string doubled;
  for (char c : text) doubled.append(c == '"' ? 2 : 1, c);
  return fmt::format("\"{}\"", doubled);
}

std::string header(const std::vector<ResultColumn>& columns) {
  std::string line;
  for (const ResultColumn& column : columns) {
    for (const std::string& component : column.components) {
      if (!line.empty()) line.append(",");
      const char* dot = component.empty() ? "" : ".";
      line.append(field(fmt::format("{}{}{}", fmt::join(column.path, "."), dot, component)));
    }
  }
  return line.append("\n");
}

}  // namespace

void CsvWriter::on_start(const Manifest& manifest, const RunSettings& settings) {
  columns_ = result_columns(model_, manifest);
  row_.resize(row_width(columns_));
  line_.resize(row_.size() * kLongestNumber);
  const std::string first_line = header(columns_);
  require_space(path_, static_cast<double>(first_line.size()) + record_count(settings) * 12.0 * row_.size());
  file_.reset(std::fopen(path_.c_str(), "w"));
  if (!file_) throw unwritable(path_, std::strerror(errno));
  std::fwrite(first_line.data(), 1, first_line.size(), file_.get());
  flush();
}

void CsvWriter::on_record(const Observation& observation, double energy_residual) {
  fill_row(observation, energy_residual, model_.dimension(), row_);
  require_finite(columns_, row_);
  char* end = line_.data();
  for (std::size_t i = 0; i < row_.size(); ++i) {
    if (i > 0) *end++ = ',';
    end = std::to_chars(end, line_.data() + line_.size(), row_[i]).ptr;
  }
  *end++ = '\n';
  std::fwrite(line_.data(), 1, end - line_.data(), file_.get());
  if (std::chrono::steady_clock::now() - flushed_ > kFlushInterval) flush();
}

void CsvWriter::on_end(const Ledger&) { flush(); }

void CsvWriter::flush() {
  if (std::fflush(file_.get()) != 0 || std::ferror(file_.get()))
    throw unwritable(path_, std::strerror(errno));
  flushed_ = std::chrono::steady_clock::now();
}

}  // namespace torsor
