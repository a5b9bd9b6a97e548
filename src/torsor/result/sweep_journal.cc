#include "torsor/result/sweep_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>

#include "torsor/base/error.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr char kMagic[] = "torsor sweep 1\n";
constexpr std::size_t kLongestFailure = 4096;
constexpr std::size_t kRowFrame = 8 + 4 + 8;          ///< bytes of a row beside its numbers or its failure
constexpr std::size_t kPiece = std::size_t{4} << 20;  ///< bytes that are read at a time

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// FNV-1a of 64 bits, word after word where it can: only torn rows are to be told.
std::uint64_t checksum(const char* bytes, std::size_t size) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < size; ++i) {
    sum = (sum ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3u;
  }
  return sum;
}

template <class Value>
void put(std::string& bytes, Value value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Takes values from the front of a text, as far as it reaches.
class Cursor {
 public:
  Cursor(const std::string& bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  template <class Value>
  Value take() {
    Value value{};
    if (at_ + sizeof value > bytes_.size()) {
      whole_ = false;
    } else {
      std::memcpy(&value, bytes_.data() + at_, sizeof value);
      at_ += sizeof value;
    }
    return value;
  }
  std::string text(std::size_t size) {
    if (!whole_ || at_ + size > bytes_.size()) {
      whole_ = false;
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  bool whole() const { return whole_; }
  std::size_t at() const { return at_; }

 private:
  const std::string& bytes_;
  std::size_t at_;
  bool whole_ = true;
};

/// run, length of the failure, numbers or failure, checksum.
void put_row(std::string& bytes, const SweepRow& row) {
  const std::size_t start = bytes.size();
  const std::string failure = row.failure.substr(0, kLongestFailure);
  put(bytes, static_cast<std::int64_t>(row.run));
  put(bytes, static_cast<std::uint32_t>(failure.size()));
  for (const double number : row.numbers) put(bytes, number);
  bytes.append(failure);
  put(bytes, checksum(bytes.data() + start, bytes.size() - start));
}

}  // namespace

std::string encoded(const std::vector<SweepRow>& rows) {
  std::string bytes;
  for (const SweepRow& row : rows) put_row(bytes, row);
  return bytes;
}

std::vector<SweepRow> decoded(const std::string& bytes, std::size_t numbers, std::size_t& at) {
  std::vector<SweepRow> rows;
  for (Cursor cursor(bytes, at);;) {
    const std::size_t start = cursor.at();
    SweepRow row;
    row.run = cursor.take<std::int64_t>();
    const auto length = cursor.take<std::uint32_t>();
    if (length > kLongestFailure) return rows;
    if (length == 0) {
      for (std::size_t i = 0; i < numbers; ++i) row.numbers.push_back(cursor.take<double>());
    }
    row.failure = cursor.text(length);
    const std::size_t size = cursor.at() - start;
    const auto sum = cursor.take<std::uint64_t>();
    if (!cursor.whole() || sum != checksum(bytes.data() + start, size)) return rows;
    at = cursor.at();
    rows.push_back(std::move(row));
  }
}

SweepJournal::SweepJournal(const std::string& path, const std::string& identity, std::size_t numbers,
                           const std::string& key)
    : path_(path), key_(key), numbers_(numbers), synced_(now()) {
  // The folder may be a stranger's: what it names must be a file in it, and no link or pipe.
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && errno == ELOOP) throw unwritable(path, "it is a link", key);
  if (descriptor_ < 0) fail_to_make(path, errno, key);
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      throw unwritable(path, "it is no regular file", key);
    }
    if (lock_.lock(path) == FileLock::Outcome::busy) {
      throw unwritable(path, "another sweep is writing it", key);
    }
    read(identity);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

SweepJournal::~SweepJournal() { close(descriptor_); }

/// Up to so many bytes from a place on: fewer at the end of the file.
std::string SweepJournal::bytes_at(std::size_t at, std::size_t count) const {
  std::string bytes(count, '\0');
  for (std::size_t done = 0; done < count;) {
    const ssize_t got = pread(descriptor_, bytes.data() + done, count - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw unwritable(path_, "it cannot be read", key_);
    if (got == 0) bytes.resize(done);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

void SweepJournal::read(const std::string& identity) {
  std::string head = kMagic;
  put(head, static_cast<std::uint64_t>(identity.size()));
  head += identity;
  put(head, checksum(head.data(), head.size()));
  const std::string bytes = bytes_at(0, head.size());
  if (head.starts_with(bytes) && bytes.size() < head.size()) {  // new, or cut off while its head was written
    if (ftruncate(descriptor_, 0) != 0) throw unwritable(path_, std::strerror(errno), key_);
    write(head);
    sync();
    if (!put_folder_on_disk(path_)) throw write_failed(path_, std::strerror(errno), key_);
    return;
  }
  if (!bytes.starts_with(kMagic)) throw unwritable(path_, "it is no journal of a sweep", key_);
  if (bytes != head) {
    throw unwritable(path_,
                     "it belongs to another sweep: other values, another model or another build of torsor; "
                     "choose another folder, or remove this one",
                     key_);
  }
  read_rows(head.size());
  if (ftruncate(descriptor_, end_) != 0) throw unwritable(path_, std::strerror(errno), key_);
}

/// Piece by piece, up to the first row that is not whole: what comes behind it may be anything, and much.
void SweepJournal::read_rows(std::size_t from) {
  const std::size_t longest = kRowFrame + kLongestFailure + 8 * numbers_;
  for (std::size_t piece = std::max(kPiece, longest);;) {
    const std::string bytes = bytes_at(from, piece);
    std::size_t end = 0;
    std::vector<SweepRow> rows = decoded(bytes, numbers_, end);
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
    from += end;
    if (bytes.size() < piece || bytes.size() - end >= longest) break;
  }
  end_ = static_cast<std::int64_t>(from);
}

void SweepJournal::write(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t put =
        pwrite(descriptor_, bytes.data() + at, bytes.size() - at, end_ + static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      const std::string reason = std::strerror(errno);
      if (ftruncate(descriptor_, end_) != 0) {
        // The checksum tells the torn row all the same.
      }
      throw write_failed(path_, reason, key_);
    }
    at += static_cast<std::size_t>(put);
  }
  end_ += static_cast<std::int64_t>(bytes.size());
}

void SweepJournal::add(const std::vector<SweepRow>& rows) {
  write(encoded(rows));
  if (now() - synced_ > 1) sync();
}

void SweepJournal::sync() {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    throw write_failed(path_, std::strerror(errno), key_);
  }
  synced_ = now();
}

}  // namespace torsor
