#include "torsor/result/checkpoint_choice.h"

#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/units.h"

namespace torsor {

CheckpointChoice parse_checkpoint_choice(const std::string& text, const std::string& key) {
  const char* const expected = "a time as '10 s' or '5 min', a number of steps as '1000 steps', or 'off'";
  if (text == "off") return {0, 0, false};
  for (const char* unit : {" steps", " step"}) {
    if (!text.ends_with(unit)) continue;
    const ParsedInteger steps = parse_integer(text.substr(0, text.size() - std::string(unit).size()));
    if (!steps.fault.empty() || steps.value < 1) throw ModelError(key, expected, in_quotes(text));
    return {0, steps.value, false};
  }
  const ParsedQuantity time = parse_quantity(text, kTime);
  if (!time.fault.empty() || !(time.value > 0) || !std::isfinite(time.value)) {
    throw ModelError(key, expected, in_quotes(text));
  }
  return {time.value, 0, false};
}

}  // namespace torsor
