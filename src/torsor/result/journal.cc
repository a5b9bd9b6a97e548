#include "torsor/result/journal.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "torsor/result/checksum.h"
#include "torsor/result/disk_bytes.h"

namespace torsor {
namespace {

struct Footer {
  char mark[8] = {'T', 'O', 'R', 'S', 'O', 'R', 'J', '1'};
  std::uint64_t sectors = 0, new_end = 0, sum = 0;
};
constexpr std::uint64_t kEntry = 8 + kSector;
constexpr std::size_t kLongestRow = std::size_t{1} << 20;  ///< bytes of one write

std::uint64_t footer_sum(std::span<const std::byte> body, const Footer& footer) {
  return add_to_sum(add_to_sum(sum_of(body), footer.sectors), footer.new_end);
}

bool on_disk(int file) { return fdatasync(file) == 0 || errno == EINVAL || errno == EROFS; }

std::uint64_t length_of(int file) {
  struct stat status = {};
  return fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::vector<std::byte> encoded(const Journal& journal) {
  std::vector<std::byte> bytes(journal.sectors.size() * kEntry + sizeof(Footer));
  std::byte* next = bytes.data();
  for (const auto& [at, sector] : journal.sectors) {
    std::memcpy(next, &at, 8);
    std::memcpy(next + 8, sector.data(), kSector);
    next += kEntry;
  }
  Footer footer;
  footer.sectors = journal.sectors.size();
  footer.new_end = journal.new_end;
  footer.sum = footer_sum(std::span(bytes).first(bytes.size() - sizeof(Footer)), footer);
  std::memcpy(next, &footer, sizeof(Footer));
  return bytes;
}

}  // namespace

bool write_at(int file, std::uint64_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
  return true;
}

bool read_at(int file, std::uint64_t at, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    if (done == 0) {
      std::fill(bytes.begin(), bytes.end(), std::byte{0});
      return true;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
  return true;
}

bool commit(int file, const Sectors& changed, std::uint64_t end, std::uint64_t new_end) {
  Journal journal{{}, new_end};
  const auto undo = [&] {
    const int fault = errno;
    if (ftruncate(file, static_cast<off_t>(end)) == 0) fdatasync(file);
    errno = fault;
    return false;
  };
  Sector before;
  std::vector<std::byte> row;  // of sectors that follow each other, for one write
  for (auto one = changed.begin(); one != changed.end(); ++one) {
    const auto& [at, sector] = *one;
    if (at < end) {
      if (!read_at(file, at, before)) return undo();
      if (before != sector) journal.sectors.emplace(at, sector);
      continue;
    }
    row.insert(row.end(), sector.begin(), sector.end());
    const auto next = std::next(one);
    if (next != changed.end() && next->first == at + kSector && row.size() < kLongestRow) continue;
    if (!write_at(file, at + kSector - row.size(), row)) return undo();
    row.clear();
  }
  if (journal.sectors.empty() && length_of(file) == new_end) return on_disk(file) || undo();
  if (end == 0) return (ftruncate(file, static_cast<off_t>(new_end)) == 0 && on_disk(file)) || undo();
  if (!on_disk(file)) return undo();
  const std::uint64_t place = std::max(length_of(file), new_end);
  if (!write_at(file, place, encoded(journal)) || !on_disk(file)) return undo();
  return apply(file, journal);
}

bool read_journal(int file, Journal& journal) {
  const std::uint64_t length = length_of(file);
  Footer footer, ours;
  if (length < sizeof(Footer)) return false;
  const std::uint64_t body_end = length - sizeof(Footer);
  if (!read_at(file, body_end, std::as_writable_bytes(std::span(&footer, 1)))) return false;
  if (std::memcmp(footer.mark, ours.mark, sizeof(ours.mark)) != 0) return false;
  if (footer.sectors > body_end / kEntry || footer.new_end > body_end - footer.sectors * kEntry) return false;
  if (footer.sectors > bytes_on_disk(file) / kEntry) return false;  // zeros of a hole are no sectors
  std::vector<std::byte> body(footer.sectors * kEntry);
  if (!read_at(file, body_end - body.size(), body) || footer_sum(body, footer) != footer.sum) return false;
  journal.new_end = footer.new_end;
  journal.sectors.clear();
  for (std::size_t next = 0; next < body.size(); next += kEntry) {
    std::uint64_t at = 0;
    std::memcpy(&at, &body[next], 8);
    if (at > footer.new_end) return false;
    std::memcpy(journal.sectors[at].data(), &body[next + 8], kSector);
  }
  return true;
}

/// The end that the file's head knows first, then from the back: indices of datasets lie behind their sizes, so that who
/// looks meanwhile finds at most rows that are there.
bool apply(int file, const Journal& journal) {
  const Sectors& sectors = journal.sectors;
  const auto head = sectors.find(0);
  if (head != sectors.end() && !write_at(file, 0, head->second)) return false;
  for (auto one = sectors.rbegin(); one != sectors.rend(); ++one) {
    if (one->first > 0 && !write_at(file, one->first, one->second)) return false;
  }
  return on_disk(file) && ftruncate(file, static_cast<off_t>(journal.new_end)) == 0;
}

}  // namespace torsor
