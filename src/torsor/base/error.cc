#include "torsor/base/error.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "torsor/base/printable.h"

namespace torsor {
namespace {

std::string message(const std::string& key, const std::string& expected, const std::string& found,
                    const std::string& file, int line) {
  std::string where = file;
  if (line > 0) where += fmt::format("{}{}", where.empty() ? "line " : ":", line);
  // An override (`--set KEY`) names the key already.
  if (!key.empty() && !where.ends_with(" " + key)) where += (where.empty() ? "" : ": ") + key;
  return printable(
      fmt::format("{}{}expected {}, found {}", where, where.empty() ? "" : ": ", expected, found));
}

}  // namespace

ModelError::ModelError(std::string key_path, std::string expected_text, std::string found_text,
                       std::string file_name, int line_number)
    : Error(message(key_path, expected_text, found_text, file_name, line_number)),
      key(std::move(key_path)),
      expected(std::move(expected_text)),
      found(std::move(found_text)),
      file(std::move(file_name)),
      line(line_number) {}

StepFailure::StepFailure(double failure_time, double step_size, double residual_norm, int iteration_count,
                         std::string advice_text)
    : Error(fmt::format(
          "step failed at t = {:.9g} s (step {:.3g} s): residual {} after {} iterations; {}", failure_time,
          step_size,
          std::isfinite(residual_norm) ? fmt::format("{:.3g}", residual_norm) : "beyond all bounds",
          iteration_count, advice_text)),
      time(failure_time),
      step(step_size),
      residual(residual_norm),
      iterations(iteration_count),
      advice(std::move(advice_text)) {}

SizeError::SizeError(const char* argument_name, std::size_t expected_size, std::size_t found_size)
    : Error(fmt::format("{}: expected {} entries, found {}", argument_name, expected_size, found_size)),
      argument(argument_name),
      expected(expected_size),
      found(found_size) {}

void throw_size_error(const char* argument, std::size_t expected, std::size_t found) {
  throw SizeError(argument, expected, found);
}

}  // namespace torsor
