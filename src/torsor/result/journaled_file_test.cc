#include "torsor/result/journaled_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "torsor/base/error.h"
#include "torsor/result/file_lock.h"
#include "torsor/result/journal.h"

namespace torsor {
namespace {

/// In memory where there is such a folder: syncs are many here.
std::string folder_for_syncs() { return access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : testing::TempDir(); }

class JournaledFile : public testing::Test {
 protected:
  JournaledFile() : path_(folder_for_syncs() + "torsor-journaled-XXXXXX") {
    const int made = mkstemp(path_.data());
    whole_ = made >= 0 && ftruncate(made, kEnd) == 0;
    close(made);
  }
  ~JournaledFile() override { std::filesystem::remove(path_); }

  /// As a run does that ends at once: takes the file, changes it by a journal, lets it go.
  void change(std::byte to) {
    FileLock lock;
    if (lock.lock(path_) != FileLock::Outcome::locked) return;
    Sectors changed;
    changed[0].fill(to);
    whole_ = whole_ && commit(lock.descriptor(), changed, kEnd, kEnd);
  }

  static constexpr std::uint64_t kEnd = 8 * kSector;
  std::string path_;
  std::atomic<bool> whole_{false};
};

/// The journal was seen, and was gone once the lock was to be had: reading failed for the reason "Success".
TEST_F(JournaledFile, IsReadWhileItsWriterFinishes) {
  ASSERT_TRUE(whole_);
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    for (int i = 0; !ends; ++i) change(static_cast<std::byte>(i % 2));
  });
  int faults = 0;
  std::string reason;
  for (int i = 0; i < 500; ++i) {
    try {
      finish_journal(path_);
    } catch (const ModelError& error) {
      ++faults;
      reason = error.what();
    }
  }
  ends = true;
  writer.join();
  EXPECT_TRUE(whole_);
  EXPECT_EQ(faults, 0) << reason;
  EXPECT_EQ(std::filesystem::file_size(path_), kEnd);
}

}  // namespace
}  // namespace torsor
