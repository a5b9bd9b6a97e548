#pragma once
// What an object remembers, as a row of numbers: written and read back by the same calls, in the same order.

#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "torsor/base/vec.h"

namespace torsor {

/// `tape(time_, history_, last_)` writes the fields, or sets them from what was written.
class StateTape {
 public:
  StateTape() = default;  ///< to write on
  explicit StateTape(std::vector<double> numbers)
      : numbers_(std::move(numbers)), reads_(true) {}  ///< to read

  template <class... Fields>
  void operator()(Fields&... fields) {
    (pass(fields), ...);
  }
  const std::vector<double>& numbers() const { return numbers_; }
  /// To write anew, in the same room; to read what was written.
  void clear() {
    numbers_.clear();
    next_ = 0;
    reads_ = false;
  }
  void rewind() {
    next_ = 0;
    reads_ = true;
  }
  bool at_end() const { return next_ == numbers_.size(); }  ///< all that was written has been read

 private:
  template <class Field>
  void pass(Field& field) {
    if constexpr (requires { field.pass(*this); }) {
      field.pass(*this);
    } else if (!reads_) {
      numbers_.push_back(static_cast<double>(field));
    } else {
      if (at_end()) throw std::out_of_range("a state of another stepper: it ends too early");
      field = static_cast<Field>(numbers_[next_++]);
    }
  }
  void pass(Vec3<double>& v) { (*this)(v.x, v.y, v.z); }
  template <class Field>
  void pass(std::optional<Field>& field) {
    bool there = field.has_value();
    pass(there);
    if (there != field.has_value()) field = there ? std::optional<Field>(Field{}) : std::nullopt;
    if (field) pass(*field);
  }
  template <class Field, std::size_t N>
  void pass(Field (&fields)[N]) {
    for (Field& field : fields) pass(field);
  }
  template <class Field>
  void pass(std::vector<Field>& fields) {
    std::size_t size = fields.size();
    pass(size);
    if (reads_ && size > numbers_.size() - next_) {
      throw std::out_of_range("a state of another stepper: it ends too early");
    }
    fields.resize(size);
    for (Field& field : fields) pass(field);
  }

  std::vector<double> numbers_;
  std::size_t next_ = 0;
  bool reads_ = false;
};

}  // namespace torsor
