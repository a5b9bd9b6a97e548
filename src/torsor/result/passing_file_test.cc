#include "torsor/result/passing_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace torsor {
namespace {

namespace fs = std::filesystem;

class PassingFiles : public testing::Test {
 protected:
  PassingFiles() {
    std::string name = testing::TempDir() + "torsor-passing-XXXXXX";
    folder_ = mkdtemp(name.data());
    target_ = folder_ / "out.txt";
  }
  ~PassingFiles() override { fs::remove_all(folder_); }
  long entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_, target_;
};

TEST_F(PassingFiles, AreGoneAtTheirEndUnlessKept) {
  std::string kept;
  {
    Passing one, other;
    const int a = make_passing_file(target_, one), b = make_passing_file(target_, other);
    ASSERT_GE(a, 0);
    ASSERT_GE(b, 0);
    close(a);
    close(b);
    EXPECT_NE(one.path(), other.path());
    EXPECT_EQ(entries(), 2);
    kept = other.path();
    const Passing moved = std::move(one);
    EXPECT_TRUE(fs::exists(moved.path()));
    other.keep();
  }
  EXPECT_EQ(entries(), 1);
  EXPECT_TRUE(fs::exists(kept));
}

TEST_F(PassingFiles, HaveThePermissionsOfNewFiles) {
  Passing file;
  close(make_passing_file(target_, file));
  const int wanted = open((folder_ / "new").c_str(), O_CREAT | O_WRONLY, 0666);
  close(wanted);
  EXPECT_EQ(fs::status(file.path()).permissions(), fs::status(folder_ / "new").permissions());
}

/// In a process of its own, which it ends as a signal handler does.
TEST_F(PassingFiles, ASignalRemovesAllOfThem) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("TMPDIR", folder_.c_str(), 1);
    std::vector<Passing> all(5);
    for (Passing& one : all) close(make_passing_file(target_, one));
    Passing folder;
    if (!make_passing_folder(folder)) _exit(1);
    const Passing within(folder.path() + "/run.h5", Passing::Kind::file);
    Passing beside_it;
    close(make_passing_file(within.path(), beside_it));
    Passing kept;
    close(make_passing_file(folder_ / "kept", kept));
    kept.keep();
    const long made = std::distance(fs::recursive_directory_iterator(folder_), {});
    remove_passing();
    _exit(made == 8 ? 0 : 2);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0);
  EXPECT_EQ(entries(), 1);  // what was kept
}

TEST_F(PassingFiles, MoreThanAreNotedAreRemovedAllTheSame) {
  {
    std::vector<Passing> all(200);
    for (Passing& one : all) close(make_passing_file(target_, one));
    EXPECT_EQ(entries(), 200);
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(PassingFiles, AFolderThatIsMissingIsAFault) {
  Passing file;
  EXPECT_EQ(make_passing_file(folder_ / "no" / "out.txt", file), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace torsor
