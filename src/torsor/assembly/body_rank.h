#pragma once
// How many conditions of joints are independent, and which are not, in the coordinates of bodies.

#include <optional>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// Rows of all joints, tree and loops, that depend on others in the configuration q. Along a tree of joints errors
/// grow from link to link, so that in a large lattice rounding looks like a rank in its coordinates; in those of
/// bodies a joint has two neighbours, wherever it is. For models without couplings; empty where an elimination meets a pivot that vanishes.
std::optional<int> dependent_row_count(const Model& model, const std::vector<double>& q);

/// Share of a force below which a joint does not carry it.
inline constexpr double kTakesPart = 1e-6;

/// Rows of a loop joint that follow from those of joints of the tree and of loop joints before it in the file.
struct RepeatedRows {
  int joint = 0;
  int count = 0;
  std::vector<int> others;  ///< joints that carry the inner forces which these rows leave undetermined
};
/// In file order. Time and memory go with the fill of the joints in that order, which is small where loops that are near
/// each other in the mechanism are so in the file. Empty where rounding leaves it open.
std::optional<std::vector<RepeatedRows>> repeated_rows(const Model& model, const std::vector<double>& q);

}  // namespace torsor
