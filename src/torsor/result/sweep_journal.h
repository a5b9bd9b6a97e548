#pragma once
// What a sweep has done so far, on the disk: rows are added at its end as they are made, each with a checksum. After a crash
// the whole rows are there, and a torn one at the end is cut off.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "torsor/result/file_lock.h"
#include "torsor/study/sweep.h"

namespace torsor {

/// Rows as bytes, each with a checksum: for a file, or for another process.
std::string encoded(const std::vector<SweepRow>& rows);
/// What stands whole at the front of `bytes`, from `at` on; `at` is then where it ends.
std::vector<SweepRow> decoded(const std::string& bytes, std::size_t numbers, std::size_t& at);

class SweepJournal {
 public:
  /// Opens `path`, or makes it, for a sweep that `identity` describes (all that decides its numbers). Throws ModelError at
  /// `key` where the file belongs to another sweep, where another process writes it, and where it cannot be written.
  SweepJournal(const std::string& path, const std::string& identity, std::size_t numbers,
               const std::string& key);
  ~SweepJournal();

  const std::vector<SweepRow>& rows() const { return rows_; }  ///< that were there at the start
  /// They are in the system's hands when this returns, and on the disk within a second. Throws ModelError on a full disk.
  void add(const std::vector<SweepRow>& rows);
  void sync();  ///< likewise, at once

 private:
  void read(const std::string& identity);
  void read_rows(std::size_t from);
  std::string bytes_at(std::size_t at, std::size_t count) const;
  void write(const std::string& bytes);

  std::string path_, key_;
  std::size_t numbers_;
  int descriptor_ = -1;
  FileLock lock_;
  std::int64_t end_ = 0;  ///< of the last whole row
  double synced_ = 0;     ///< when
  std::vector<SweepRow> rows_;
};

}  // namespace torsor
