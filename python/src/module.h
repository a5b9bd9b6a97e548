#pragma once
// The parts of the module, a file each.

#include <nanobind/nanobind.h>

#include <mutex>
#include <optional>

#include "torsor/base/error.h"

namespace torsor::python {

void bind_errors(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_result(nanobind::module_& module);
void bind_simulate(nanobind::module_& module);
void bind_stepper(nanobind::module_& module);
void bind_dynamics(nanobind::module_& module);
void bind_sweep(nanobind::module_& module);

/// An instance of torsor.StepFailure, to be raised or handed over.
nanobind::object step_failure_object(const StepFailure& failure);

/// HDF5 is not safe in threads: whoever calls it holds this, and not the interpreter's lock.
std::mutex& hdf5_mutex();

}  // namespace torsor::python
