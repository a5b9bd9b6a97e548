#include "states.h"

#include <algorithm>

namespace nb = nanobind;

namespace torsor::python {
namespace {

bool ends_in(const PyArrayObject* array, const Tail& tail) {
  const int lead = PyArray_NDIM(array) - tail.rank;
  if (lead < 0) return false;
  const npy_intp* shape = PyArray_DIMS(const_cast<PyArrayObject*>(array)) + lead;
  return std::equal(shape, shape + tail.rank, tail.shape.begin());
}

/// A copy in doubles. Complex numbers, texts and objects are no states, whatever NumPy can make of them.
PyArrayObject* converted(PyObject* object, const char* name) {
  const nb::object any = nb::steal(require(PyArray_FromAny(object, nullptr, 0, 0, 0, nullptr)));
  auto* array = reinterpret_cast<PyArrayObject*>(any.ptr());
  const int type = PyArray_TYPE(array);
  if (!PyTypeNum_ISINTEGER(type) && !PyTypeNum_ISFLOAT(type)) {
    const nb::object found =
        nb::steal(require(PyObject_Str(reinterpret_cast<PyObject*>(PyArray_DESCR(array)))));
    const std::string text =
        std::string(name) + ": expected real numbers (float64), found " + nb::str(found).c_str();
    throw nb::type_error(text.c_str());
  }
  return reinterpret_cast<PyArrayObject*>(
      require(PyArray_FromArray(array, PyArray_DescrFromType(NPY_DOUBLE),
                                NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST | NPY_ARRAY_NOTSWAPPED)));
}

}  // namespace

std::string shape_text(std::span<const npy_intp> shape, const char* first) {
  std::string text = "(";
  if (first) text.append(first).append(", ");
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 && !first ? ",)" : ")");
}

Input::Input(nb::handle object, const char* name, const Tail& tail) : name_(name), size_(tail.size()) {
  auto* array = reinterpret_cast<PyArrayObject*>(object.ptr());
  if (PyArray_Check(object.ptr()) && PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISCARRAY_RO(array))
      [[likely]] {
    array_ = array;
    Py_INCREF(object.ptr());
  } else {
    array_ = converted(object.ptr(), name);
  }
  if (!ends_in(array_, tail)) [[unlikely]] {
    const std::span<const npy_intp> wanted(tail.shape.data(), tail.rank);
    const std::string text = std::string(name) + ": expected shape " + shape_text(wanted) + " or " +
                             shape_text(wanted, "N") + ", found " + shape_text(shape());
    Py_DECREF(reinterpret_cast<PyObject*>(array_));
    throw nb::value_error(text.c_str());
  }
  lead_rank_ = PyArray_NDIM(array_) - tail.rank;
}

void Lead::join(const Input& input) const {
  const auto lead = input.lead(), first = first_->lead();
  if (std::equal(lead.begin(), lead.end(), first.begin(), first.end())) return;
  const std::string text = std::string(input.name()) + ": expected as many states as " + first_->name() +
                           " has, " + shape_text(first_->shape()) + ", found " + shape_text(input.shape());
  throw nb::value_error(text.c_str());
}

nb::object Lead::make_array(const Tail& tail) const {
  std::array<npy_intp, 32 + kMostTailAxes> shape;
  int rank = 0;
  if (first_) {
    for (const npy_intp axis : first_->lead()) {
      if (rank == 30) throw nb::value_error("more leading axes than 30");
      shape[rank++] = axis;
    }
  }
  for (int i = 0; i < tail.rank; ++i) shape[rank++] = tail.shape[i];
  return nb::steal(require(PyArray_SimpleNew(rank, shape.data(), NPY_DOUBLE)));
}

}  // namespace torsor::python
