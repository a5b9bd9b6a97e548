// The extension torsor._core: the library as Python sees it. What people call is in torsor/*.py, but for the classes
// whose calls must be quick (Dynamics).

#define TORSOR_IMPORTS_NUMPY
#include "numpy.h"
//
#include "module.h"

namespace nb = nanobind;

static int import_numpy() {
  import_array1(-1);
  return 0;
}

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // interactive sessions end with their variables alive, and that is no fault
  if (import_numpy() < 0) throw nb::python_error();
  torsor::python::bind_errors(module);
  torsor::python::bind_model(module);
  torsor::python::bind_result(module);
  torsor::python::bind_simulate(module);
  torsor::python::bind_stepper(module);
  torsor::python::bind_dynamics(module);
  torsor::python::bind_sweep(module);
}
