#include "experiments/reproduction_page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/json_reproduction.h"
#include "torsor/page/svg_plot.h"

namespace torsor {
namespace {

Reproduction sample() {
  ExperimentResult e{"goetz-fig-5.3", "goetz", "Fig. 5.3", "a < b & c", {"arm"}, {"arm: run"}, {}, {}, 1};
  e.rows.push_back(
      {"error", "J", "1e-14", "-", "at most 1", "not measured", std::nan(""), Match::fell_short});
  e.plots.push_back(
      {"Energy", "t", "E", false, true, {{"zero", {0, 1, 2}, {0, 0, 0}}, {"gap", {0, 1}, {1, NAN}}}});
  e.plots.push_back({"Nothing", "t", "E", false, true, {}});
  return {{e}, "machine", 1, 2};
}

TEST(ReproductionPage, StandsAlone) {
  const std::string page = reproduction_page(sample());
  for (const char* foreign : {"<script", "http:", "https:", "src=", "@import", "url("}) {
    EXPECT_EQ(page.find(foreign), std::string::npos) << foreign;
  }
  EXPECT_NE(page.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(page.find("class=\"verdict fell-short\""), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
}

TEST(ReproductionJson, NumbersThatAreNotFiniteAreNull) {
  const auto json = nlohmann::json::parse(reproduction_json(sample()));
  const auto& e = json["experiments"]["goetz-fig-5.3"];
  EXPECT_TRUE(e["rows"][0]["value"].is_null());
  EXPECT_TRUE(e["plots"][0]["curves"][1]["y"][1].is_null());
  EXPECT_EQ(json["rows"]["fell_short"], 1);
}

TEST(SvgPlot, DrawsWhatThereIs) {
  EXPECT_EQ(svg_plot({"", "", "", false, false, {}}), "");
  EXPECT_EQ(svg_plot({"", "", "", false, false, {{"", {NAN}, {1}}}}), "");
  for (const bool log : {false, true}) {
    for (const double y : {0.0, 1.0, 1e-300, 1e300}) {
      const std::string svg = svg_plot({"", "", "", log, log, {{"", {1, 2}, {y, y}}}});
      EXPECT_NE(svg.find("class=\"curve c0\""), std::string::npos);
      EXPECT_EQ(svg.find("nan"), std::string::npos) << y;
      EXPECT_EQ(svg.find("inf"), std::string::npos) << y;
    }
  }
}

}  // namespace
}  // namespace torsor
