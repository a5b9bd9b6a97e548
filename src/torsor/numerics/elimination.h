#pragma once

#include <span>
#include <utility>
#include <vector>

namespace torsor {

/// Symbolic elimination of a matrix of symmetric pattern, from the highest index to the lowest: for every
/// node, ascending, the nodes of smaller index that it is coupled with by the time it is eliminated.
/// `couplings` name its pairs of different nodes, in any order, repeated or not.
std::vector<std::vector<int>> eliminated_neighbours(int nodes,
                                                    std::span<const std::pair<int, int>> couplings);

/// The same without any elimination: those that it is coupled with at first.
std::vector<std::vector<int>> coupled_neighbours(int nodes, std::span<const std::pair<int, int>> couplings);

/// For every node, ascending, which of the lists meet it: those that name it or a node whose elimination
/// reaches it.
std::vector<std::vector<int>> eliminated_reach(const std::vector<std::vector<int>>& neighbours,
                                               std::span<const std::vector<int>> lists);

}  // namespace torsor
