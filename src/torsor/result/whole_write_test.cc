#include "torsor/result/whole_write.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "torsor/result/journal.h"

namespace torsor {
namespace {

/// A file of no name, removed when it is closed.
class WholeWrite : public testing::Test {
 protected:
  WholeWrite() {
    std::string name = testing::TempDir() + "torsor-whole-XXXXXX";
    file_ = mkstemp(name.data());
    unlink(name.c_str());
  }
  ~WholeWrite() override { close(file_); }
  off_t length() const {
    struct stat status = {};
    return fstat(file_, &status) == 0 ? status.st_size : -1;
  }

  int file_ = -1;
};

std::vector<std::byte> counted(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

TEST_F(WholeWrite, PutsBytesWhereTheyBelong) {
  const std::vector<std::byte> first = counted(3'000'000), second = counted(1000);
  ASSERT_TRUE(write_whole_at(file_, 0, first));
  ASSERT_TRUE(write_whole_at(file_, 2'999'900, second));
  ASSERT_TRUE(write_whole_at(file_, 5, {}));
  EXPECT_EQ(length(), 3'000'900);
  std::vector<std::byte> wanted = first, found(3'000'900);
  wanted.resize(2'999'900);
  wanted.insert(wanted.end(), second.begin(), second.end());
  ASSERT_TRUE(read_at(file_, 0, found));
  EXPECT_TRUE(found == wanted);
}

TEST_F(WholeWrite, SaysWhyItFails) {
  const int read_only = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  errno = 0;
  EXPECT_FALSE(write_whole_at(read_only, 0, counted(10)));
  EXPECT_EQ(errno, EBADF);
  errno = 0;
  EXPECT_FALSE(write_whole_at(full, 0, counted(10)));
  EXPECT_EQ(errno, ENOSPC);
  close(read_only);
  close(full);
}

TEST_F(WholeWrite, LeavesTheSignalsOfTheThreadAsTheyWere) {
  sigset_t some, before, after;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &some, &before), 0);
  EXPECT_TRUE(write_whole_at(file_, 0, counted(10)));
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, &before, &after), 0);
  EXPECT_EQ(sigismember(&after, SIGUSR1), 1);
  EXPECT_EQ(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
}

std::atomic<int> signals_taken{0};
extern "C" void count_signal(int) { ++signals_taken; }

/// Ctrl-C: to all processes of the group, as soon as the file has begun to grow.
pid_t interrupt_group_during_write(int file) {
  const pid_t sender = fork();
  if (sender != 0) return sender;
  std::signal(SIGINT, SIG_IGN);
  alarm(60);  // where nothing is written
  struct stat status = {};
  while (fstat(file, &status) == 0 && status.st_size == 0) {
  }
  kill(0, SIGINT);
  _exit(0);
}

/// The other process took it, too, in the memory of this one: a single Ctrl-C counted as two, the second of which ends a run
/// at once.
TEST_F(WholeWrite, ASignalToTheGroupIsTakenOnce) {
  constexpr int kRounds = 5;
  const std::vector<std::byte> bytes = counted(16'000'000);
  const pid_t group = fork();
  if (group == 0) {
    setpgid(0, 0);
    std::signal(SIGINT, count_signal);
    for (int round = 1; round <= kRounds; ++round) {
      if (ftruncate(file_, 0) != 0) _exit(100);
      const pid_t sender = interrupt_group_during_write(file_);
      if (!write_whole_at(file_, 0, bytes)) _exit(101);
      while (waitpid(sender, nullptr, 0) < 0 && errno == EINTR) {
      }
      if (signals_taken != round) _exit(102);
    }
    _exit(0);
  }
  int state = 0;
  ASSERT_EQ(waitpid(group, &state, 0), group);
  ASSERT_TRUE(WIFEXITED(state)) << "ended by signal " << WTERMSIG(state);
  EXPECT_EQ(WEXITSTATUS(state), 0) << "102: not taken once; 100, 101: the file cannot be written";
  EXPECT_EQ(length(), 16'000'000);
}

}  // namespace
}  // namespace torsor
