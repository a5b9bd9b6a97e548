// Whatever the bytes, reading a model ends in a Model or in a ModelError that says where and what.
// A NUL, which no model file may hold, parts the input into text, key path and value of an override.

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"

namespace {

torsor::ModelSource source_from(const std::string& bytes) {
  std::istringstream stream(bytes);
  torsor::ModelSource source{"fuzz.yaml", "", {}};
  std::getline(stream, source.text, '\0');
  std::string path, value;
  while (std::getline(stream, path, '\0') && std::getline(stream, value, '\0'))
    source.overrides.emplace_back(path, value);
  return source;
}

/// Programs are evaluated where their pieces meet, too.
void evaluate(const torsor::Program& program) {
  for (const double t : {-1.0, 0.0, 0.7, 1e6}) program.evaluate(t);
  for (const double t : program.breakpoints()) program.evaluate(t);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const torsor::Model model = torsor::parse_model(source_from({reinterpret_cast<const char*>(data), size}));
    for (const auto& actuator : model.actuators()) evaluate(actuator.effort);
    for (const auto& load : model.loads())
      for (const auto& component : load.components) evaluate(component);
    for (const auto& controller : model.controllers())
      for (const auto& target : controller.target) evaluate(target);
    for (const auto& servo : model.servos())
      for (const auto& [output, program] : servo.follows) evaluate(program);
  } catch (const torsor::ModelError& error) {
    if (error.file.empty() || error.expected.empty() || error.found.empty()) std::abort();
  }
  return 0;
}
