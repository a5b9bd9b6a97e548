#pragma once
// What Python passes as states: arrays of any layout whose last axes are those of one state and whose leading axes, if
// any, go over states.

#include <array>
#include <span>
#include <string>

#include "arrays.h"

namespace torsor::python {

inline constexpr int kMostTailAxes = 3;

/// The axes of one state's numbers.
struct Tail {
  int rank = 1;
  std::array<npy_intp, kMostTailAxes> shape{};

  npy_intp size() const {
    npy_intp product = 1;
    for (int i = 0; i < rank; ++i) product *= shape[i];
    return product;
  }
};

/// `(5, 7)`, `(7,)`, or with a name in front `(N, 7)`.
std::string shape_text(std::span<const npy_intp> shape, const char* first = nullptr);

/// One argument as doubles in C order: as it stands where it is so, else converted. Refuses what does not end in
/// the axes of a state (ValueError with both shapes) and what holds no real numbers (TypeError).
class Input {
 public:
  Input(nanobind::handle object, const char* name, const Tail& tail);
  Input(const Input&) = delete;
  ~Input() { Py_DECREF(reinterpret_cast<PyObject*>(array_)); }

  const double* data() const { return static_cast<const double*>(PyArray_DATA(array_)); }
  npy_intp size() const { return size_; }  ///< numbers of one state
  int lead_rank() const { return lead_rank_; }
  std::span<const npy_intp> lead() const { return {PyArray_DIMS(array_), std::size_t(lead_rank_)}; }
  std::span<const npy_intp> shape() const {
    return {PyArray_DIMS(array_), std::size_t(PyArray_NDIM(array_))};
  }
  const char* name() const { return name_; }

 private:
  PyArrayObject* array_;
  const char* name_;
  npy_intp size_;
  int lead_rank_;
};

/// The leading axes that all arguments share; one without any holds for all states.
class Lead {
 public:
  template <class Inputs>
  explicit Lead(const Inputs& inputs) {
    for (const Input& input : inputs) {
      if (input.lead_rank() == 0) continue;
      if (first_) {
        join(input);
      } else {
        first_ = &input;
      }
    }
    if (!first_) return;
    for (const npy_intp axis : first_->lead()) count_ *= axis;
  }

  bool single() const { return !first_; }
  npy_intp count() const { return count_; }
  /// A new array of these axes and those of one state.
  nanobind::object make_array(const Tail& tail) const;

 private:
  void join(const Input& input) const;  ///< throws unless its axes are those of the first

  const Input* first_ = nullptr;
  npy_intp count_ = 1;
};

}  // namespace torsor::python
