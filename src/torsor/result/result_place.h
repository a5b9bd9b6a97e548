#pragma once
// Where a result file comes to lie: made beside, and put in its place when it is whole. For sources only.

#include <string>

#include "torsor/result/file_lock.h"
#include "torsor/result/passing_file.h"

namespace torsor {

/// One writer at a time: the lock of a file that is to be replaced is held until the new one lies in its place, with a
/// lock of its own.
class ResultPlace {
 public:
  /// Throws unwritable() or write_failed() (output_file.h), the former also where another program writes the file.
  explicit ResultPlace(const std::string& path, std::string key = "--out");
  ResultPlace(const ResultPlace&) = delete;
  ResultPlace& operator=(const ResultPlace&) = delete;

  const std::string& working() const { return working_; }  ///< the path to write to, of a file that is there
  /// Whether writing empties the old file: its folder takes no new one.
  bool is_in_place() const { return working_ == target_; }
  /// Puts it in its place. Throws unwritable() or write_failed(): the old file is still there, or, where only the folder could
  /// not be put on the disk, the new one is.
  void settle();

 private:
  std::string path_, key_, target_, working_;
  bool replaces_ = false;
  FileLock old_, own_;
  Passing passing_;
};

}  // namespace torsor
