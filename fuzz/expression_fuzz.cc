// Whatever the text, an expression ends in a program that can be evaluated at any time, or in a ModelError.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "torsor/base/error.h"
#include "torsor/model/program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const torsor::Program program = torsor::make_expression(text, {{"u", torsor::Program(2)}});
    for (const double t : {-1.0, 0.0, 0.7, 1e6}) {
      program.evaluate(t);
      program.jerk(t);
    }
    for (const double t : program.breakpoints()) program.evaluate(t);
  } catch (const torsor::ModelError& error) {
    if (error.expected.empty() || error.found.empty()) std::abort();
  }
  return 0;
}
