#pragma once
// Whether servos can be realised, before the run.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

class ServoObserver;
template <class S>
struct ConstrainedStateOf;
using ConstrainedState = ConstrainedStateOf<double>;

/// Outputs y = c(x) answer to the efforts by y'' = C M^-1 B tau + ...: the step can be solved where this map
/// is regular, that is for a relative degree of 2 (index 3). In the metric of the masses, free of units, the
/// outputs' gradients and the efforts' directions span two spaces of n dimensions each; the cosines of the
/// angles between them are 1 where efforts act right on the outputs (colocated) and 0 where an output does
/// not answer.
struct ServoCheck {
  int outputs = 0;
  double authority = 1;  ///< the least cosine, at the start
  bool is_weak = false;  ///< little of it: large efforts
  std::vector<std::string>
      rough;  ///< outputs whose programs' second derivative jumps, and with it the effort
};

/// At a state that will be the start. Throws ModelError that names what is wrong and what to do: an output
/// that cannot move, outputs or actuators that repeat one another, efforts that do not reach an output in two
/// derivatives, a program that does not start where the mechanism does, or whose rate jumps.
ServoCheck check_servos(const Model& model, ServoObserver& system, const ConstrainedState& start);

/// For people: "3 outputs, authority 0.52".
std::string summary(const ServoCheck& check);

}  // namespace torsor
