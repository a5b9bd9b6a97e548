// The numbers of a sweep's page against its table.

#include "torsor/page/sweep_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "torsor/numerics/sobol.h"
#include "torsor/result/json_parts.h"

namespace torsor {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char letter : text) {
    if (letter == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(letter));
    if ((held += 6) >= 8) bytes.push_back(static_cast<std::uint8_t>(bits >> (held -= 8)));
  }
  return bytes;
}

template <class Number>
std::vector<Number> decoded(const Json& text) {
  const std::vector<std::uint8_t> bytes = bytes_of(text.get<std::string>());
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
  return values;
}

Json sweep_of(const SweepTable& table, const std::vector<KeptRun>& kept = {}) {
  return Json::parse(sweep_data(table, "study", kept)).at("sweep");
}

constexpr const char* kFile = R"(torsor_sweep: 1
model: tendon_arm
vary:
  tendons.biarticular.stiffness: {log: [0.5, 5], count: 4}
  simulation.integrator: {list: [rkmk4, "{name: gauss-legendre, stages: 2}"]}
measure: {reach: {max: points.horn3.position.x}}
simulation: {duration: 5}
set: {gravity: [0, -9.81]}
)";

/// Run 2 has failed; run 5 has not been made.
SweepTable small_table() {
  using Group = SweepColumn::Group;
  SweepTable table;
  table.planned = 6;
  table.runs = {0, 1, 3, 4};
  table.columns = {{Group::inputs, "tendons.biarticular.stiffness", "N/m", {}, {0.5, 1, 2.5, 5}},
                   {Group::inputs, "simulation.integrator", "1", {"rkmk4", "dopri5"}, {0, 1, 0, 1}},
                   {Group::measures, "reach", "m", {}, {-0.1, 1.0 / 3, 1e-300, 2}},
                   {Group::ledger, "balance", "1", {}, {1e-16, 2e-16, 0, 3e-16}}};
  table.failed = {{2, {1.5, 0}, "</script> the mass is negative"}};
  table.sweep = kFile;
  table.model = "torsor: 1\n";
  return table;
}

TEST(SweepPage, DataAreThoseOfTheTableBitForBit) {
  const SweepTable table = small_table();
  const Json sweep = sweep_of(table, {{3, "runs/run_3.html"}});
  EXPECT_EQ(decoded<std::int32_t>(sweep["runs"]), (std::vector<std::int32_t>{0, 1, 3, 4}));
  ASSERT_EQ(sweep["columns"].size(), table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Json& column = sweep["columns"][i];
    EXPECT_EQ(column["name"], table.columns[i].name);
    EXPECT_EQ(column["unit"], table.columns[i].unit);
    EXPECT_EQ(column["group"], name_of(table.columns[i].group));
    EXPECT_EQ(column["labels"], Json(table.columns[i].labels));
    EXPECT_EQ(decoded<double>(column["values"]), table.columns[i].values);
  }
  EXPECT_EQ(sweep["planned"], 6);
  EXPECT_EQ(sweep["done"], 4);
  EXPECT_EQ(sweep["failed"], 1);
  EXPECT_EQ(sweep["failures"][0]["run"], 2);
  EXPECT_EQ(sweep["failures"][0]["inputs"], Json({1.5, 0.0}));
  EXPECT_EQ(sweep["failures"][0]["reason"], table.failed[0].reason);
  EXPECT_EQ(sweep["kept"], Json::parse(R"([{"run": 3, "link": "runs/run_3.html"}])"));
  EXPECT_EQ(sweep["sweep"], table.sweep);
  EXPECT_EQ(sweep["model"], table.model);
}

TEST(SweepPage, DataCannotEndTheScriptTheyStandIn) {
  EXPECT_EQ(sweep_data(small_table(), "</script><b>", {}).find("</"), std::string::npos);
}

TEST(SweepPage, KnowsTheModelAndWhatTheFileSetsInAllRuns) {
  const Json sweep = sweep_of(small_table());
  EXPECT_EQ(sweep["command"]["model"], "tendon_arm");
  EXPECT_EQ(sweep["command"]["set"],
            Json::parse(R"([["simulation.duration", "5"], ["gravity", "[0, -9.81]"]])"));
  EXPECT_EQ(sweep["logarithmic"], Json::parse(R"(["tendons.biarticular.stiffness"])"));
}

TEST(SweepPage, ShareOfAnInputThatDecidesAloneIsOne) {
  SweepTable table;
  for (long run = 0; run < 64; ++run) {
    table.runs.push_back(run);
  }
  SweepColumn decides{SweepColumn::Group::inputs, "a", "1", {}, {}}, idle = decides, measure = decides;
  measure.group = SweepColumn::Group::measures;
  for (const long run : table.runs) {
    decides.values.push_back(static_cast<double>(run % 8));
    idle.values.push_back(static_cast<double>(run / 8));
    measure.values.push_back(3 * decides.values.back() - 1);
  }
  table.columns = {decides, idle, measure};
  const Json shares = sweep_of(table)["sensitivities"][0]["shares"];
  EXPECT_NEAR(shares[0]["first"].get<double>(), 1, 1e-15);  // measured 0
  EXPECT_NEAR(shares[1]["first"].get<double>(), 0, 1e-15);  // measured 0
}

/// Two to sixteen times as many runs as are shown, of Sobol's sequence and of a grid of 16 levels.
TEST(SweepPage, ThinningKeepsKeptRunsAndTheWholeOfEveryRange) {
  for (const long count : {40'000, 60'000, 80'000, 320'000}) {
    SweepTable table;
    table.planned = count;
    SweepColumn sobol{SweepColumn::Group::inputs, "sobol", "1", {}, {}}, grid = sobol;
    for (long run = 0; run < count; ++run) {
      table.runs.push_back(run);
      sobol.values.push_back(static_cast<double>(sobol_point(static_cast<std::uint64_t>(run), 0)) * 0x1p-64);
      grid.values.push_back(static_cast<double>(run % 16));
    }
    table.columns = {sobol, grid};
    const std::vector<KeptRun> kept{{1, "a"}, {777, "b"}, {778, "c"}, {779, "d"}, {count - 1, "e"}};
    const Json sweep = sweep_of(table, kept);
    const auto runs = decoded<std::int32_t>(sweep["runs"]);
    EXPECT_LE(runs.size(), 20'000 + kept.size());
    EXPECT_GE(runs.size(), 19'000u);
    EXPECT_TRUE(std::is_sorted(runs.begin(), runs.end()));
    EXPECT_EQ(std::set(runs.begin(), runs.end()).size(), runs.size());
    for (const KeptRun& one : kept)
      EXPECT_TRUE(std::binary_search(runs.begin(), runs.end(), one.run)) << one.run;
    const auto places = decoded<double>(sweep["columns"][0]["values"]);
    ASSERT_EQ(places.size(), runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(places[i], sobol.values[runs[i]]);
    std::vector<int> tenths(10), levels(16);
    for (const double place : places) ++tenths[static_cast<std::size_t>(10 * place)];
    for (const double level : decoded<double>(sweep["columns"][1]["values"]))
      ++levels[static_cast<std::size_t>(level)];
    const double shown = static_cast<double>(runs.size());
    for (const int inside : tenths) EXPECT_NEAR(inside / shown, 0.1, 0.002) << count;     // measured 5e-4
    for (const int inside : levels) EXPECT_NEAR(inside / shown, 0.0625, 0.002) << count;  // measured 4e-4
  }
}

}  // namespace
}  // namespace torsor
