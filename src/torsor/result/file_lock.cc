#include "torsor/result/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace torsor {

FileLock::~FileLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

FileLock::Outcome FileLock::lock(const std::string& path) {
  FileLock fresh;
  fresh.descriptor_ = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fresh.descriptor_ < 0) return Outcome::impossible;
  struct flock one = {};
  one.l_type = F_WRLCK;
  one.l_whence = SEEK_SET;
  one.l_start = off_t(1) << 62;  // a byte that no file has
  one.l_len = 1;
  const bool busy = fcntl(fresh.descriptor_, F_OFD_SETLK, &one) != 0 && (errno == EAGAIN || errno == EACCES);
  if (busy) return Outcome::busy;
  *this = std::move(fresh);  // where the file system knows no locks, without one
  return Outcome::locked;
}

}  // namespace torsor
