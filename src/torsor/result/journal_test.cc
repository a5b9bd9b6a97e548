// Journals that no run wrote.

#include "torsor/result/journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "torsor/result/checksum.h"
#include "torsor/result/disk_bytes.h"

namespace torsor {
namespace {

/// Removed when it is closed.
class PassingFile {
 public:
  PassingFile() {
    std::string name = testing::TempDir() + "torsor-journal-XXXXXX";
    descriptor_ = mkstemp(name.data());
    unlink(name.c_str());
  }
  ~PassingFile() { close(descriptor_); }
  PassingFile(const PassingFile&) = delete;
  PassingFile& operator=(const PassingFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

constexpr std::uint64_t kLength = 520 * 100'000;

/// So many sectors, all zeros and all at 0, with their true sum; the file ends behind them.
void write_footer(int file, std::uint64_t sectors) {
  const std::vector<std::byte> body(sectors * 520);
  std::byte footer[32] = {};
  const std::uint64_t new_end = 0, sum = add_to_sum(add_to_sum(sum_of(body), sectors), new_end);
  std::memcpy(footer, "TORSORJ1", 8);
  std::memcpy(footer + 8, &sectors, 8);
  std::memcpy(footer + 16, &new_end, 8);
  std::memcpy(footer + 24, &sum, 8);
  ASSERT_TRUE(write_at(file, kLength, footer));
}

TEST(BytesOnDisk, HolesDoNotCount) {
  const PassingFile file;
  ASSERT_EQ(bytes_on_disk(file.get()), 0u);
  ASSERT_TRUE(write_at(file.get(), kLength, std::vector<std::byte>(1000)));
  EXPECT_GE(bytes_on_disk(file.get()), 1000u);
  EXPECT_LT(bytes_on_disk(file.get()), 200'000u);
  ASSERT_EQ(ftruncate(file.get(), 1'000'000'000), 0);
  EXPECT_LT(bytes_on_disk(file.get()), 200'000u);
}

/// 4 kB on the disk took gigabytes.
TEST(Journal, SectorsInAHoleAreNone) {
  const PassingFile file;
  write_footer(file.get(), 100'000);
  Journal journal;
  EXPECT_FALSE(read_journal(file.get(), journal));
}

TEST(Journal, SectorsOnTheDiskAreRead) {
  const PassingFile file;
  ASSERT_TRUE(write_at(file.get(), 0, std::vector<std::byte>(kLength, std::byte{1})));
  ASSERT_TRUE(write_at(file.get(), kLength - 5200, std::vector<std::byte>(5200)));
  write_footer(file.get(), 10);
  Journal journal;
  EXPECT_TRUE(read_journal(file.get(), journal));
  EXPECT_EQ(journal.sectors.size(), 1u);
}

}  // namespace
}  // namespace torsor
