#include "torsor/numerics/minimum_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr long kMostVisits = 1'000'000'000;

/// They are coupled by the elimination of one node.
void require_few(std::span<const int> sizes, const std::vector<int>& nodes) {
  long coupled = 0;
  for (const int node : nodes) coupled += sizes[node];
  if (coupled <= kMostCoupled) return;
  throw ModelError(
      "joints",
      fmt::format("loops that couple at most {} coordinates and constraints at a time", kMostCoupled),
      std::to_string(coupled));
}

/// The pattern of what is not yet eliminated, neighbours ascending, and how many entries the elimination of each
/// node would add above the diagonal. That count follows every edge as it comes and goes: anew it would cost the
/// square of a node's neighbours for each of their neighbours.
class Graph {
 public:
  Graph(std::span<const int> sizes, std::span<const std::pair<int, int>> couplings)
      : sizes_(sizes), neighbours_(sizes.size()), fill_(sizes.size()) {
    for (const auto& [a, b] : couplings) {
      neighbours_[a].push_back(b);
      neighbours_[b].push_back(a);
    }
    for (std::vector<int>& list : neighbours_) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    for (std::size_t node = 0; node < fill_.size(); ++node) fill_[node] = count_fill(static_cast<int>(node));
  }

  long fill(int node) const { return fill_[node]; }

  /// Hands all others whose fill may have changed to `changed`, some of them repeatedly.
  template <class Changed>
  void eliminate(int node, Changed&& changed) {
    const std::vector<int> list = std::move(neighbours_[node]);
    neighbours_[node].clear();
    require_few(sizes_, list);
    for (const int a : list) {
      std::vector<int>& of_a = neighbours_[a];
      of_a.erase(std::lower_bound(of_a.begin(), of_a.end(), node));
      fill_[a] -= sizes_[node] * compare(of_a, list, a, [](int) {});
      changed(a);
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      missing_.clear();
      std::set_difference(list.begin() + static_cast<long>(i) + 1, list.end(), neighbours_[list[i]].begin(),
                          neighbours_[list[i]].end(), std::back_inserter(missing_));
      for (const int b : missing_) join(list[i], b, changed);
    }
  }

 private:
  /// Each visit of a neighbour counts.
  void spend(long visits) {
    if ((work_ += visits) <= kMostVisits) return;
    throw ModelError("joints",
                     fmt::format("loops whose order of elimination is found with at most {:g} comparisons",
                                 static_cast<double>(kMostVisits)),
                     "loops between bodies that are joined at random, or too many of them");
  }
  long count_fill(int node) {
    const std::vector<int>& list = neighbours_[node];
    long twice = 0;
    for (const int a : list) twice += sizes_[a] * compare(list, neighbours_[a], a, [](int) {});
    return twice / 2;
  }

  /// The sizes of those in `list`, without `self`, that are not among `others`; what is in both to `common`.
  template <class Common>
  long compare(const std::vector<int>& list, const std::vector<int>& others, int self, Common&& common) {
    spend(static_cast<long>(list.size()) + 8);
    long total = 0;
    auto at = others.begin();
    for (const int x : list) {
      while (at != others.end() && *at < x) ++at;
      if (at != others.end() && *at == x) {
        common(x);
      } else if (x != self) {
        total += sizes_[x];
      }
    }
    return total;
  }

  /// Their common neighbours have a pair less to couple; each of the two has the other to couple with its own.
  template <class Changed>
  void join(int a, int b, Changed&& changed) {
    const long pair = static_cast<long>(sizes_[a]) * sizes_[b];
    fill_[a] += sizes_[b] * compare(neighbours_[a], neighbours_[b], b, [&](int c) {
                  fill_[c] -= pair;
                  changed(c);
                });
    fill_[b] += sizes_[a] * compare(neighbours_[b], neighbours_[a], a, [](int) {});
    for (const auto& [of, other] : {std::pair{a, b}, {b, a}}) {
      std::vector<int>& list = neighbours_[of];
      list.insert(std::lower_bound(list.begin(), list.end(), other), other);
    }
  }

  std::span<const int> sizes_;
  std::vector<std::vector<int>> neighbours_;
  std::vector<long> fill_;
  std::vector<int> missing_;
  long work_ = 0;
};

}  // namespace

std::vector<int> minimum_fill_order(std::span<const int> sizes,
                                    std::span<const std::pair<int, int>> couplings,
                                    const std::vector<std::vector<int>>& after) {
  const int n = static_cast<int>(sizes.size());
  std::vector<int> waits(n), order;
  std::vector<std::vector<int>> followers(n);
  for (int node = 0; node < n; ++node) {
    waits[node] = static_cast<int>(after[node].size());
    for (const int first : after[node]) followers[first].push_back(node);
  }
  for (const std::vector<int>& nodes : followers) require_few(sizes, nodes);  // before it takes long to see
  Graph graph(sizes, couplings);
  std::vector<long> queued(n, -1);       // with which fill a node stands in the queue; -1: it does not
  std::set<std::pair<long, int>> ready;  // fill, node
  const auto queue = [&](int node) {
    if (waits[node] != 0 || queued[node] == graph.fill(node)) return;
    if (queued[node] >= 0) ready.erase({queued[node], node});
    queued[node] = graph.fill(node);
    ready.emplace(queued[node], node);
  };
  for (int node = 0; node < n; ++node) queue(node);
  std::vector<int> changed;
  std::vector<char> is_changed(n, 0);
  const auto note = [&](int node) {
    if (!is_changed[node]) changed.push_back(node);
    is_changed[node] = 1;
  };
  while (!ready.empty()) {
    const int node = ready.begin()->second;
    ready.erase(ready.begin());
    order.push_back(node);
    graph.eliminate(node, note);
    for (const int next : followers[node]) {
      --waits[next];
      note(next);
    }
    for (const int other : changed) {
      queue(other);
      is_changed[other] = 0;
    }
    changed.clear();
  }
  return order;
}

}  // namespace torsor
