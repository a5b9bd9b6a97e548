#include "torsor/result/sweep_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/sweep_journal.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = R"(torsor: 1
name: swing
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 1, inertia: 0.0833333333333333}
joints:
  pivot: {type: revolute, parent: world, child: rod, in_child: {position: [0, 0.5]}}
initial:
  joints: {pivot: 0.2}
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 4}
)";

/// Small swings of pendulums with other gravity, and some with a mass that is none.
constexpr const char* kSweep = R"(torsor_sweep: 1
vary:
  gravity.1: {uniform: [-20, -5]}
  bodies.rod.mass: {list: [1, 2, -1]}
samples: {method: latin-hypercube, count: 60, seed: 3}
measure:
  swing: {frequency: joints.pivot.position}
  angle: {max: joints.pivot.position}
  lowest: {min: bodies.rod.com.y}
set: {initial.joints.pivot: 0.001}
)";

SweepSource source() { return sweep_of_text(kSweep, "s.yaml", ModelSource{"swing.yaml", kModel, {}}); }

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

SweepTable run_in(const std::string& folder, const SweepRunOptions& options = {}) {
  SweepRuns runs(source(), folder);
  run_sweep(source(), runs, options);
  return runs.table();
}

SweepRow row_of(SweepRunner& runner, long run) { return runner.run(std::span(&run, 1)).at(0); }

class SweepFolder : public ::testing::Test {
 protected:
  SweepFolder() { fs::create_directories(folder_); }
  ~SweepFolder() override { fs::remove_all(folder_); }

  std::string table_bytes(const SweepTable& table, const char* name = "table.h5") const {
    const std::string path = (folder_ / name).string();
    write_sweep_table(table, path);
    return bytes_of(path);
  }

  fs::path folder_ = fs::temp_directory_path() / ("torsor_sweep_test_" + std::to_string(getpid()));
};

TEST_F(SweepFolder, MeasuresWhatTheMotionIs) {
  const SweepTable table = run_sweep(source());
  EXPECT_TRUE(table.complete());
  EXPECT_EQ(table.failed.size(), 20u);
  for (const SweepTable::Failed& failed : table.failed) {
    EXPECT_EQ(failed.inputs[1], 2);
    EXPECT_NE(failed.reason.find("bodies.rod.mass"), std::string::npos) << failed.reason;
  }
  const SweepColumn& gravity = *table.find(SweepColumn::Group::inputs, "gravity.1");
  const SweepColumn& mass = *table.find(SweepColumn::Group::inputs, "bodies.rod.mass");
  const SweepColumn& swing = *table.find(SweepColumn::Group::measures, "swing");
  const SweepColumn& angle = *table.find(SweepColumn::Group::measures, "angle");
  EXPECT_EQ(swing.unit, "Hz");
  EXPECT_EQ(angle.unit, "rad");
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    const double m = mass.values[i] == 0 ? 1 : 2, l = 0.5, J = 1.0 / 12;
    const double wanted = std::sqrt(-gravity.values[i] * m * l / (J + m * l * l)) / (2 * M_PI);
    if (wanted * 4 < 2.5) continue;  // two passages at least
    EXPECT_NEAR(swing.values[i] / wanted, 1,
                4e-4);  // measured 2.8e-4, of the midpoint rule (w h)^2 / 12
    EXPECT_NEAR(angle.values[i], 0.001, 1e-9);
  }
  for (const double balance : table.find(SweepColumn::Group::ledger, "balance")->values)
    EXPECT_LT(balance, 1e-9);
}

/// Stopped within the first runs, which leave no rows but those that are refused at their start, and among later ones.
TEST_F(SweepFolder, TableIsTheSameHoweverItWasMade) {
  const std::string wanted = table_bytes(run_sweep(source()));
  for (const int threads : {1, 2, 5}) {
    for (const int most : {3, 120}) {
      const std::string place = (folder_ / (std::to_string(threads) + "_" + std::to_string(most))).string();
      SweepRunOptions options;
      options.threads = threads;
      std::atomic<int> asked{0};
      options.stopped = [&] { return ++asked > most; };
      const SweepTable part = run_in(place, options);
      EXPECT_FALSE(part.complete());
      if (most == 3 || threads == 1) {
        EXPECT_EQ(part.runs.empty(), most == 3) << threads;
      }
      options.stopped = {};
      EXPECT_EQ(table_bytes(run_in(place, options)), wanted) << threads;
    }
  }
}

/// A folder of strangers may name a file of the user's as the journal.
TEST_F(SweepFolder, AJournalIsAFileInTheFolder) {
  const auto refusal = [&] {
    try {
      run_in(folder_.string());
    } catch (const ModelError& error) {
      return error.found;
    }
    return std::string("none");
  };
  const fs::path journal = folder_ / "journal.bin", outside = folder_ / "profile";
  fs::create_symlink("profile", journal);
  EXPECT_NE(refusal().find("it is a link"), std::string::npos);
  EXPECT_FALSE(fs::exists(outside));
  std::ofstream(outside) << "";
  EXPECT_NE(refusal().find("it is a link"), std::string::npos);
  EXPECT_EQ(fs::file_size(outside), 0u);
  fs::remove(journal);
  ASSERT_EQ(mkfifo(journal.c_str(), 0600), 0);
  EXPECT_NE(refusal().find("it is no regular file"), std::string::npos);
}

/// Cut anywhere, as a crash would: whole rows are taken, the rest is made again.
TEST_F(SweepFolder, GoesOnFromAJournalThatIsCutAnywhere) {
  const std::string place = (folder_ / "cut").string();
  const std::string wanted = table_bytes(run_in(place));
  const fs::path journal = fs::path(place) / "journal.bin";
  const std::string whole = bytes_of(journal);
  for (std::size_t i = 0; i <= 20; ++i) {
    const std::size_t size = whole.size() * i / 20;
    std::ofstream(journal, std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    EXPECT_EQ(table_bytes(run_in(place)), wanted) << size;
  }
  std::string flipped = whole;
  flipped[whole.size() - 20] ^= 4;
  std::ofstream(journal, std::ios::binary | std::ios::trunc) << flipped;
  EXPECT_EQ(table_bytes(run_in(place)), wanted);
}

TEST_F(SweepFolder, RefusesAJournalOfAnotherSweepAndOneThatIsBeingWritten) {
  const std::string place = (folder_ / "mine").string();
  run_in(place);
  std::string text = kSweep;
  text.replace(text.find("seed: 3"), 7, "seed: 4");
  EXPECT_THROW(SweepRuns(sweep_of_text(text, "s.yaml", ModelSource{"swing.yaml", kModel, {}}), place),
               ModelError);
  const SweepJournal held((fs::path(place) / "journal.bin").string(), sweep_identity(source()), 6, "--out");
  EXPECT_THROW(run_in(place), ModelError);
  std::ofstream(folder_ / "journal.bin") << "something else, not ours";
  EXPECT_THROW(run_in(folder_.string()), ModelError);
}

TEST_F(SweepFolder, FileHoldsTheTable) {
  const SweepTable table = run_sweep(source());
  table_bytes(table);
  const Hdf5Reader file((folder_ / "table.h5").string());
  const Hdf5Reader::Table swing = file.table("measures/swing");
  EXPECT_EQ(swing.unit, "Hz");
  EXPECT_EQ(swing.values, table.find(SweepColumn::Group::measures, "swing")->values);
  EXPECT_EQ(file.rows("failed/run"), 20);
  EXPECT_EQ(file.text("sweep"), kSweep);
  const std::string csv = table_bytes(table, "table.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 61);
}

TEST_F(SweepFolder, AChannelThatIsNotThereIsTheFilesFault) {
  std::string text = kSweep;
  text.replace(text.find("bodies.rod.com.y"), 16, "bodies.rod.com.z");
  try {
    run_sweep(sweep_of_text(text, "s.yaml", ModelSource{"swing.yaml", kModel, {}}));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "measure.lowest");
    EXPECT_EQ(error.line, 9);
  }
}

/// Whatever came before it: a fixed joint has no position.
TEST_F(SweepFolder, ARunWithoutAChannelFailsAloneWhateverTheOrder) {
  std::string model = kModel;
  const std::string start = "initial:\n  joints: {pivot: 0.2}\n";
  model.erase(model.find(start), start.size());
  const SweepSource sweep = sweep_of_text(R"(torsor_sweep: 1
vary:
  joints.pivot.type: {list: [fixed, revolute]}
measure:
  angle: {max: joints.pivot.position}
)",
                                          "s.yaml", ModelSource{"swing.yaml", model, {}});
  SweepRunner fresh = make_runner(sweep), used = make_runner(sweep);
  const SweepRow first = row_of(fresh, 0), good = row_of(used, 1), second = row_of(used, 0);
  const long both[] = {1, 0};
  const std::vector<SweepRow> together = used.run(both);
  EXPECT_TRUE(good.done()) << good.failure;
  EXPECT_NE(first.failure.find("measure.angle"), std::string::npos) << first.failure;
  EXPECT_EQ(second.failure, first.failure);
  EXPECT_EQ(together[1].failure, first.failure);
  EXPECT_EQ(together[0].numbers, good.numbers);
  EXPECT_EQ(row_of(fresh, 1).numbers, good.numbers);
}

/// Workers that a caller forked live on, as those of a process pool do.
TEST_F(SweepFolder, IsNotKeptByWorkersThatOutliveTheirCaller) {
  const std::string folder = (folder_ / "forked").string();
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t caller = fork();
  ASSERT_GE(caller, 0);
  if (caller == 0) {
    try {
      const SweepRuns runs(source(), folder);
      const pid_t worker = fork();
      if (worker == 0) {
        const pid_t self = getpid();
        (void)!write(pipe_ends[1], &self, sizeof self);
        while (true) pause();
      }
      while (worker > 0) pause();  // until it is killed: nothing is closed in order
    } catch (...) {
      // The pipe ends without a worker.
    }
    _exit(1);
  }
  close(pipe_ends[1]);
  pid_t worker = 0;
  const ssize_t told = read(pipe_ends[0], &worker, sizeof worker);
  close(pipe_ends[0]);
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  ASSERT_EQ(told, static_cast<ssize_t>(sizeof worker));
  EXPECT_NO_THROW(SweepRuns(source(), folder));
  EXPECT_EQ(kill(worker, SIGKILL), 0);
}

/// And a caller that goes on itself while they still work.
TEST_F(SweepFolder, IsFreeOnceItIsClosedWhileWorkersLive) {
  const std::string folder = (folder_ / "forked").string();
  pid_t worker = 0;
  {
    SweepRuns runs(source(), folder);
    worker = fork();
    ASSERT_GE(worker, 0);
    if (worker == 0) {
      while (true) pause();
    }
    EXPECT_THROW(SweepRuns(source(), folder), ModelError);
    runs.close();
  }
  EXPECT_NO_THROW(SweepRuns(source(), folder));
  kill(worker, SIGKILL);
  waitpid(worker, nullptr, 0);
}

/// Lengths of a four-bar whose loop must be closed first, some of which cannot be, with and without slack.
TEST_F(SweepFolder, RowsOfLoopsAreTheSameInAnyCompany) {
  constexpr const char* kFourBar = R"(torsor: 1
name: four bar
dimension: 2
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, com: [0.25, 0], inertia: 0.1}
  coupler: {mass: 1, com: [0.75, 0], inertia: 0.1}
  rocker: {mass: 1, com: [0.5, 0], inertia: 0.1}
joints:
  drive: {type: revolute, parent: world, child: crank}
  crank_pin: {type: revolute, parent: crank, child: coupler, in_parent: {position: [0.5, 0]}}
  rocker_pin: {type: revolute, parent: coupler, child: rocker, in_parent: {position: [1.5, 0]}, in_child: {position: [1, 0]}}
  pivot: {type: revolute, parent: world, child: rocker, in_parent: {position: [1.5, 0]}}
points:
  post: {body: world, at: [0, 1]}
  end: {body: rocker, at: [1, 0]}
tendons:
  cord: {path: [post, end], stiffness: 20, rest_length: 1.5}
initial:
  joints: {drive: 1}
  assemble: true
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 0.2}
)";
  const SweepSource sweep = sweep_of_text(R"(torsor_sweep: 1
vary:
  joints.rocker_pin.in_child.position.0: {list: [1, 1.01, 9, 0.99]}
  tendons.cord.tension_only: {list: [true, false]}
measure:
  angle: {max: joints.pivot.position}
)",
                                          "s.yaml", ModelSource{"four_bar.yaml", kFourBar, {}});
  std::vector<SweepRow> alone;
  for (long run = 0; run < 8; ++run) {
    SweepRunner fresh = make_runner(sweep);
    alone.push_back(row_of(fresh, run));
  }
  EXPECT_TRUE(alone[0].done()) << alone[0].failure;
  EXPECT_FALSE(alone[4].done());
  SweepRunner used = make_runner(sweep);
  for (const std::vector<long>& order :
       {std::vector<long>{0, 1, 2, 3, 4, 5, 6, 7}, {7, 4, 0, 2}, {5, 4}, {1}, {3, 1, 4, 6}}) {
    const std::vector<SweepRow> rows = used.run(order);
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(rows[i].numbers, alone[order[i]].numbers) << order[i];
      EXPECT_EQ(rows[i].failure, alone[order[i]].failure) << order[i];
    }
  }
}

/// Some refusals come only where a run begins: of a period that is no whole number of steps.
TEST_F(SweepFolder, ARunThatIsRefusedAtItsStartIsAFailedRow) {
  const std::string model =
      std::string(kModel) +
      "controllers:\n"
      "  hold: {type: pd, joint: pivot, stiffness: 5, damping: 1, target: 0, period: 0.02}\n";
  const std::string sweep = R"(torsor_sweep: 1
vary:
  controllers.hold.period: {list: [0.02, 0.015, 0.04]}
samples: {method: grid}
measure:
  angle: {max: joints.pivot.position}
)";
  const SweepTable table = run_sweep(sweep_of_text(sweep, "s.yaml", ModelSource{"swing.yaml", model, {}}));
  EXPECT_TRUE(table.complete());
  EXPECT_EQ(table.runs.size(), 2u);
  ASSERT_EQ(table.failed.size(), 1u);
  EXPECT_NE(table.failed[0].reason.find("controllers.hold.period"), std::string::npos)
      << table.failed[0].reason;
  EXPECT_EQ(table.find(SweepColumn::Group::measures, "angle")->unit, "rad");
}

TEST_F(SweepFolder, KeepsExtremesAndOthersSpreadEvenly) {
  const SweepTable table = run_sweep(source());
  const SweepColumn& swing = *table.find(SweepColumn::Group::measures, "swing");
  const auto most = std::max_element(swing.values.begin(), swing.values.end()) - swing.values.begin();
  const std::vector<long> kept = runs_to_keep(table, 8);
  EXPECT_LE(kept.size(), 8u);
  EXPECT_TRUE(std::find(kept.begin(), kept.end(), table.runs[most]) != kept.end());
  EXPECT_TRUE(runs_to_keep(table, 0).empty());
}

}  // namespace
}  // namespace torsor
