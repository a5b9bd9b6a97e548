// Runs: the program's loop with the interpreter's lock released, and asked now and then whether to stop.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "model.h"
#include "module.h"
#include "torsor/assembly/start.h"
#include "torsor/page/show.h"
#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_channels.h"
#include "torsor/result/result_table.h"
#include "torsor/result/resumable_run.h"
#include "torsor/study/step_choice.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

using Clock = std::chrono::steady_clock;

/// Takes the lock about ten times a second: for signals (Ctrl-C), and for the progress that is shown.
class Visits : public RunListener {
 public:
  explicit Visits(nb::object progress) : progress_(std::move(progress)), last_(Clock::now()) {}

  void on_record(const Observation&, double) override {}
  void on_step(double time) override {
    if (++steps_ < steps_between_) return;
    steps_ = 0;
    const auto since = std::chrono::duration<double>(Clock::now() - last_).count();
    if (since < kBetween / 8)
      steps_between_ = std::min(2 * steps_between_, kMostSteps);  // quick steps: look less often
    if (since < kBetween) return;
    steps_between_ = std::max(1, steps_between_ / 2);
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() < 0) stop(time);
    if (!progress_.is_none()) {
      try {
        progress_(time);
      } catch (nb::python_error& error) {
        error.restore();
        stop(time);
      }
    }
    last_ = Clock::now();
  }
  /// What a law of Python raises ends the run where it stands.
  bool takes(const std::exception_ptr& thrown) override {
    try {
      std::rethrow_exception(thrown);
    } catch (const nb::python_error& error) {
      nb::gil_scoped_acquire acquire;
      raised_ = nb::borrow(error.value());
      if (error.traceback().is_valid()) PyException_SetTraceback(raised_.ptr(), error.traceback().ptr());
      return interrupted_ = true;
    } catch (...) {
      return false;
    }
  }
  /// After the run, with the lock: Ctrl-C between two calls of laws is raised like one inside them. Without laws it is
  /// told by the run's status alone.
  void settle(const Model* model) {
    if (!PyErr_Occurred()) return;
    nb::python_error error;
    if (!error.matches(PyExc_KeyboardInterrupt)) throw error;
    const bool calls = model && !(model->elements().laws.empty() && model->elements().point_laws.empty());
    if (calls && !raised_.is_valid()) raised_ = nb::borrow(error.value());
  }
  bool interrupted() const { return interrupted_; }
  /// What the run is to raise, with what was computed: what a law raised, or the failure of a step. With the lock.
  nb::object raised(const std::optional<StepFailure>& failure) {
    if (raised_.is_valid()) return std::move(raised_);
    return failure ? step_failure_object(*failure) : nb::none();
  }

 private:
  static constexpr double kBetween = 0.1;  ///< [s]
  static constexpr int kMostSteps = 4096;

  /// Ctrl-C ends the run the way a failed step does; any other error is raised when the run has ended.
  [[noreturn]] void stop(double time) {
    interrupted_ = true;
    throw RunInterrupted(time);
  }

  nb::object progress_, raised_;
  Clock::time_point last_;
  int steps_ = 0, steps_between_ = 1;
  bool interrupted_ = false;
};

/// A writer of files that shares HDF5 with other threads.
class LockedWriter : public RunListener {
 public:
  explicit LockedWriter(std::unique_ptr<RunListener> writer) : writer_(std::move(writer)) {}
  ~LockedWriter() override {
    const std::lock_guard lock(hdf5_mutex());
    writer_.reset();
  }
  void on_start(const Manifest& manifest, const RunSettings& settings) override {
    const std::lock_guard lock(hdf5_mutex());
    writer_->on_start(manifest, settings);
  }
  void on_record(const Observation& observation, double residual) override {
    const std::lock_guard lock(hdf5_mutex());
    writer_->on_record(observation, residual);
  }
  void on_end(const Ledger& ledger) override {
    const std::lock_guard lock(hdf5_mutex());
    writer_->on_end(ledger);
  }
  bool keeps_checkpoints() const override { return writer_->keeps_checkpoints(); }
  bool checkpoint_is_due(long steps) override { return writer_->checkpoint_is_due(steps); }
  void on_checkpoint(const RunCheckpoint& checkpoint) override {
    const std::lock_guard lock(hdf5_mutex());
    writer_->on_checkpoint(checkpoint);
  }

 private:
  std::unique_ptr<RunListener> writer_;
};

bool is_hdf5(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".h5" || ending == ".hdf5";
}

/// How often they are kept in the file, if there is one.
CheckpointChoice checkpoints_asked(const std::optional<std::string>& every,
                                   const std::optional<std::string>& out) {
  if (!every) return {};
  const CheckpointChoice choice = parse_checkpoint_choice(*every, "checkpoint");
  if (!choice.is_off() && !(out && is_hdf5(*out))) {
    throw ModelError("checkpoint", "a result file .h5, which has room for it (out)",
                     out ? "'" + *out + "'" : "none");
  }
  return choice;
}

std::unique_ptr<LockedWriter> make_writer(const std::string& path, const Model& model,
                                          const std::string& settings, const CheckpointChoice& checkpoints) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (is_hdf5(path))
    return std::make_unique<LockedWriter>(std::make_unique<Hdf5Writer>(path, model, settings, checkpoints));
  if (ending == ".csv") return std::make_unique<LockedWriter>(std::make_unique<CsvWriter>(path));
  throw ModelError("out", "a file that ends in .h5 or .csv", "'" + path + "'");
}

/// The table, and what is to be raised where the run did not come to its end.
nb::tuple simulate_model(const PyModel& m, bool with_tolerance, const std::optional<std::string>& out,
                         nb::object progress, bool extrema, bool verify, std::optional<double> accuracy,
                         const std::optional<std::string>& checkpoint, bool force) {
  const Model& model = m.model;
  Visits visits(std::move(progress));
  ResultTable table;
  std::optional<StepFailure> failure;
  {
    nb::gil_scoped_release release;
    if (out) require_replaceable(*out, "out", m.files, force);
    const CheckpointChoice checkpoints = checkpoints_asked(checkpoint, out);
    StepperChoice choice;
    if (with_tolerance) choice.tolerance = model.simulation().tolerance.value_or(0);
    Settings settings = resolve_settings(model, choice);
    const StudySubject subject(model);
    const auto stepper = make_stepper(model, subject.start, settings.method);
    std::optional<StepChoice> chosen;
    if (accuracy) {
      const ChosenSteps steps =
          choose_steps(subject, settings.method, settings.run, {.error = *accuracy}, {}, &visits);
      settings.run = steps.run;
      chosen = steps.choice;
    }
    settings.run.extrema = extrema;
    const std::string listed = settings_json(model, settings, chosen);
    const auto writer = out ? make_writer(*out, model, listed, checkpoints) : nullptr;
    TableKeeper keeper(model, listed);
    std::vector<RunListener*> listeners{&keeper, &visits};
    if (writer) listeners.push_back(writer.get());
    Verifier verifier(subject, settings.method, result_channels);
    if (verify) listeners.push_back(&verifier);
    Record record = simulate(*stepper, settings.run, listeners, false);
    record.ledger.accuracy.choice = chosen;
    if (verify && !record.failure) record.ledger.accuracy.verification = verifier.verify({}, &visits);
    RunEnd end{visits.interrupted() ? "interrupted" : record.failure ? "failed" : "done", {}};
    if (!visits.interrupted()) failure = end.failure = record.failure;
    keeper.table().ledger = ledger_json(record.ledger, record.manifest, keeper.last(), end);
    if (out && !out->ends_with(".csv") && (verify || chosen)) {
      const std::lock_guard lock(hdf5_mutex());
      replace_ledger(*out, keeper.table().ledger);
    }
    table = std::move(keeper.table());
  }
  visits.settle(&model);
  return nb::make_tuple(std::move(table), visits.raised(failure));
}

/// The table of the whole run, and what is to be raised where it did not come to its end.
nb::tuple resume_run(const std::string& path, std::optional<double> duration, const PyModel* given,
                     nb::object progress, const std::optional<std::string>& checkpoint) {
  Visits visits(std::move(progress));
  ResultTable table;
  std::optional<StepFailure> failure;
  {
    nb::gil_scoped_release release;
    ResumableRun run = [&] {
      const std::lock_guard lock(hdf5_mutex());
      return read_resumable(path);
    }();
    if (duration) set_duration(run, *duration, "duration");
    if (run.finished) {
      throw ModelError(
          "duration", "a time after " + std::to_string(run.settings.run.duration) + " s: the run is finished",
          "none", path);
    }
    const Model model = given ? given->model : model_of(run);
    require_same_model(run, model);
    const auto stepper = make_stepper(model, make_start(model), run.settings.method);
    LockedWriter writer(std::make_unique<Hdf5Writer>(
        run, model, settings_json(model, run.settings, run.chosen), checkpoints_asked(checkpoint, path)));
    Record record = resume(*stepper, run.settings.run, run.from(), {&visits, &writer}, false);
    if (!visits.interrupted()) failure = record.failure;
    const std::lock_guard lock(hdf5_mutex());
    table = read_result(path);
  }
  visits.settle(given ? &given->model : nullptr);
  return nb::make_tuple(std::move(table), visits.raised(failure));
}

}  // namespace

void bind_simulate(nb::module_& module) {
  module.def(
      "settings_json", [](const PyModel& m) { return settings_json(m.model, resolve_settings(m.model)); },
      "model"_a);
  module.def(
      "write_show",
      [](const PyModel& m, const std::string& path, bool force) {
        nb::gil_scoped_release release;
        require_replaceable(path, "file", m.files, force);
        write_show(m.model, path, "file");
      },
      "model"_a, "path"_a, "force"_a);
  module.def(
      "simulate", &simulate_model, "model"_a, "with_tolerance"_a, "out"_a.none(), "progress"_a.none(),
      "extrema"_a, "verify"_a, "accuracy"_a.none(), "checkpoint"_a.none(), "force"_a,
      nb::sig(
          "def simulate(model: Model, with_tolerance: bool, out: str | None, progress: "
          "typing.Any, extrema: bool, verify: bool, "
          "accuracy: float | None, checkpoint: str | None, force: bool) -> tuple[ResultTable, typing.Any]"));
  module.def(
      "resume", &resume_run, "path"_a, "duration"_a.none(), "model"_a.none(), "progress"_a.none(),
      "checkpoint"_a.none(),
      nb::sig("def resume(path: str, duration: float | None, model: Model | None, progress: typing.Any, "
              "checkpoint: str | None) -> tuple[ResultTable, typing.Any]"));
  module.def("resumed_duration", [](const std::string& path) {
    nb::gil_scoped_release release;
    const std::lock_guard lock(hdf5_mutex());
    return read_resumable(path).settings.run.duration;
  });
}

}  // namespace torsor::python
