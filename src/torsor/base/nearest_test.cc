#include "torsor/base/nearest.h"

#include <gtest/gtest.h>

#include "torsor/base/catalogue.h"

namespace torsor {
namespace {

const std::vector<std::string> kNames{"shoulder", "elbow", "wrist", "energy-momentum", "x", "y"};

TEST(Nearest, EachKindOfSlipIsFound) {
  EXPECT_EQ(nearest_name("shoudler", kNames), "shoulder");  // swap
  EXPECT_EQ(nearest_name("elow", kNames), "elbow");         // missing
  EXPECT_EQ(nearest_name("elbbow", kNames), "elbow");       // doubled
  EXPECT_EQ(nearest_name("wrost", kNames), "wrist");        // replaced
  EXPECT_EQ(nearest_name("WRIST", kNames), "wrist");        // case
  EXPECT_EQ(nearest_name("energy_momentum", kNames), "energy-momentum");
}

TEST(Nearest, WhatIsFarIsNotOffered) {
  EXPECT_EQ(nearest_name("knee", kNames), "");
  EXPECT_EQ(nearest_name("z", kNames), "");  // one letter replaced by another says nothing
  EXPECT_EQ(nearest_name("", kNames), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'e'), kNames), "");
  EXPECT_EQ(nearest_name("elbow", {}), "");
}

TEST(Nearest, TheNearestOfSeveralWins) {
  EXPECT_EQ(nearest_name("link12", {"link1", "link13", "lin12"}), "link1");
  EXPECT_EQ(nearest_name("link2", {"link22x", "link12"}), "link12");
}

TEST(Nearest, MessagesAreShortAndPrintable) {
  EXPECT_EQ(did_you_mean("shoudler", kNames), "'shoudler' (did you mean 'shoulder'?)");
  EXPECT_EQ(did_you_mean("knee", kNames), "'knee'");
  EXPECT_EQ(in_quotes("a\nb\x1b[31m"), "'a?b?[31m'");
  EXPECT_LT(in_quotes(std::string(1000000, 'a')).size(), 80u);
  std::string umlauts = "a";
  for (int i = 0; i < 50; ++i) umlauts += "\xC3\xA4";
  EXPECT_EQ(in_quotes(umlauts), "'" + umlauts.substr(0, 63) + "...'");  // never half a character
  EXPECT_EQ(listed({"a", "b"}), "a, b");
  EXPECT_EQ(listed(std::vector<std::string>(14, "n")), "n, n, n, n, n, n, n, n, n, n, n, n and 2 more");
}

TEST(Catalogue, KeepsItsOrderAndNamesTheNearest) {
  const Catalogue<int> catalogue({{"rkmk4", 4}, {"dopri5", 5}, {"implicit-midpoint", 2}});
  EXPECT_EQ(catalogue.at("dopri5", "simulation.integrator"), 5);
  EXPECT_EQ(catalogue.find("euler"), nullptr);
  EXPECT_EQ(catalogue.names(), (std::vector<std::string>{"rkmk4", "dopri5", "implicit-midpoint"}));
  try {
    catalogue.at("dorpi5", "simulation.integrator");
    FAIL() << "an unknown name was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "simulation.integrator");
    EXPECT_EQ(error.expected, "one of rkmk4, dopri5, implicit-midpoint");
    EXPECT_EQ(error.found, "'dorpi5' (did you mean 'dopri5'?)");
  }
}

}  // namespace
}  // namespace torsor
