#include "testing/numbers.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace torsor {
namespace {

TEST(RelativeError, IsOverTheLargestEntry) {
  EXPECT_EQ(relative_error(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2, 4}), 0.25);
}

TEST(RelativeError, IsNoNumberWhereAnEntryIsNone) {
  for (int i = 0; i < 3; ++i) {
    for (const bool first : {true, false}) {
      std::vector<double> a{1, 2, 3}, b = a;
      (first ? a : b)[i] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(std::isnan(relative_error(a, b)));
      EXPECT_FALSE(relative_error(a, b) < 1);
    }
  }
}

}  // namespace
}  // namespace torsor
