#pragma once
// Where a result file comes to lie: made beside, and put in its place when it is whole. For sources only.

#include <string>

#include "torsor/result/file_lock.h"

namespace torsor {

/// One writer at a time: the lock of a file that is to be replaced is held until the new one lies in its place, with a
/// lock of its own.
class ResultPlace {
 public:
  /// Throws unwritable() (output_file.h), also where another program writes the file.
  explicit ResultPlace(const std::string& path, std::string key = "--out");
  ~ResultPlace();
  ResultPlace(const ResultPlace&) = delete;
  ResultPlace& operator=(const ResultPlace&) = delete;

  const std::string& working() const { return working_; }  ///< the path to write to
  void settle();                                           ///< puts it in its place

 private:
  std::string path_, key_, target_, working_;
  bool replaces_ = false, settled_ = false;
  FileLock old_, own_;
};

}  // namespace torsor
