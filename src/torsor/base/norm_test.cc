#include "torsor/base/norm.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>
#include <vector>

namespace torsor {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Norm, OfTwoTheLargerAndTheSmaller) {
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(larger(2, 1), 2);
  EXPECT_EQ(smaller(1, 2), 1);
  EXPECT_EQ(smaller(2, 1), 1);
  EXPECT_EQ(larger({3, -7, 5}), 5);
  EXPECT_TRUE(std::isnan(larger(kNan, 1)) && std::isnan(larger(1, kNan)));
  EXPECT_TRUE(std::isnan(smaller(kNan, 1)) && std::isnan(smaller(1, kNan)));
}

TEST(Norm, IsTheLargestMagnitude) {
  EXPECT_EQ(max_abs(std::vector<double>{}), 0);
  EXPECT_EQ(max_abs(std::vector<double>{-0.0}), 0);
  EXPECT_EQ(max_abs(std::vector<double>{1, -3, 2}), 3);
  EXPECT_EQ(max_abs(std::vector<double>{1, -kInfinity, 2}), kInfinity);
  EXPECT_EQ(max_abs(std::vector<double>{5e-324, -1e-310}), 1e-310);
  EXPECT_EQ(max_abs(Eigen::Vector3d(1, -3, 2)), 3);
  EXPECT_EQ(max_abs(Eigen::MatrixXd(0, 4)), 0);
}

TEST(Norm, KeepsWhatIsNotANumberWhereverItStands) {
  for (const double what : {kNan, -kNan}) {
    for (int size = 1; size < 20; ++size) {
      for (int place = 0; place < size; ++place) {
        std::vector<double> x(size, 2.0);
        x[place] = what;
        EXPECT_TRUE(std::isnan(max_abs(x)));
        EXPECT_TRUE(std::isnan(max_abs(Eigen::Map<Eigen::VectorXd>(x.data(), size))));
        double largest = 0;
        std::optional<double> booked;
        for (const double value : x) {
          keep_largest(largest, value);
          keep_largest(booked, value);
        }
        EXPECT_TRUE(std::isnan(largest) && std::isnan(*booked));
      }
    }
  }
}

}  // namespace
}  // namespace torsor
