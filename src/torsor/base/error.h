#pragma once
// What can go wrong, by audience: bad input (ModelError), a time step that cannot be made (StepFailure). Both
// name everything a person needs to act; nothing else reaches users.

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

}  // namespace torsor
