// One simulation in the caller's own loop.

#include "torsor/simulation/stepper.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <cmath>

#include "arrays.h"
#include "model.h"
#include "module.h"
#include "torsor/result/json_ledger.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

/// A stepper with what the caller reads and writes between steps, in memory that arrays look at.
struct PyStepper {
  PyStepper(const PyModel& m, bool with_tolerance) : model(&m.model), input(*make_external_input(*model)) {
    StepperChoice choice{.external = true};
    if (with_tolerance) choice.tolerance = model->simulation().tolerance.value_or(0);
    stepper = make_stepper(*model, choice);
    step = model->simulation().step.value_or(0);
    begin();
  }
  PyStepper(const PyStepper& other, std::unique_ptr<Stepper> copied)
      : model(other.model),
        stepper(std::move(copied)),
        input(other.input),
        efforts(other.efforts),
        wrenches(other.wrenches),
        step(other.step) {
    begin();
  }

  /// The books are opened here.
  void begin() {
    now = stepper->make_observation();
    stepper->observe(now);
    keeper.emplace(stepper->manifest(), now);
    steps = 0;
    seconds = 0;
    q.resize(model->coordinate_count());
    qd.resize(model->rate_count());
    efforts.resize(model->rate_count());
    wrenches.resize(6 * model->bodies().size());
    show();
  }
  void show() {
    auto next_q = q.begin(), next_qd = qd.begin();
    for (const JointObservation& joint : now.joints) {
      next_q = std::copy(joint.position.begin(), joint.position.end(), next_q);
      next_qd = std::copy(joint.rate.begin(), joint.rate.end(), next_qd);
    }
  }
  void take_input() {
    input.efforts = efforts;
    for (std::size_t b = 0; b < input.wrenches.size(); ++b) {
      const double* n = wrenches.data() + 6 * b;
      input.wrenches[b] = {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    }
    stepper->set_external(input);
  }
  void book() {
    stepper->observe(now);
    keeper->book(now);
    ++steps;
    show();
  }
  void advance(double h, long count) {
    const auto begun = std::chrono::steady_clock::now();
    if (stepper->time() != now.time)
      book();  // a law of the user's raised when the last step was to be booked
    for (long i = 0; i < count; ++i) {
      stepper->step(h);
      book();
    }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  }

  const Model* model;  ///< kept alive by its Python object
  std::unique_ptr<Stepper> stepper;
  ExternalInput input;
  Observation now;
  std::optional<LedgerKeeper> keeper;
  std::vector<double> q, qd, efforts, wrenches;
  double step = 0, seconds = 0;
  long steps = 0;
  std::atomic_flag busy;
};

/// A stepper belongs to one thread at a time.
class Turn {
 public:
  explicit Turn(PyStepper& stepper) : stepper_(stepper) {
    if (stepper_.busy.test_and_set())
      throw std::runtime_error("this stepper is at work in another thread: copy it");
  }
  ~Turn() { stepper_.busy.clear(); }

 private:
  PyStepper& stepper_;
};

void advance(PyStepper& s, double h, long count) {
  if (!(std::isfinite(h) && h > 0)) throw nb::value_error("step: expected a step above 0 s");
  if (count < 0) throw nb::value_error("count: expected 0 or more");
  const Turn turn(s);
  s.take_input();
  nb::gil_scoped_release release;
  s.advance(h, count);
}

nb::tuple state(PyStepper& s) {
  const Turn turn(s);
  const StepperState here = s.stepper->state();
  return nb::make_tuple(here.time, here.q, here.qd, here.memory);
}

void set_state(PyStepper& s, double time, std::vector<double> q, std::vector<double> qd,
               std::vector<double> memory) {
  const Turn turn(s);
  s.stepper->set_state({time, std::move(q), std::move(qd), std::move(memory)});
  s.begin();
}

PyStepper* copied(PyStepper& s) {
  const Turn turn(s);
  return new PyStepper(s, s.stepper->copy());
}

std::string ledger(PyStepper& s) {
  const Turn turn(s);
  Ledger closed = s.keeper->close(s.step, s.steps, s.seconds, s.stepper->evaluations());
  closed.singular_times = s.stepper->singular_times();
  closed.energy_returned = s.stepper->energy_returned();
  return ledger_json(closed, s.stepper->manifest(), s.now);
}

nb::object vector_view(nb::handle self, std::vector<double>& numbers, bool writable, npy_intp columns = 0) {
  const npy_intp shape[] = {npy_intp(columns ? numbers.size() / columns : numbers.size()), columns};
  nb::object view = view_of(numbers.data(), columns ? 2 : 1, shape, self);
  if (writable) PyArray_ENABLEFLAGS(reinterpret_cast<PyArrayObject*>(view.ptr()), NPY_ARRAY_WRITEABLE);
  return view;
}

}  // namespace

void bind_stepper(nb::module_& module) {
  const auto view = [](std::vector<double> PyStepper::*numbers, bool writable, npy_intp columns = 0) {
    return [=](nb::handle_t<PyStepper> self) {
      return vector_view(self, nb::cast<PyStepper&>(self).*numbers, writable, columns);
    };
  };
  nb::class_<PyStepper>(module, "Stepper")
      .def(nb::init<const PyModel&, bool>(), "model"_a, "with_tolerance"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("time", [](const PyStepper& s) { return s.stepper->time(); })
      .def_prop_ro("step", [](const PyStepper& s) { return s.step; })
      .def("q", view(&PyStepper::q, false), nb::sig("def q(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def("qd", view(&PyStepper::qd, false), nb::sig("def qd(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def("efforts", view(&PyStepper::efforts, true),
           nb::sig("def efforts(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def("wrenches", view(&PyStepper::wrenches, true, 6),
           nb::sig("def wrenches(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def(
          "energy",
          [](const PyStepper& s) { return nb::make_tuple(s.now.kinetic, s.now.gravity, s.now.elastic); },
          nb::sig("def energy(self) -> tuple[float, float, float]"))
      .def("advance", advance, "h"_a, "count"_a)
      .def("state", state, nb::sig("def state(self) -> tuple[float, list[float], list[float], list[float]]"))
      .def("set_state", set_state, "time"_a, "q"_a, "qd"_a, "memory"_a)
      .def("copy", copied, nb::keep_alive<0, 1>())
      .def("ledger", [](PyStepper& s) {
        const std::string text = ledger(s);
        return nb::bytes(text.data(), text.size());
      });
}

}  // namespace torsor::python
