#include "torsor/numerics/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace torsor {
namespace {

using Lists = std::vector<std::vector<int>>;

TEST(Elimination, OfATreeMakesNoFill) {
  const std::pair<int, int> edges[] = {{0, 1}, {1, 2}, {4, 1}, {3, 5}};
  EXPECT_EQ(eliminated_neighbours(6, edges), (Lists{{}, {0}, {1}, {}, {1}, {3}}));
}

TEST(Elimination, FillsWhereNumbersWouldBeMade) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const int n = 12;
    std::vector<std::pair<int, int>> pairs;
    std::set<std::pair<int, int>> filled;  // later, earlier
    for (int k = 0; k < 14; ++k) {
      const int a = random() % n, b = random() % n;
      if (a == b) continue;
      pairs.emplace_back(a, b);
      filled.emplace(std::max(a, b), std::min(a, b));
    }
    for (int c = n; c-- > 0;)
      for (int a = 0; a < c; ++a)
        for (int b = 0; b < a; ++b)
          if (filled.count({c, a}) && filled.count({c, b})) filled.emplace(a, b);
    Lists expected(n);
    for (const auto& [later, earlier] : filled) expected[later].push_back(earlier);
    EXPECT_EQ(eliminated_neighbours(n, pairs), expected);
  }
}

TEST(Elimination, ReachIsThePathToTheRoot) {
  const Lists chain_and_branch{{}, {0}, {1}, {1}, {}};
  const Lists lists{{3}, {2, 4}};
  EXPECT_EQ(eliminated_reach(chain_and_branch, lists), (Lists{{0, 1}, {0, 1}, {1}, {0}, {1}}));
}

}  // namespace
}  // namespace torsor
