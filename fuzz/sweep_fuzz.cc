// Whatever the bytes, a sweep file ends in a sweep whose first models can be made, or in a ModelError; and so does its journal.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "attempt.h"
#include "torsor/format/sweep_reader.h"
#include "torsor/result/sweep_journal.h"
#include "torsor/study/sweep_samples.h"

namespace {

constexpr const char* kModel = R"(torsor: 1
dimension: 2
bodies: {rod: {mass: 1, inertia: 1}}
joints: {pivot: {type: revolute, parent: world, child: rod}}
simulation: {formulation: joint, integrator: rkmk4, step: 0.1, duration: 1}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::size_t at = 0;
  torsor::decoded(text, 3, at);
  if (at > text.size()) std::abort();
  attempt([&] {
    const torsor::SweepSource sweep = torsor::sweep_of_text(text, "sweep.yaml", {"rod.yaml", kModel, {}});
    const torsor::SweepSamples samples(sweep.description);
    std::vector<double> values(sweep.description.variables.size());
    torsor::ModelVariants variants = sweep.variants();
    for (long run = 0; run < std::min(samples.count(), 3L); ++run) {
      samples.values(run, values);
      variants.model(values);
    }
  });
  return 0;
}
