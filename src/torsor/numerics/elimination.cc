#include "torsor/numerics/elimination.h"

#include <algorithm>
#include <cassert>

namespace torsor {
namespace {

void sort_unique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

std::vector<std::vector<int>> coupled_neighbours(int nodes, std::span<const std::pair<int, int>> couplings) {
  std::vector<std::vector<int>> neighbours(nodes);
  for (const auto& [a, b] : couplings) {
    assert(a != b && a >= 0 && b >= 0 && a < nodes && b < nodes);
    neighbours[std::max(a, b)].push_back(std::min(a, b));
  }
  for (std::vector<int>& list : neighbours) sort_unique(list);
  return neighbours;
}

std::vector<std::vector<int>> eliminated_neighbours(int nodes,
                                                    std::span<const std::pair<int, int>> couplings) {
  std::vector<std::vector<int>> neighbours = coupled_neighbours(nodes, couplings);
  // Elimination of a node couples all its neighbours with each other. It is enough to tell the one that is
  // eliminated next, which hands the rest on.
  for (int node = nodes; node-- > 0;) {
    std::vector<int>& list = neighbours[node];
    sort_unique(list);
    if (list.empty()) continue;
    neighbours[list.back()].insert(neighbours[list.back()].end(), list.begin(), list.end() - 1);
  }
  return neighbours;
}

std::vector<std::vector<int>> eliminated_reach(const std::vector<std::vector<int>>& neighbours,
                                               std::span<const std::vector<int>> lists) {
  std::vector<std::vector<int>> reach(neighbours.size());
  for (std::size_t list = 0; list < lists.size(); ++list)
    for (int node : lists[list]) reach[node].push_back(static_cast<int>(list));
  for (std::size_t node = neighbours.size(); node-- > 0;) {
    sort_unique(reach[node]);
    if (neighbours[node].empty()) continue;
    std::vector<int>& next = reach[neighbours[node].back()];
    next.insert(next.end(), reach[node].begin(), reach[node].end());
  }
  return reach;
}

}  // namespace torsor
