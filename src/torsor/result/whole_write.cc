#include "torsor/result/whole_write.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "torsor/result/journal.h"

namespace torsor {
namespace {

constexpr std::size_t kStackBytes = 1 << 16;  // of the other process

struct Write {
  int file;
  std::uint64_t at;
  std::span<const std::byte> bytes;
  bool done = false;
  int fault = 0;
};

int make(void* argument) {
  Write& write = *static_cast<Write*>(argument);
  write.done = write_at(write.file, write.at, write.bytes);
  write.fault = write.done ? 0 : errno;
  _exit(0);  // nothing of this memory is this process's own
}

}  // namespace

bool write_whole_at(int file, std::uint64_t at, std::span<const std::byte> bytes) {
  std::vector<std::max_align_t> stack(kStackBytes / sizeof(std::max_align_t));
  Write write{file, at, bytes};
  // CLONE_VFORK: this thread goes on when the other process has ended, or is killed.
  const int child = clone(make, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK, &write);
  if (child < 0) return write_at(file, at, bytes);
  while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  if (write.done) return true;
  if (write.fault == 0) return write_at(file, at, bytes);  // it was killed, not this one
  errno = write.fault;
  return false;
}

}  // namespace torsor
