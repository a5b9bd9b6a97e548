#include "torsor/result/file_lock.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace torsor {
namespace {

class LockedFile : public testing::Test {
 protected:
  LockedFile() : path_(testing::TempDir() + "torsor-lock-XXXXXX") { close(mkstemp(path_.data())); }
  ~LockedFile() override { std::filesystem::remove(path_); }

  std::string path_;
};

void allow_no_more_files() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &files);
}

/// A worker that cannot open anything, not even what it would put in the place of the lock, and outlives its caller.
TEST_F(LockedFile, IsNotKeptByAWorkerThatCanOpenNoFile) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t caller = fork();
  if (caller == 0) {
    FileLock lock;
    if (lock.lock(path_) != FileLock::Outcome::locked) _exit(1);
    allow_no_more_files();
    const pid_t worker = fork();
    if (worker > 0) _exit(0);  // nothing is closed in order
    const pid_t self = getpid();
    (void)!write(ends[1], &self, sizeof self);
    alarm(60);
    pause();
    _exit(0);
  }
  close(ends[1]);
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  close(ends[0]);
  int state = 0;
  ASSERT_EQ(waitpid(caller, &state, 0), caller);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  FileLock after;
  EXPECT_EQ(after.lock(path_), FileLock::Outcome::locked);
  EXPECT_EQ(kill(worker, SIGKILL), 0);
}

}  // namespace
}  // namespace torsor
