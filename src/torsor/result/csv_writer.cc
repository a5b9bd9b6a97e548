#include "torsor/result/csv_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "torsor/result/csv_text.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_place.h"
#include "torsor/result/whole_write.h"

namespace torsor {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

}  // namespace

CsvWriter::CsvWriter(std::string path, bool units) : path_(std::move(path)), units_(units) {}

CsvWriter::~CsvWriter() {
  if (file_ < 0) return;
  try {
    write();
  } catch (const std::exception&) {
    // The run already ends by an error of its own, which may be a lack of memory.
  }
  close(file_);
}

void CsvWriter::on_start(const Manifest& manifest, const RunSettings& settings) {
  manifest_ = manifest;
  row_ = RecordRow(manifest, settings.record);
  lines_ = csv_header(row_.channels(), units_);
  require_space(path_, static_cast<double>(lines_.size()) + record_count(settings) * 12.0 * row_.size());
  place_ = std::make_unique<ResultPlace>(path_);
  file_ = open(place_->working().c_str(), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
  if (file_ < 0) fail_to_make(path_, errno);
  flush();
  place_->settle();
}

void CsvWriter::on_record(const Observation& observation, double energy_residual) {
  const std::span<const double> row = row_.fill(observation, energy_residual, manifest_);
  require_finite(row_.channels(), row);
  try {
    lines_.append(csv_line(row, line_));
  } catch (const std::bad_alloc&) {
    throw write_failed(path_, std::strerror(ENOMEM));  // the lines before it are written at the end
  }
  if (lines_.size() > kBufferBytes) write();
  if (std::chrono::steady_clock::now() - flushed_ > kFlushInterval) flush();
}

void CsvWriter::on_end(const Ledger&) { flush(); }

void CsvWriter::write() {
  if (lines_.empty()) return;
  if (!write_whole_at(file_, end_, std::as_bytes(std::span(lines_)))) {
    const int fault = errno;
    lines_.clear();
    if (ftruncate(file_, static_cast<off_t>(end_)) != 0) {
      // A torn line is left, which only a disk that cannot shrink a file leaves.
    }
    throw write_failed(path_, std::strerror(fault));
  }
  end_ += lines_.size();
  lines_.clear();
}

void CsvWriter::flush() {
  write();
  if (fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS)
    throw write_failed(path_, std::strerror(errno));
  flushed_ = std::chrono::steady_clock::now();
}

}  // namespace torsor
