#pragma once
// What an object remembers, as a row of numbers: written and read back by the same calls, in the same order. Rows come
// from files, too, and files from strangers: an object that reads one stays as it was made, with lists of the same
// lengths, counts that are whole numbers, and indices within their lists.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "torsor/base/vec.h"

namespace torsor {

/// `tape(time_, history_, last_)` writes the fields, or sets them from what was written; throws std::out_of_range where
/// that cannot have been written by such an object.
class StateTape {
 public:
  StateTape() = default;  ///< to write on
  explicit StateTape(std::vector<double> numbers)
      : numbers_(std::move(numbers)), reads_(true) {}  ///< to read

  template <class... Fields>
  void operator()(Fields&... fields) {
    (pass(fields), ...);
  }
  /// A list whose length changes with the steps, up to `most`; entries that it has not yet are made like `blank`.
  template <class Field>
  void growing(std::vector<Field>& fields, std::size_t most, const Field& blank = Field()) {
    std::size_t size = fields.size();
    pass(size);
    require(size <= most, "a list is too long");
    if (fields.size() > size) fields.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == fields.size()) fields.push_back(blank);
      pass(fields[i]);
    }
  }
  /// Of fields that were passed just now: indices within their lists, counts that fit together.
  void require(bool holds, const char* fault) const {
    if (reads_ && !holds) throw std::out_of_range(fault);
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
      require(!at_end(), "it ends too early");
      const double number = numbers_[next_++];
      if constexpr (std::integral<Field>) require(is_of<Field>(number), "a count is not a whole number");
      field = static_cast<Field>(number);
    }
  }
  /// A conversion to a type of whole numbers is undefined beyond them.
  template <std::integral Field>
  static bool is_of(double number) {
    using Limits = std::numeric_limits<Field>;
    const double beyond = std::ldexp(1.0, Limits::digits);
    return number >= (Limits::is_signed ? -beyond : 0.0) && number < beyond && number == std::trunc(number);
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
    require(size == fields.size(), "a list has another length");
    for (Field& field : fields) pass(field);
  }

  std::vector<double> numbers_;
  std::size_t next_ = 0;
  bool reads_ = false;
};

}  // namespace torsor
