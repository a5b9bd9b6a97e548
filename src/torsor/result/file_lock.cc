#include "torsor/result/file_lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace torsor {
namespace {

/// Descriptors of locks, plus one. A forked process shares what open() made, and the lock with it, so it lets go of them;
/// what another thread may have left half done it must not touch. Those for which there is no room here it keeps.
std::array<std::atomic<int>, kMostLocksLetGo> held;

/// Another file takes the number of the descriptor, since whoever holds the lock still closes it.
void let_go_in_child() {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (std::atomic<int>& slot : held) {
    const int descriptor = slot.exchange(0) - 1;
    if (descriptor < 0) continue;
    if (nothing < 0 || dup3(nothing, descriptor, O_CLOEXEC) < 0) close(descriptor);
  }
  if (nothing >= 0) close(nothing);
}

void exchange(int from, int to) {
  for (std::atomic<int>& slot : held) {
    int expected = from;
    if (slot.compare_exchange_strong(expected, to)) return;
  }
}

bool set_lock(int descriptor, short type) {
  struct flock one = {};
  one.l_type = type;
  one.l_whence = SEEK_SET;
  one.l_start = off_t(1) << 62;  // a byte that no file has
  one.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &one) == 0;
}

/// Whether the path still leads to the open file.
bool is_at(const std::string& path, int descriptor) {
  struct stat there = {}, ours = {};
  return stat(path.c_str(), &there) != 0 || fstat(descriptor, &ours) != 0 ||
         (there.st_dev == ours.st_dev && there.st_ino == ours.st_ino);
}

}  // namespace

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  const int fault = errno;
  set_lock(descriptor_, F_UNLCK);
  exchange(descriptor_ + 1, 0);
  close(descriptor_);
  errno = fault;
}

FileLock::Outcome FileLock::lock(const std::string& path) {
  [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, let_go_in_child);
  for (;;) {
    FileLock fresh;
    fresh.descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (fresh.descriptor_ < 0) return Outcome::impossible;
    exchange(0, fresh.descriptor_ + 1);
    const bool busy = !set_lock(fresh.descriptor_, F_WRLCK) && (errno == EAGAIN || errno == EACCES);
    if (busy) return Outcome::busy;
    if (!is_at(path, fresh.descriptor_)) continue;  // another one took its place meanwhile
    *this = std::move(fresh);                       // where the file system knows no locks, without one
    return Outcome::locked;
  }
}

}  // namespace torsor
