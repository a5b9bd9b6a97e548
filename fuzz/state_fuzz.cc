// Whatever the bytes, JSON of strangers ends in a state, a ledger or settings, or in a ModelError.

#include <cstdint>
#include <string>

#include "attempt.h"
#include "torsor/format/model_reader.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/json_state.h"

namespace {

constexpr const char* kModel = R"(torsor: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}
joints:
  ball: {type: spherical, parent: world, child: a}
  free: {type: free, parent: world, child: b}
  hinge: {type: revolute, parent: b, child: c}
actuators: {motor: {joint: hinge, effort: 1}}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const torsor::Model model = torsor::parse_model(kModel, "three.yaml");
  const std::string text(reinterpret_cast<const char*>(data), size);
  attempt([&] { torsor::parse_joint_state(model, text, "state.json"); });
  attempt([&] { torsor::parse_ledger(text); });
  attempt([&] { torsor::parse_settings(text); });
  return 0;
}
