// Sweeps: chunks of runs for any executor, and the place where their rows meet.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <span>
#include <thread>

#include "arrays.h"
#include "module.h"
#include "torsor/page/sweep_page.h"
#include "torsor/result/output_file.h"
#include "torsor/result/sweep_folder.h"
#include "torsor/study/sensitivity.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

/// What ends runs: Ctrl-C, or what a call of Python raised on any thread.
class Interruption {
 public:
  static constexpr std::chrono::milliseconds kBetween{100};

  /// Looks for Ctrl-C on the thread that made this alone, and there ten times a second at most.
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (std::this_thread::get_id() == thread_ && now - last_ > kBetween) {
      last_ = now;
      guard([] {
        if (PyErr_CheckSignals() < 0) throw nb::python_error();
      });
    }
    return stopped_;
  }
  /// With the interpreter's lock.
  template <class Call>
  void guard(Call&& call) {
    nb::gil_scoped_acquire acquire;
    if (stopped_) return;
    try {
      call();
    } catch (const nb::python_error&) {
      raised_ = std::current_exception();
      stopped_ = true;
    }
  }
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  std::thread::id thread_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::exception_ptr raised_;
  std::atomic<bool> stopped_{false};
};

/// What a sweep is; a runner for the thread that asks.
struct PySweep {
  PySweep(const std::string& text, const std::string& model, const std::string& file,
          const Overrides& overrides)
      : source(sweep_of_text(text, "sweep", ModelSource{file, model, overrides})) {}

  SweepSource source;
  std::vector<std::unique_ptr<SweepRunner>> idle;
  std::mutex mutex;  ///< of `idle`: several threads of a process may make runs at once

  std::unique_ptr<SweepRunner> runner() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<SweepRunner> used = std::move(idle.back());
        idle.pop_back();
        return used;
      }
    }
    return std::make_unique<SweepRunner>(make_runner(source));
  }
  /// The rows of some runs as bytes, for PySweepRuns.add.
  nb::bytes run(const std::vector<long>& runs) {
    std::vector<SweepRow> rows;
    Interruption interruption;
    {
      nb::gil_scoped_release release;
      std::unique_ptr<SweepRunner> maker = runner();
      maker->stop_when(std::ref(interruption));
      const std::span<const long> all = runs;
      for (std::size_t first = 0; first < all.size() && !interruption(); first += SweepRunner::kTogether) {
        const auto count = std::min<std::size_t>(SweepRunner::kTogether, all.size() - first);
        for (SweepRow& row : maker->run(all.subspan(first, count))) rows.push_back(std::move(row));
      }
      maker->stop_when({});
      const std::lock_guard lock(mutex);
      idle.push_back(std::move(maker));
    }
    interruption.rethrow();
    return bytes_of(encoded(rows));
  }
  std::vector<double> values(long run) const {
    std::vector<double> values(source.description.variables.size());
    SweepSamples(source.description).values(run, values);
    return values;
  }
  /// All that changes the model's text for a run.
  Overrides overrides(long run) const {
    const std::vector<double> numbers = values(run);
    Overrides set = source.model.overrides;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const SweepVariable& variable = source.description.variables[i];
      set.emplace_back(variable.path, variable.items.empty()
                                          ? nb::cast<std::string>(nb::repr(nb::float_(numbers[i])))
                                          : variable.items.at(static_cast<std::size_t>(numbers[i])));
    }
    return set;
  }
};

struct PySweepRuns {
  PySweepRuns(PySweep& sweep, const std::string& folder) : runs(sweep.source, folder, "out") {}

  SweepRuns runs;

  void add(const nb::bytes& bytes) {
    const std::string text(bytes.c_str(), bytes.size());
    std::size_t at = 0;
    std::vector<SweepRow> rows = decoded(text, runs.numbers(), at);
    if (at != text.size()) throw Error("rows of a sweep arrived damaged");
    runs.add(std::move(rows));
  }
  nb::tuple progress() const {
    const SweepProgress p = runs.progress();
    return nb::make_tuple(p.planned, p.done, p.failed, p.before, p.seconds);
  }
};

/// In threads of this process, as the program does it, until Ctrl-C or `progress` ends it.
void run_in_threads(PySweep& sweep, PySweepRuns& place, int threads, const nb::object& progress) {
  Interruption interruption;
  SweepRunOptions options;
  options.threads = threads;
  options.stopped = std::ref(interruption);
  options.on_progress = [&](const SweepProgress& p) {
    interruption.guard([&] {
      if (!progress.is_none()) progress(p.done, p.planned, p.failed);
    });
  };
  {
    nb::gil_scoped_release release;
    // This thread alone can look for Ctrl-C, and would not while it waits for the others with no run left of its own. So it
    // makes none, unless the system allows no other thread.
    auto runs = std::async([&] { run_sweep(sweep.source, place.runs, options); });
    while (runs.wait_for(Interruption::kBetween) == std::future_status::timeout) interruption();
    runs.get();
  }
  interruption.rethrow();
}

nb::object array(const std::vector<double>& values, nb::handle owner) {
  const npy_intp size = static_cast<npy_intp>(values.size());
  return view_of(values.data(), 1, &size, owner);
}

}  // namespace

void bind_sweep(nb::module_& module) {
  module.attr("runs_together") = SweepRunner::kTogether;
  nb::class_<PySweep>(module, "SweepPlan", "A sweep file and its model, read and checked.")
      .def(nb::init<const std::string&, const std::string&, const std::string&, const Overrides&>(), "text"_a,
           "model"_a, "file"_a, "overrides"_a)
      .def_prop_ro("count", [](const PySweep& s) { return SweepSamples(s.source.description).count(); })
      .def("run", &PySweep::run, "runs"_a,
           nb::sig("def run(self, runs: collections.abc.Sequence[int]) -> bytes"))
      .def("values", &PySweep::values, "run"_a)
      .def("overrides", &PySweep::overrides, "run"_a);
  nb::class_<PySweepRuns>(module, "SweepRuns", "The rows of a sweep, from wherever they come.")
      .def(nb::init<PySweep&, const std::string&>(), "sweep"_a, "folder"_a)
      .def("missing", [](const PySweepRuns& r) { return r.runs.missing(); })
      .def("add", &PySweepRuns::add, "rows"_a)
      .def("progress", &PySweepRuns::progress,
           nb::sig("def progress(self) -> tuple[int, int, int, int, float]"))
      .def("close", [](PySweepRuns& r) { r.runs.close(); })
      .def(
          "run_in_threads",
          [](PySweepRuns& r, PySweep& s, int threads, nb::object progress) {
            run_in_threads(s, r, threads, progress);
          },
          "sweep"_a, "threads"_a, "progress"_a.none(),
          nb::sig("def run_in_threads(self, sweep: SweepPlan, threads: int, progress: typing.Any) -> None"))
      .def("table", [](const PySweepRuns& r) { return r.runs.table(); });
  nb::class_<SweepTable>(module, "SweepTable", "Inputs, measures and ledger figures of all runs.")
      .def_prop_ro("runs", [](const SweepTable& t) { return t.runs; })
      .def_prop_ro("planned", [](const SweepTable& t) { return t.planned; })
      .def(
          "columns",
          [](nb::object self) {
            const SweepTable& t = nb::cast<const SweepTable&>(self);
            nb::list columns;
            for (const SweepColumn& c : t.columns) {
              columns.append(
                  nb::make_tuple(name_of(c.group), c.name, c.unit, c.labels, array(c.values, self)));
            }
            return columns;
          },
          nb::sig("def columns(self) -> list[tuple[str, str, str, list[str], "
                  "numpy.typing.NDArray[numpy.float64]]]"))
      .def(
          "failed",
          [](const SweepTable& t) {
            nb::list failed;
            for (const SweepTable::Failed& f : t.failed)
              failed.append(nb::make_tuple(f.run, f.inputs, f.reason));
            return failed;
          },
          nb::sig("def failed(self) -> list[tuple[int, list[float], str]]"))
      .def(
          "write",
          [](const SweepTable& t, const std::string& path, const std::vector<std::string>& read, bool force) {
            nb::gil_scoped_release release;
            const std::lock_guard lock(hdf5_mutex());
            require_replaceable(path, "file", read, force);
            write_sweep_table(t, path, "file");
          },
          "path"_a, "read"_a, "force"_a)
      .def(
          "write_page",
          [](const SweepTable& t, const std::string& title, const std::string& path,
             const std::vector<std::string>& read, bool force) {
            nb::gil_scoped_release release;
            require_replaceable(path, "file", read, force);
            write_sweep_page(t, title, {}, path, "file");
          },
          "title"_a, "path"_a, "read"_a, "force"_a)
      .def(
          "index",
          [](const SweepTable& t, int input, int measure) {
            return first_order_index(t.columns.at(input).values, t.columns.at(measure).values);
          },
          "input"_a, "measure"_a);
}

}  // namespace torsor::python
