#pragma once

#include <span>
#include <utility>
#include <vector>

namespace torsor {

/// An order in which a matrix of symmetric pattern is eliminated with little fill: always the node whose
/// elimination couples the fewest unknowns anew. A node with others named in `after` waits until they are
/// gone. `couplings` name its pairs of different nodes, in any order, repeated or not.
std::vector<int> minimum_fill_order(std::span<const int> sizes,
                                    std::span<const std::pair<int, int>> couplings,
                                    const std::vector<std::vector<int>>& after);

}  // namespace torsor
