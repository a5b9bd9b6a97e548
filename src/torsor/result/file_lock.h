#pragma once
// One writer of a file at a time, told from crashed ones: the lock ends with the program.

#include <string>
#include <utility>

namespace torsor {

inline constexpr int kMostLocksLetGo = 1024;

/// Keeps other writers out, and no readers: it is no lock that HDF5 asks for. A process that is forked does not share it, so
/// that workers that outlive their parent keep no file; where a program has more than kMostLocksLetGo at a time, it shares
/// the further ones.
class FileLock {
 public:
  FileLock() = default;
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

  enum class Outcome { locked, busy, impossible };
  /// Of a file that is there; `impossible` with errno where it cannot be written.
  Outcome lock(const std::string& path);
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace torsor
