#include "torsor/integrator/options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "torsor/base/error.h"
#include "torsor/integrator/catalogue.h"

namespace torsor {
namespace {

TEST(IntegratorOptions, StandardValuesAreAmongThoseAllowed) {
  for (const auto& [name, entry] : integrators()) {
    IntegratorOptions standard;
    for (const IntegratorOption& option : entry.options) standard[option.name] = option.standard;
    EXPECT_EQ(complete_options(name, entry.options, standard), standard) << name;
    EXPECT_EQ(complete_options(name, entry.options, {}), standard) << name;
  }
}

TEST(IntegratorOptions, WhatIsOutOfItsRangeIsRefusedWithTheRange) {
  int refused = 0;
  for (const auto& [name, entry] : integrators()) {
    for (const IntegratorOption& option : entry.options) {
      const auto refuses = [&, &integrator = name, &options = entry.options](const OptionValue& value) {
        try {
          complete_options(integrator, options, {{option.name, value}});
          ADD_FAILURE() << integrator << " takes " << option.name;
        } catch (const ModelError& error) {
          const std::string expected = option.choices.empty() ? option.range.text() : std::string("one of");
          EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
          ++refused;
        }
      };
      if (!option.choices.empty()) {
        refuses(std::string("no such"));
        refuses(1.0);
        continue;
      }
      refuses(-1.0);
      if (std::isfinite(option.range.most)) refuses(option.range.most + 1);
      if (option.range.below_most) refuses(option.range.most);
      if (option.range.whole) refuses(option.range.least + 0.5);
    }
  }
  EXPECT_GT(refused, 50);
}

TEST(IntegratorOptions, RangesSayWhatTheyContain) {
  const OptionRange whole{.least = 1, .most = 10, .whole = true};
  EXPECT_EQ(whole.text(), "a whole number from 1 to 10");
  EXPECT_TRUE(whole.contains(10));
  EXPECT_FALSE(whole.contains(1.5));
  const OptionRange off{.least = 1e-14, .most = 1, .below_most = true, .or_zero = true};
  EXPECT_EQ(off.text(), "0 or a number from 1e-14 to 1");
  EXPECT_TRUE(off.contains(0));
  EXPECT_FALSE(off.contains(1));
  EXPECT_FALSE(off.contains(1e-15));
  EXPECT_FALSE(off.contains(std::nan("")));
  EXPECT_EQ(OptionRange{}.text(), "a number that is not negative");
}

}  // namespace
}  // namespace torsor
