#include "torsor/base/state_tape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace torsor {
namespace {

template <class... Fields>
std::vector<double> written(Fields... fields) {
  StateTape tape;
  tape(fields...);
  return tape.numbers();
}

template <class Field>
bool takes(std::vector<double> numbers, Field field) {
  StateTape tape(std::move(numbers));
  try {
    tape(field);
  } catch (const std::out_of_range&) {
    return false;
  }
  return tape.at_end();
}

TEST(StateTape, ReadsWhatItWrote) {
  std::vector<double> list{1, 2.5, -3};
  std::optional<double> none, some = 4.0;
  long count = -7;
  bool flag = true;
  StateTape tape;
  tape(list, none, some, count, flag);
  std::vector<double> list_back(3);
  std::optional<double> none_back = 1.0, some_back;
  long count_back = 0;
  bool flag_back = false;
  tape.rewind();
  tape(list_back, none_back, some_back, count_back, flag_back);
  EXPECT_TRUE(tape.at_end());
  EXPECT_EQ(list_back, list);
  EXPECT_EQ(none_back, none);
  EXPECT_EQ(some_back, some);
  EXPECT_EQ(count_back, count);
  EXPECT_EQ(flag_back, flag);
}

TEST(StateTape, ListsKeepTheirLengths) {
  const std::vector<double> three = written(std::vector<double>(3, 1.5));
  EXPECT_TRUE(takes(three, std::vector<double>(3)));
  for (const std::size_t other : {0, 2, 4}) EXPECT_FALSE(takes(three, std::vector<double>(other))) << other;
  std::vector<std::vector<int>> nested{{1, 2}, {}, {3}}, swapped{{}, {1, 2}, {3}};
  EXPECT_TRUE(takes(written(nested), nested));
  EXPECT_FALSE(takes(written(nested), swapped));
}

TEST(StateTape, GrowingListsKeepTheirLimit) {
  for (const std::size_t size : {0, 1, 5}) {
    std::vector<double> list(size, 2.5);
    StateTape tape;
    tape.growing(list, 5);
    for (const std::size_t before : {0, 3, 5}) {
      std::vector<double> back(before);
      tape.rewind();
      tape.growing(back, 5);
      EXPECT_EQ(back, list);
    }
    tape.rewind();
    std::vector<double> short_one;
    if (size > 1) {
      EXPECT_THROW(tape.growing(short_one, size - 1), std::out_of_range);
    }
  }
  StateTape huge(std::vector<double>{1e15, 1, 2});  // says more than there is: no room is made for it
  std::vector<double> list;
  EXPECT_THROW(huge.growing(list, std::size_t(1) << 60), std::out_of_range);
  EXPECT_LE(list.size(), 3u);
}

TEST(StateTape, CountsAreWholeNumbersOfTheirType) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double number : {0.5, std::nan(""), infinity, -infinity, 1e300, 2147483648.0}) {
    EXPECT_FALSE(takes({number}, int())) << number;
  }
  for (const double number : {0.0, -1.0, 2147483647.0, -2147483648.0}) EXPECT_TRUE(takes({number}, int()));
  for (const double number : {-1.0, 2.0, 0.5, std::nan("")}) EXPECT_FALSE(takes({number}, bool())) << number;
  EXPECT_FALSE(takes({-1.0}, std::size_t()));
  EXPECT_FALSE(takes({std::ldexp(1.0, 64)}, std::size_t()));
  EXPECT_TRUE(takes({std::ldexp(1.0, 62)}, long()));
  EXPECT_FALSE(takes({std::ldexp(1.0, 63)}, long()));
  EXPECT_TRUE(takes({std::nan("")}, double()));
}

}  // namespace
}  // namespace torsor
