// Whatever the text, an expression ends in a program that can be evaluated at any time, or in a ModelError.

#include <cstdint>
#include <string>

#include "attempt.h"
#include "torsor/model/program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const torsor::Program program = torsor::make_expression(text, {{"u", torsor::Program(2)}});
    for (const double t : {-1.0, 0.0, 0.7, 1e6}) {
      program.evaluate(t);
      program.jerk(t);
    }
    for (const double t : program.breakpoints()) program.evaluate(t);
  });
  return 0;
}
