#pragma once
// How many ways a mechanism with loops can move, and which of its constraints say nothing new.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// Constraints of a loop joint, or a coupling, that follow from what others impose.
struct Redundancy {
  std::string joint;
  int repeated = 0, constraints = 0;  ///< so many of so many
  /// Joints that carry the inner forces which these constraints leave undetermined.
  std::vector<std::string> others;
  const char* kind = "joint";  ///< or coupling, whose others are couplings
};

struct Mobility {
  int dof = 0;                    ///< independent rates of the whole mechanism
  int redundant_constraints = 0;  ///< of loop joints and couplings: those that follow from the others
  int instantaneous_dof = 0;      ///< in the configuration itself: more than dof where it is singular
  /// In file order; a constraint is charged to the last joint that imposes it. Only where they are asked for, and not too many.
  std::vector<Redundancy> redundancies;

  bool names_redundant() const { return redundant_constraints == 0 || !redundancies.empty(); }
  bool is_singular() const { return instantaneous_dof > dof; }
};

/// To say which constraints are redundant costs far more than their number.
enum class Redundant { counted, named };

/// By the rank of the loop conditions in the configuration q of all joints, where the loops are closed
/// (assembly.h), and in one a little further along a motion: the higher rank counts, so that a
/// singular position does not hide what the mechanism is.
Mobility mobility(const Model& model, const std::vector<double>& q, Redundant redundant = Redundant::named);

}  // namespace torsor
