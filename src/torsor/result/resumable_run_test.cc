#include "torsor/result/resumable_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testing/linkages.h"
#include "testing/models.h"
#include "torsor/assembly/start.h"
#include "torsor/format/model_reader.h"
#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/checksum.h"
#include "torsor/result/file_lock.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/result_table.h"
#include "torsor/simulation/applicable.h"

namespace {
long writes_left = -1;  ///< before this program is killed; below 0: it is not
}

/// In the place of the C library's: the program dies at the write that is asked for, which it makes by half.
extern "C" ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  if (writes_left == 0) {
    syscall(SYS_pwrite64, file, data, size / 2, at);
    _exit(9);
  }
  if (writes_left > 0) --writes_left;
  return syscall(SYS_pwrite64, file, data, size, at);
}
extern "C" ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  return pwrite(file, data, size, at);
}

namespace torsor {
namespace {

constexpr const char* kModel = R"(torsor: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  upper: {mass: 1, com: [0.5, 0], inertia: 0.1}
  lower: {mass: 1, com: [0.5, 0], inertia: 0.1}
joints:
  shoulder: {type: revolute, parent: world, child: upper}
  elbow: {type: revolute, parent: upper, child: lower, in_parent: {position: [1, 0]}}
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 2}
)";

/// In memory where there is such a folder: syncs are many here.
std::filesystem::path scratch_folder() {
  return access("/dev/shm", W_OK) == 0 ? std::filesystem::path("/dev/shm")
                                       : std::filesystem::temp_directory_path();
}

struct Scratch {
  std::string path;
  explicit Scratch(const std::string& name)
      : path((scratch_folder() / (std::to_string(getpid()) + "-torsor-resume-" + name)).string()) {}
  ~Scratch() { std::filesystem::remove(path); }
};

Model model() { return parse_model(ModelSource{"arm.yaml", kModel, {{"bodies.lower.mass", "2"}}}); }

/// Ends a run after so many steps, as Ctrl-C does.
class Cut : public RunListener {
 public:
  explicit Cut(long steps) : left_(steps) {}
  void on_record(const Observation&, double) override {}
  void on_step(double time) override {
    if (--left_ == 0) throw RunInterrupted(time);
  }

 private:
  long left_;
};

void run_to_file(const std::string& path, const Model& model, const Settings& settings, long cut = -1,
                 const CheckpointChoice& every = {0, 20, false}) {
  const auto stepper = make_stepper(model, make_start(model), settings.method);
  Hdf5Writer writer(path, model, settings_json(model, settings), every);
  Cut at(cut);
  simulate(*stepper, settings.run, {&writer, &at}, false);
}

void go_on(const std::string& path, double duration = 0) {
  ResumableRun run = read_resumable(path);
  if (duration > 0) set_duration(run, duration);
  const Model model = model_of(run);
  require_same_model(run, model);
  const auto stepper = make_stepper(model, make_start(model), run.settings.method);
  Hdf5Writer writer(run, model, settings_json(model, run.settings), {0, 20, false});
  resume(*stepper, run.settings.run, run.from(), {&writer}, false);
}

/// Records, and the ledger without times of the clock.
void expect_same(const std::string& a, const std::string& b) {
  const ResultTable first = read_result(a), second = read_result(b);
  ASSERT_EQ(first.rows, second.rows);
  ASSERT_EQ(first.datasets.size(), second.datasets.size());
  for (std::size_t i = 0; i < first.datasets.size(); ++i) {
    EXPECT_TRUE(first.datasets[i].values == second.datasets[i].values) << first.datasets[i].path;
  }
  const auto booked = [](const ResultTable& table) {
    Ledger ledger = parse_ledger(table.ledger);
    ledger.wall_seconds = ledger.realtime_factor = 0;
    ledger.resumed.clear();
    return ledger_json(ledger, {}, {});
  };
  EXPECT_EQ(booked(first), booked(second));
}

TEST(ResumableRun, GoesOnByEveryMethodAsIfItHadNeverStopped) {
  const Model m = model();
  Settings settings = resolve_settings(m);
  settings.run.record_every = 3;
  for (const Applicable& method : applicable_methods(m)) {
    if (!method.reason.empty()) continue;
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    settings.method = resolve_method(m, {.formulation = method.formulation, .integrator = method.integrator});
    const Scratch whole("whole.h5"), cut("cut.h5");
    run_to_file(whole.path, m, settings);
    run_to_file(cut.path, m, settings, 101);
    go_on(cut.path);
    expect_same(whole.path, cut.path);
    Settings shorter = settings;
    shorter.run.duration = 1;
    run_to_file(cut.path, m, shorter);
    go_on(cut.path, 2);
    expect_same(whole.path, cut.path);
    EXPECT_EQ(parse_ledger(read_result(cut.path).ledger).resumed.size(), 1u);
  }
}

/// A stranger's file, whose sums are right: a dataset has more numbers in a row than the channel of its name. They were written
/// over what lay behind the block that waits for them.
TEST(ResumableRun, RecordsOfAnotherWidthAreRefused) {
  const Model m = model();
  const Scratch hostile("wide.h5");
  run_to_file(hostile.path, m, resolve_settings(m), 101);
  std::vector<StoredCheckpoint> kept = read_checkpoints(Hdf5Reader(hostile.path).file());
  std::istringstream order(Hdf5Reader(hostile.path).text("channels"));
  std::size_t place = 0;
  for (std::string path; std::getline(order, path) && path != "bodies/upper/com";) ++place;
  const std::array<hsize_t, 2> size{kept.front().rows, 4000}, chunk{16, 4000};
  {
    const Hdf5Id file(H5Fopen(hostile.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)),
        layout(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(2, size.data(), nullptr));
    H5Pset_chunk(layout.get(), 2, chunk.data());
    ASSERT_GE(H5Ldelete(file.get(), "bodies/upper/com", H5P_DEFAULT), 0);
    const Hdf5Id wide(H5Dcreate2(file.get(), "bodies/upper/com", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                 layout.get(), H5P_DEFAULT));
    ASSERT_TRUE(wide);
    CheckpointSlots slots(Hdf5Id(H5Gopen2(file.get(), kCheckpointGroup, H5P_DEFAULT)));
    for (StoredCheckpoint& one : kept) {
      one.row_sums[place] = kSumStart;
      for (std::uint64_t n = 0; n < one.rows * size[1]; ++n)
        one.row_sums[place] = add_to_sum(one.row_sums[place], 0);
      ASSERT_TRUE(slots.write(one));
    }
  }
  ASSERT_FALSE(read_resumable(hostile.path).checkpoints.empty());
  try {
    go_on(hostile.path);
    FAIL() << "goes on";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "records");
  }
}

/// Of runs that were killed before their file lay in its place.
void remove_what_was_left(const std::string& path) {
  for (const auto& entry : std::filesystem::directory_iterator(scratch_folder())) {
    if (entry.path().string().starts_with(path + ".")) std::filesystem::remove(entry.path());
  }
}

/// Wherever it is killed, the file opens, and the run can go on.
TEST(ResumableRun, SurvivesAKillAtEveryWrite) {
  const Model m = model();
  Settings settings = resolve_settings(m);
  settings.run.duration = 0.6;
  settings.run.record = {"energy.total", "joints.elbow"};  // few datasets: few writes
  const Scratch whole("kill-whole.h5"), cut("kill.h5");
  run_to_file(whole.path, m, settings);
  int cuts = 0;
  for (long write = 0;; ++write) {
    std::filesystem::remove(cut.path);
    const pid_t child = fork();
    if (child == 0) {
      writes_left = write;
      run_to_file(cut.path, m, settings);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    if (!std::filesystem::exists(cut.path)) continue;  // before the file lay in its place
    SCOPED_TRACE("killed at write " + std::to_string(write));
    ++cuts;
    const std::size_t rows = read_result(cut.path).rows;
    EXPECT_GE(rows, 1u);
    try {
      read_resumable(cut.path);
    } catch (const ModelError&) {
      EXPECT_EQ(rows, 1u);  // the start alone, before its checkpoint: nothing is lost
      continue;
    }
    if (!read_resumable(cut.path).finished) go_on(cut.path);
    expect_same(whole.path, cut.path);
    if (HasFailure()) break;
  }
  EXPECT_GT(cuts, 10);
  remove_what_was_left(cut.path);
}

/// The records after the last checkpoint are made again; those that were there stay until then.
TEST(ResumableRun, KilledOnceMoreItHasAllRecordsThatWereThere) {
  const Model m = model();
  Settings settings = resolve_settings(m);
  settings.run.duration = 0.3;
  settings.run.record = {"energy.total"};
  const Scratch before("again-before.h5"), cut("again.h5");
  run_to_file(before.path, m, settings);
  const std::size_t rows = read_result(before.path).rows;
  int cuts = 0;
  for (long write = 0;; ++write, ++cuts) {
    std::filesystem::copy_file(before.path, cut.path, std::filesystem::copy_options::overwrite_existing);
    const pid_t child = fork();
    if (child == 0) {
      writes_left = write;
      go_on(cut.path, 0.6);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    EXPECT_GE(read_result(cut.path).rows, rows) << "killed at write " << write;
  }
  EXPECT_GT(cuts, 10);
  remove_what_was_left(cut.path);
}

TEST(ResumableRun, ADamagedTailCostsWhatIsBehindTheLastGoodCheckpoint) {
  const Model m = model();
  const Settings settings = resolve_settings(m);
  const Scratch whole("damage-whole.h5"), cut("damage.h5");
  run_to_file(whole.path, m, settings);
  const auto length = [&] { return std::filesystem::file_size(cut.path); };
  for (const double share : {0.98, 0.9, 0.8, 0.7}) {
    SCOPED_TRACE(share);
    run_to_file(cut.path, m, settings, 190);
    std::filesystem::resize_file(cut.path,
                                 static_cast<std::uintmax_t>(share * static_cast<double>(length())));
    go_on(cut.path);
    expect_same(whole.path, cut.path);
  }
}

TEST(ResumableRun, OfADamagedCheckpointTheOneBeforeItIsTaken) {
  const Model m = model();
  const Settings settings = resolve_settings(m);
  const Scratch whole("flip-whole.h5"), cut("flip.h5");
  run_to_file(whole.path, m, settings);
  run_to_file(cut.path, m, settings, 190);
  const StoredCheckpoint newest = read_resumable(cut.path).checkpoints.front();
  EXPECT_EQ(newest.run.steps, 190);
  std::fstream file(cut.path, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const std::string sought(reinterpret_cast<const char*>(newest.run.numbers.data()), 64);
  const std::size_t at = bytes.find(sought);
  ASSERT_NE(at, std::string::npos);
  file.clear();
  file.seekp(static_cast<std::streamoff>(at + 5));
  file.put(static_cast<char>(bytes[at + 5] ^ 1));
  file.close();
  EXPECT_EQ(read_resumable(cut.path).checkpoints.front().run.steps, 180);
  go_on(cut.path);
  expect_same(whole.path, cut.path);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(ResumableRun, RefusesWithTheDifferenceNamed) {
  const Model m = model();
  const Settings settings = resolve_settings(m);
  const Scratch cut("refuse.h5");
  run_to_file(cut.path, m, settings, 50);
  const ResumableRun run = read_resumable(cut.path);
  const Model heavier = parse_model(ModelSource{"arm.yaml", kModel, {{"bodies.lower.mass", "3"}}});
  EXPECT_NE(refusal([&] { require_same_model(run, heavier); }).find("bodies.lower.mass=3"),
            std::string::npos);
  EXPECT_NE(refusal([&] { go_on(cut.path, 0.2); }).find("a time after 0.5 s"), std::string::npos);
  run_to_file(cut.path, m, settings, -1, {0, 0, false});
  EXPECT_NE(refusal([&] { read_resumable(cut.path); }).find("checkpoint"), std::string::npos);
}

TEST(ResumableRun, ASecondWriterIsRefused) {
  const Model m = model();
  const Settings settings = resolve_settings(m);
  const Scratch file("lock.h5");
  run_to_file(file.path, m, settings, 50);
  FileLock lock;
  ASSERT_EQ(lock.lock(file.path), FileLock::Outcome::locked);
  EXPECT_NE(refusal([&] { run_to_file(file.path, m, settings); }).find("another program is writing it"),
            std::string::npos);
  EXPECT_NE(refusal([&] { go_on(file.path); }).find("another program is writing it"), std::string::npos);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// To whom something is forbidden. False where the system has nobody else.
bool become_somebody() {
  constexpr uid_t kNobody = 65534;
  return geteuid() != 0 || setresuid(kNobody, kNobody, kNobody) == 0;
}

/// There a file is written in place: it was emptied before its records were read.
TEST(ResumableRun, AFolderThatTakesNoNewFileCostsNothing) {
  using std::filesystem::perms;
  const Model m = model();
  std::string folder = (scratch_folder() / "torsor-resume-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/cut.h5";
  run_to_file(path, m, resolve_settings(m), 101);
  const std::string before = bytes_of(path);
  std::filesystem::permissions(path, static_cast<perms>(0666));
  std::filesystem::permissions(folder, static_cast<perms>(0555));
  const pid_t child = fork();
  if (child == 0) {
    if (!become_somebody()) _exit(77);
    _exit(refusal([&] { go_on(path); }).find("takes no new file") != std::string::npos ? 0 : 1);
  }
  int state = 0;
  waitpid(child, &state, 0);
  const bool stays = bytes_of(path) == before;
  std::filesystem::permissions(folder, perms::owner_all);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(WIFEXITED(state));
  if (WEXITSTATUS(state) == 77) GTEST_SKIP() << "there is nobody to whom something is forbidden";
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EXPECT_TRUE(stays);
}

TEST(CheckpointChoice, ReadsTimesStepsAndOff) {
  EXPECT_EQ(parse_checkpoint_choice("5 min").seconds, 300);
  EXPECT_EQ(parse_checkpoint_choice("1000 steps").steps, 1000);
  EXPECT_TRUE(parse_checkpoint_choice("off").is_off());
  for (const char* text : {"", "0 s", "-1 s", "0 steps", "x steps", "5 kg", "often"}) {
    EXPECT_THROW(parse_checkpoint_choice(text), ModelError) << text;
  }
}

}  // namespace
}  // namespace torsor
