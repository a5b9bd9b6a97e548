#include "torsor/numerics/minimum_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "torsor/base/error.h"
#include "torsor/numerics/elimination.h"

namespace torsor {
namespace {

using Couplings = std::vector<std::pair<int, int>>;

std::vector<int> places(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
  return place;
}

/// Pairs of nodes that are coupled by the time the first of them is eliminated.
std::size_t filled_pairs(const Couplings& couplings, const std::vector<int>& order) {
  const std::vector<int> place = places(order);
  const int n = static_cast<int>(order.size());
  Couplings renamed;
  for (const auto& [a, b] : couplings) renamed.emplace_back(n - 1 - place[a], n - 1 - place[b]);
  std::size_t total = 0;
  for (const auto& list : eliminated_neighbours(n, renamed)) total += list.size();
  return total;
}

TEST(MinimumFill, TreesFillNothing) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = 60;
    Couplings couplings;
    for (int i = 1; i < n; ++i)
      couplings.emplace_back(i, std::uniform_int_distribution<int>(0, i - 1)(random));
    const std::vector<int> order =
        minimum_fill_order(std::vector<int>(n, 3), couplings, std::vector<std::vector<int>>(n));
    ASSERT_EQ(order.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(filled_pairs(couplings, order), static_cast<std::size_t>(n - 1));
  }
}

TEST(MinimumFill, NodesWaitForThoseBeforeThem) {
  std::mt19937 random(2);
  const int n = 80;
  std::uniform_int_distribution<int> any(0, n - 1);
  Couplings couplings;
  std::vector<std::vector<int>> after(n);
  for (int i = 0; i < 200; ++i) {
    const int a = any(random), b = any(random);
    if (a == b) continue;
    couplings.emplace_back(a, b);
    if (i % 2 == 0) after[std::max(a, b)].push_back(std::min(a, b));
  }
  const std::vector<int> order = minimum_fill_order(std::vector<int>(n, 1), couplings, after);
  ASSERT_EQ(order.size(), static_cast<std::size_t>(n));
  const std::vector<int> place = places(order);
  for (int node = 0; node < n; ++node) {
    for (const int first : after[node]) EXPECT_LT(place[first], place[node]);
  }
}

/// Of nodes of 50 unknowns, each coupled to every other, the first to go couples all others.
TEST(MinimumFill, RefusesToCoupleTooMany) {
  const auto order = [](int nodes) {
    Couplings couplings;
    for (int a = 0; a < nodes; ++a)
      for (int b = 0; b < a; ++b) couplings.emplace_back(a, b);
    return minimum_fill_order(std::vector<int>(nodes, 50), couplings, std::vector<std::vector<int>>(nodes));
  };
  static_assert(kMostCoupled % 50 == 0);
  EXPECT_EQ(order(kMostCoupled / 50 + 1).size(), static_cast<std::size_t>(kMostCoupled / 50 + 1));
  EXPECT_THROW(order(kMostCoupled / 50 + 2), ModelError);
}

/// Whoever waits for a node is coupled when it goes.
TEST(MinimumFill, RefusesTooManyThatWaitForOne) {
  const auto order = [](long waiting) {
    std::vector<std::vector<int>> after(waiting + 1, {0});
    after[0].clear();
    Couplings couplings;
    for (int i = 1; i <= waiting; ++i) couplings.emplace_back(0, i);
    return minimum_fill_order(std::vector<int>(waiting + 1, 1), couplings, after);
  };
  EXPECT_THROW(order(kMostCoupled + 1), ModelError);
}

}  // namespace
}  // namespace torsor
