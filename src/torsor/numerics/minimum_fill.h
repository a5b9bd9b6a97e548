#pragma once

#include <span>
#include <utility>
#include <vector>

namespace torsor {

/// Unknowns that one elimination may couple: a dense matrix of so many rows. Lattices of thousands of bodies stay far
/// below it; joints between bodies at random do not, and would take hours and gigabytes.
inline constexpr long kMostCoupled = 1500;

/// An order in which a matrix of symmetric pattern is eliminated with little fill: always the node whose
/// elimination couples the fewest unknowns anew. A node with others named in `after` waits until they are
/// gone. `couplings` name its pairs of different nodes, in any order, repeated or not. Throws ModelError where more
/// than kMostCoupled unknowns are coupled at a time.
std::vector<int> minimum_fill_order(std::span<const int> sizes,
                                    std::span<const std::pair<int, int>> couplings,
                                    const std::vector<std::vector<int>>& after);

}  // namespace torsor
