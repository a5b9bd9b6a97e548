#include "torsor/numerics/minimum_fill.h"

#include <algorithm>
#include <set>

namespace torsor {
namespace {

/// The pattern of what is not yet eliminated; neighbours ascending.
class Graph {
 public:
  Graph(std::span<const int> sizes, std::span<const std::pair<int, int>> couplings)
      : sizes_(sizes), neighbours_(sizes.size()) {
    for (const auto& [a, b] : couplings) {
      neighbours_[a].push_back(b);
      neighbours_[b].push_back(a);
    }
    for (std::vector<int>& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  const std::vector<int>& around(int node) const { return neighbours_[node]; }

  /// Entries that the elimination of a node would add, above the diagonal.
  long fill(int node) const {
    const std::vector<int>& list = neighbours_[node];
    long total = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::vector<int>& known = neighbours_[list[i]];
      auto at = known.begin();
      for (std::size_t j = i + 1; j < list.size(); ++j) {
        at = std::lower_bound(at, known.end(), list[j]);
        if (at == known.end() || *at != list[j])
          total += static_cast<long>(sizes_[list[i]]) * sizes_[list[j]];
      }
    }
    return total;
  }

  void eliminate(int node) {
    const std::vector<int> list = std::move(neighbours_[node]);
    neighbours_[node].clear();
    for (const int a : list) {
      merged_.clear();
      std::set_union(neighbours_[a].begin(), neighbours_[a].end(), list.begin(), list.end(),
                     std::back_inserter(merged_));
      std::erase_if(merged_, [&](int b) { return b == a || b == node; });
      neighbours_[a] = merged_;
    }
  }

 private:
  std::span<const int> sizes_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<int> merged_;
};

}  // namespace

std::vector<int> minimum_fill_order(std::span<const int> sizes,
                                    std::span<const std::pair<int, int>> couplings,
                                    const std::vector<std::vector<int>>& after) {
  const int n = static_cast<int>(sizes.size());
  Graph graph(sizes, couplings);
  std::vector<int> waits(n), order;
  std::vector<std::vector<int>> followers(n);
  std::vector<long> fill(n);
  std::set<std::pair<long, int>> ready;  // fill, node
  for (int node = 0; node < n; ++node) {
    waits[node] = static_cast<int>(after[node].size());
    for (const int first : after[node]) followers[first].push_back(node);
    fill[node] = graph.fill(node);
    if (waits[node] == 0) ready.emplace(fill[node], node);
  }
  while (!ready.empty()) {
    const int node = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(node);
    const std::vector<int> around = graph.around(node);
    graph.eliminate(node);
    for (const int next : followers[node]) --waits[next];
    // What two neighbours have in common may be one of their neighbours' worry, too.
    std::set<int> changed(around.begin(), around.end());
    if (fill[node] > 0) {
      for (const int a : around) changed.insert(graph.around(a).begin(), graph.around(a).end());
    }
    changed.insert(followers[node].begin(), followers[node].end());
    for (const int a : changed) {
      ready.erase({fill[a], a});
      fill[a] = graph.fill(a);
      if (waits[a] == 0) ready.emplace(fill[a], a);
    }
  }
  return order;
}

}  // namespace torsor
