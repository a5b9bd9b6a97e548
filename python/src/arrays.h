#pragma once
// Arrays over memory of the library, which keeps their owner alive.

#include "numpy.h"

namespace torsor::python {

/// Throws the error that NumPy or Python has set, if any.
inline PyObject* require(PyObject* object) {
  if (!object) throw nanobind::python_error();
  return object;
}

/// A view of doubles that cannot be written to; `owner` lives as long as the array does.
inline nanobind::object view_of(const double* data, int rank, const npy_intp* shape, nanobind::handle owner) {
  static double nothing = 0;
  void* memory = const_cast<double*>(data ? data : &nothing);
  PyObject* array = require(PyArray_New(&PyArray_Type, rank, shape, NPY_DOUBLE, nullptr, memory, 0,
                                        NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, nullptr));
  nanobind::object result = nanobind::steal(array);
  owner.inc_ref();  // stolen by the array
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), owner.ptr()) < 0)
    throw nanobind::python_error();
  return result;
}

}  // namespace torsor::python
