// Errors of the library as exceptions of torsor/errors.py.

#include <nanobind/stl/string.h>

#include "module.h"

namespace nb = nanobind;

namespace torsor::python {
namespace {

nb::object error_class(const char* name) { return nb::module_::import_("torsor.errors").attr(name); }

/// Texts of the library may hold bytes that are no UTF-8, where a file did.
nb::object text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

void raise(const nb::object& error) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ModelError& e) {
    raise(error_class("ModelError")(text(e.key), text(e.expected), text(e.found), text(e.file), e.line,
                                    text(e.what())));
  } catch (const StepFailure& e) {
    raise(step_failure_object(e));
  } catch (const SizeError& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const Error& e) {
    raise(error_class("Error")(text(e.what())));
  }
}

}  // namespace

nb::object step_failure_object(const StepFailure& e) {
  return error_class("StepFailure")(e.time, e.step, e.residual, e.iterations, text(e.advice), text(e.what()));
}

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace torsor::python
