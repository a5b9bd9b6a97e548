#include "torsor/result/output_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "torsor/format/yaml_text.h"

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

}  // namespace
}  // namespace torsor
