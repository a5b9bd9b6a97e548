#pragma once
// NumPy's own interface. Conversions by the buffer protocol or DLPack take as long as inverse dynamics of an arm
// itself; looking into the array takes a few nanoseconds.

#include <nanobind/nanobind.h>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL torsor_numpy
#ifndef TORSOR_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
