#include "torsor/numerics/minimum_degree.h"

#include <algorithm>
#include <set>

namespace torsor {

std::vector<int> minimum_degree_order(std::span<const int> sizes, std::span<const std::pair<int, int>> couplings,
                                      const std::vector<std::vector<int>>& after) {
  const int n = static_cast<int>(sizes.size());
  std::vector<std::set<int>> neighbours(n);
  for (const auto& [a, b] : couplings) {
    neighbours[a].insert(b);
    neighbours[b].insert(a);
  }
  std::vector<int> waits(n), degree(n);
  std::vector<std::vector<int>> followers(n);
  for (int node = 0; node < n; ++node) {
    waits[node] = static_cast<int>(after[node].size());
    for (const int first : after[node]) followers[first].push_back(node);
  }
  const auto count = [&](int node) {
    int total = 0;
    for (const int other : neighbours[node]) total += sizes[other];
    return total;
  };
  std::set<std::pair<int, int>> ready;  // degree, node
  for (int node = 0; node < n; ++node) {
    degree[node] = count(node);
    if (waits[node] == 0) ready.emplace(degree[node], node);
  }
  std::vector<int> order;
  while (!ready.empty()) {
    const int node = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(node);
    const std::vector<int> around(neighbours[node].begin(), neighbours[node].end());
    for (const int a : around) {
      neighbours[a].erase(node);
      for (const int b : around) {
        if (a != b) neighbours[a].insert(b);
      }
    }
    neighbours[node].clear();
    for (const int next : followers[node]) --waits[next];
    for (const int a : around) {
      ready.erase({degree[a], a});
      degree[a] = count(a);
      if (waits[a] == 0) ready.emplace(degree[a], a);
    }
    for (const int next : followers[node]) {
      if (waits[next] == 0) ready.emplace(degree[next], next);
    }
  }
  return order;
}

}  // namespace torsor
