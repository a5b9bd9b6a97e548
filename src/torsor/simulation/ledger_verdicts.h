#pragma once
// Four verdicts on a run: what was found beside what its method promises. Each is about what was checked and nothing
// more.

#include <optional>
#include <string>

namespace torsor {

struct Ledger;

enum class VerdictState {
  exact,  ///< promised exact, and found so to rounding
  order,  ///< within what the order of the method explains
  none,   ///< not promised, or nothing to check
  broken  ///< promised and not kept, as large as what it is measured by, or not a number
};
const char* name_of(VerdictState state);  ///< "exact", "order", "none", "broken"

struct Verdict {
  VerdictState state = VerdictState::none;
  std::optional<double> figure;  ///< relative error that was found; none where nothing was measured
  std::string text;              ///< a sentence with the figure
};

struct Verdicts {
  Verdict energy;       ///< of the balance E(t) - E(0) - work + dissipated, over the scale of the energy
  Verdict constraints;  ///< of positions, over the size of the mechanism; without them of quaternion lengths
  Verdict momenta;      ///< of those components that the model conserves, over sqrt(2 m T), sqrt(2 J T)
  Verdict motion;       ///< whether steps resolve it; its error where that was measured
};

Verdicts verdicts_of(const Ledger& ledger);

}  // namespace torsor
