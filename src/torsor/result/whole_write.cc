#include "torsor/result/whole_write.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <new>

#include "torsor/result/journal.h"

namespace torsor {
namespace {

constexpr std::size_t kStack = (1 << 16) / sizeof(std::max_align_t);  // of the other process

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

/// For this thread, and for a process that it makes meanwhile. All but SIGKILL and SIGSTOP, which nobody can hold back.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_;
};

/// False where there is no such process, or it was killed and this one was not.
bool is_made_by_another_process(Write& write) {
  // Destructors end files where memory has run out: nothing is thrown here.
  const std::unique_ptr<std::max_align_t[]> stack(new (std::nothrow) std::max_align_t[kStack]);
  if (!stack) return false;
  // A signal to all processes of a terminal would be handled twice, since handlers of the other one change this one's memory.
  const SignalsHeldBack held_back;
  // CLONE_VFORK: this thread goes on when the other process has ended, or is killed.
  const int child = clone(make, stack.get() + kStack, CLONE_VM | CLONE_VFORK, &write);
  if (child < 0) return false;
  while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  return write.done || write.fault != 0;
}

}  // namespace

bool write_whole_at(int file, std::uint64_t at, std::span<const std::byte> bytes) {
  Write write{file, at, bytes};
  if (!is_made_by_another_process(write)) return write_at(file, at, bytes);
  if (!write.done) errno = write.fault;
  return write.done;
}

}  // namespace torsor
