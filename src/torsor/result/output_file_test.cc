#include "torsor/result/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "torsor/base/error.h"
#include "torsor/format/yaml_text.h"
#include "torsor/result/file_lock.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

/// A folder for each test, since tests run side by side; nothing may be left in it beside the file.
class OutputFile : public testing::Test {
 protected:
  OutputFile() {
    std::string name = testing::TempDir() + "torsor-output-XXXXXX";
    folder_ = mkdtemp(name.data());
    path_ = folder_ / "out.txt";
  }
  ~OutputFile() override { fs::remove_all(folder_); }
  std::string text() const { return read_file(path_).value_or("none"); }
  long entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_, path_;
};

TEST_F(OutputFile, IsWrittenWholeAndReplaced) {
  write_text_file(path_, "one");
  EXPECT_EQ(text(), "one");
  const std::string longer(1 << 20, 'x');
  write_text_file(path_, longer);
  EXPECT_EQ(text(), longer);
  write_text_file(path_, "");
  EXPECT_EQ(text(), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, KeepsLinksAndPermissions) {
  write_text_file(folder_ / "target.txt", "old");
  fs::permissions(folder_ / "target.txt", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("target.txt", path_);
  write_text_file(path_, "new");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(read_file(folder_ / "target.txt"), "new");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(entries(), 2);
}

/// No room on the disk, as a limit on the size of files.
TEST_F(OutputFile, AFailedWriteLeavesTheOldFile) {
  write_text_file(path_, "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(write_text_file(path_, std::string(100000, 'x')), ModelError);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, PlacesThatTakeNoneAreNamed) {
  const auto refusal = [](const fs::path& path) {
    try {
      write_text_file(path, "text", "--report");
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, "--report");
      EXPECT_THROW(require_writable(path, "--report"), ModelError);
      return error.found;
    }
    return std::string("none");
  };
  EXPECT_NE(refusal(folder_ / "no" / "out.txt").find("no folder"), std::string::npos);
  EXPECT_NE(refusal(folder_).find("it is a folder"), std::string::npos);
  write_text_file(path_, "old");
  EXPECT_NE(refusal(path_ / "below_a_file.txt").find("no folder"), std::string::npos);
  if (geteuid() == 0) return;  // to whom nothing is forbidden
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(refusal(folder_ / "new.txt"), "none");
  write_text_file(path_, "in place");
  EXPECT_EQ(text(), "in place");
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(OutputFile, DevicesAreWrittenInPlace) {
  EXPECT_NO_THROW(write_text_file("/dev/null", "text"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(write_text_file("/dev/full", "text"), ModelError);
}

/// One writer at a time: a run holds the lock of the file that it writes.
TEST_F(OutputFile, IsLeftToTheOneThatWritesIt) {
  write_text_file(path_, "a run");
  {
    FileLock other;
    ASSERT_EQ(other.lock(path_), FileLock::Outcome::locked);
    try {
      write_text_file(path_, "an export", "OUT");
      ADD_FAILURE() << "it was replaced";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, "OUT");
      EXPECT_NE(error.found.find("another program is writing it"), std::string::npos) << error.found;
    }
    EXPECT_EQ(text(), "a run");
    EXPECT_EQ(entries(), 1);
  }
  write_text_file(path_, "an export");
  EXPECT_EQ(text(), "an export");
}

/// Whoever locks a file that has just been replaced gets the new one.
TEST_F(OutputFile, ALockIsOfTheFileAtThePath) {
  write_text_file(path_, "old");
  FileLock first, second;
  ASSERT_EQ(first.lock(path_), FileLock::Outcome::locked);
  fs::rename(path_, folder_ / "away");
  write_text_file(path_, "new");
  ASSERT_EQ(second.lock(path_), FileLock::Outcome::locked);
  EXPECT_EQ(FileLock().lock(path_), FileLock::Outcome::busy);
}

TEST_F(OutputFile, LinksToNothingAreNamed) {
  fs::create_symlink("nowhere", path_);
  try {
    write_text_file(path_, "text");
    ADD_FAILURE() << "it was written";
  } catch (const ModelError& error) {
    EXPECT_NE(error.found.find("it is a link to 'nowhere', where nothing is"), std::string::npos)
        << error.found;
  }
  EXPECT_EQ(entries(), 1);
  EXPECT_TRUE(fs::is_symlink(path_));
}

}  // namespace
}  // namespace torsor
