#include "torsor/base/pack_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "torsor/base/pack_lanes.h"

namespace torsor {
namespace {

using P = Pack<8>;

double units_in_the_last_place(double a, double b) {
  return std::abs(static_cast<double>(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b)));
}

TEST(LanePacker, LeavesNothingOfWhatWasPackedBefore) {
  std::array<std::optional<double>, 8> values;
  LanePacker<8>::Lanes<std::optional<double>> lanes;
  for (int i = 0; i < 8; ++i) lanes[i] = &(values[i] = i);
  std::optional<P> whole;
  LanePacker<8>{}(whole, lanes);
  ASSERT_TRUE(whole);
  EXPECT_EQ((*whole)[3], 3);
  values.fill({});
  LanePacker<8>{}(whole, lanes);
  EXPECT_FALSE(whole);
}

TEST(PackMath, AnglesAreThoseOfTheLibraryInEveryQuadrant) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  double worst = 0;
  for (int k = 0; k < 20000; ++k) {
    P y, x;
    for (int i = 0; i < P::size; ++i) {
      y[i] = any(random) * std::pow(10, 3 * any(random));
      x[i] = k % 11 == 0 ? -0.0 : any(random);
    }
    const P angle = angle_of(y, x);
    for (int i = 0; i < P::size; ++i) {
      keep_largest(worst, units_in_the_last_place(angle[i], std::atan2(y[i], x[i])));
    }
  }
  EXPECT_LE(worst, 2);  // measured 2
}

TEST(PackMath, AnglesOfZerosAndOfWhatIsNotFiniteAreTheLibrarys) {
  const double inf = std::numeric_limits<double>::infinity();
  const double y[] = {0.0, -0.0, 0.0, -0.0, inf, 1.0, -1.0, 0.0},
               x[] = {0.0, 0.0, -0.0, -1.0, inf, -inf, 0.0, 2.0};
  P ys, xs;
  for (int i = 0; i < P::size; ++i) ys[i] = y[i], xs[i] = x[i];
  const P angle = angle_of(ys, xs);
  for (int i = 0; i < P::size; ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(angle[i]), std::bit_cast<std::uint64_t>(std::atan2(y[i], x[i])))
        << i;
  }
}

TEST(PackMath, TheLargestKeepsWhatIsNotANumberInItsLane) {
  LargestAbsOf<P> largest;
  P values(1.0);
  values[3] = std::numeric_limits<double>::quiet_NaN();
  largest.keep(values);
  largest.keep(P(-2.0));
  for (int i = 0; i < P::size; ++i) {
    if (i == 3) {
      EXPECT_TRUE(std::isnan(largest.value()[i]));
    } else {
      EXPECT_EQ(largest.value()[i], 2.0);
    }
  }
}

struct Plain {
  int node;
  std::vector<double> numbers;
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.node, s.numbers);
  }
};
struct Packed {
  int node = 0;
  std::vector<P> numbers;
  template <class Self>
  static auto fields(Self& s) {
    return std::tie(s.node, s.numbers);
  }
};

TEST(PackMath, StructsBecomeLanesOnlyWhereTheyAreBuiltAlike) {
  std::vector<Plain> lanes(P::size, Plain{4, {1, 2}});
  lanes[5].numbers[1] = 7;
  LanePacker<P::size>::Lanes<Plain> all;
  for (int i = 0; i < P::size; ++i) all[i] = &lanes[i];
  Packed packed;
  LanePacker<P::size>{}(packed, all);
  EXPECT_EQ(packed.node, 4);
  EXPECT_EQ(packed.numbers[1][5], 7);
  EXPECT_EQ(packed.numbers[1][4], 2);
  lanes[2].node = 3;
  EXPECT_THROW(LanePacker<P::size>{}(packed, all), NotPackable);
  lanes[2].node = 4;
  lanes[2].numbers.push_back(0);
  EXPECT_THROW(LanePacker<P::size>{}(packed, all), NotPackable);
}

}  // namespace
}  // namespace torsor
