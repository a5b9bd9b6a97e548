// Writers where memory has run out, in processes of their own: what is taken there is not given back.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "testing/models.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_table.h"
#include "torsor/result/sweep_table.h"
#include "torsor/simulation/applicable.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

/// As sanitizers do, which end a program that finds none. Then it has terabytes of addresses.
bool takes_memory_beforehand() {
  std::ifstream sizes("/proc/self/statm");
  double pages = 0;
  sizes >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) > 1e12;
}

class LackOfMemory : public testing::Test {
 protected:
  LackOfMemory() {
    std::string name = testing::TempDir() + "torsor-memory-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~LackOfMemory() override { fs::remove_all(folder_); }
  void SetUp() override {
    if (takes_memory_beforehand()) GTEST_SKIP() << "not in a program that has its memory beforehand";
  }
  std::string path(const char* file) const { return folder_ / file; }
  long entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

/// What the call in a process of its own says, from 0 to 98; 99 where it throws, -1 where it ends by a signal.
int said_apart(const std::function<int()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    int said = 99;
    try {
      said = call();
    } catch (...) {
    }
    _exit(said);
  }
  int state = 0;
  return waitpid(child, &state, 0) == child && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

/// In pieces of 2000 bytes, of which one of so many `together` stays: what lies between them is not given back to the system.
void leave_room(int pieces, int together) {
  static std::vector<std::unique_ptr<char[]>> room;
  for (int i = 0; i < pieces; ++i) room.push_back(std::make_unique<char[]>(2000));
  for (int i = 0; i < pieces; ++i) {
    if ((i + 1) % together != 0) room[static_cast<std::size_t>(i)].reset();
  }
}

/// From now on the system gives none, also not to the stack: what this takes of it is left to its caller.
[[gnu::noinline]] void end_memory() {
  volatile char depth[1 << 18];
  for (volatile char& byte : depth) byte = 0;
  rlimit none{};
  getrlimit(RLIMIT_AS, &none);
  none.rlim_cur = 0;
  setrlimit(RLIMIT_AS, &none);
}

/// And what the program still has, down to pieces of so many bytes.
void use_up_memory(std::size_t smallest) {
  for (std::size_t size = std::size_t{1} << 26; size >= smallest; size /= 2) {
    void* volatile piece = nullptr;
    do {
      piece = std::malloc(size);
    } while (piece);
  }
}

/// 0 where it fails as on a full disk, and says of what there was too little.
int said_without_memory(const std::function<void()>& write) {
  return said_apart([&] {
    leave_room(1000, 1000);
    end_memory();
    try {
      write();
    } catch (const OutputFailure& failure) {
      return failure.found.find(std::strerror(ENOMEM)) != std::string::npos ? 0 : 1;
    }
    return 2;
  });
}

TEST_F(LackOfMemory, Hdf5IsNotCalled) {
  const ResultTable table{{{"time", "s", {""}, false, {0}}}, 1, "", "", "", "", ""};
  SweepTable sweep;
  sweep.runs = {0};
  sweep.columns = {{SweepColumn::Group::measures, "height", "m", {}, {1}}};
  const Model model(reference::pendulum());
  const Record record = simulate(*make_stepper(model), {.step = 0.01, .duration = 0.02});
  EXPECT_EQ(said_without_memory([&] { write_result(table, path("table.h5")); }), 0);
  EXPECT_EQ(said_without_memory([&] { write_sweep_table(sweep, path("sweep.h5")); }), 0);
  EXPECT_EQ(said_without_memory([&] { replace_ledger(path("run.h5"), "{}"); }), 0);
  EXPECT_EQ(said_without_memory(
                [&] { Hdf5Writer(path("run.h5"), model, "{}").on_start(record.manifest, record.settings); }),
            0);
  EXPECT_EQ(entries(), 0);
}

/// The write at the end asked for memory, and threw within the destructor: the program ended by a signal, the lines were lost.
TEST_F(LackOfMemory, ATableKeepsTheLinesBeforeIt) {
  const Model model(reference::pendulum());
  const Record record = simulate(*make_stepper(model), {.step = 0.01, .duration = 0.02});
  const int kept = said_apart([&] {
    int lines = 1;
    bool failed = false;
    try {
      CsvWriter writer(path("run.csv"));
      writer.on_start(record.manifest, record.settings);
      writer.on_record(record.observations.front(), 0);
      leave_room(40, 2);  // for the text of the error
      end_memory();
      use_up_memory(4096);
      try {
        for (;; ++lines) writer.on_record(record.observations.front(), 0);
      } catch (const OutputFailure&) {
        failed = true;
      }
      use_up_memory(16);
      throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
    }
    return failed ? lines : 0;
  });
  ASSERT_GT(kept, 0);
  std::ifstream file(path("run.csv"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(text.ends_with('\n'));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), kept + 1);  // and the names of the columns
  EXPECT_EQ(entries(), 1);
}

}  // namespace
}  // namespace torsor
