#pragma once
// What can go wrong, by audience: bad input (ModelError), a time step that cannot be made (StepFailure), a call
// of the library with lists of the wrong length (SizeError). All name what a person needs to act; nothing else
// reaches users.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace torsor {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Bad input. Validation fills the key path (`bodies.link1.mass`), what was expected and what was found; the
/// reader of the file adds file and line (0 = unknown).
struct ModelError : Error {
  ModelError(std::string key_path, std::string expected_text, std::string found_text,
             std::string file_name = "", int line_number = 0);

  std::string key;
  std::string expected;
  std::string found;
  std::string file;
  int line;
};

/// A step that did not converge or produced no finite state; everything before it stands.
struct StepFailure : Error {
  StepFailure(double failure_time, double step_size, double residual_norm, int iteration_count,
              std::string advice_text);

  double time;
  double step;
  double residual;
  int iterations;
  std::string advice;
};

/// A step that was not begun, since somebody wants the run to end: it can go on from there.
struct RunInterrupted : StepFailure {
  explicit RunInterrupted(double at_time) : StepFailure(at_time, 0, 0, 0, "interrupted") {}
};

/// A list that is too short or too long for what it is to hold.
struct SizeError : Error {
  SizeError(const char* argument, std::size_t expected_size, std::size_t found_size);

  std::string argument;
  std::size_t expected, found;
};

[[noreturn]] void throw_size_error(const char* argument, std::size_t expected, std::size_t found);

/// Public functions check what they are given, in every build: a list that is too short would be written past
/// its end.
inline void require_size(const char* argument, std::size_t found, std::size_t expected) {
  if (found != expected) [[unlikely]]
    throw_size_error(argument, expected, found);
}
/// For lists that may be left empty.
inline void require_size_or_none(const char* argument, std::size_t found, std::size_t expected) {
  if (found != 0) require_size(argument, found, expected);
}

}  // namespace torsor
