// Result files: what is promised is in them, the numbers are those of the ledger, and a crash leaves them
// readable.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>

#include "program.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

using Json = nlohmann::json;

TEST(Hdf5, HoldsWhatIsPromisedWithUnits) {
  const ScratchFolder scratch;
  const std::string file = scratch.path("arm.h5");
  const Outcome outcome = run_program({"run", "tendon_arm", "--duration", "7", "--json", "--out", file});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = outcome.json();
  const Hdf5Reader result(file);

  const std::vector<std::pair<std::string, std::string>> scalars{{"time", "s"},
                                                                 {"energy/kinetic", "J"},
                                                                 {"energy/gravity", "J"},
                                                                 {"energy/elastic", "J"},
                                                                 {"energy/total", "J"},
                                                                 {"energy/work", "J"},
                                                                 {"energy/dissipated", "J"},
                                                                 {"energy/residual", "J"},
                                                                 {"constraints/position", "m"},
                                                                 {"constraints/velocity", "m/s"},
                                                                 {"bodies/link1/angle", "rad"},
                                                                 {"bodies/link1/angular_velocity", "rad/s"},
                                                                 {"joints/elbow/position", "rad"},
                                                                 {"joints/elbow/rate", "rad/s"},
                                                                 {"tendons/biarticular/length", "m"},
                                                                 {"tendons/biarticular/tension", "N"},
                                                                 {"solver/iterations", "1"},
                                                                 {"solver/residual", "1"}};
  for (const auto& [name, unit] : scalars) {
    const Hdf5Reader::Table table = result.table(name);
    EXPECT_EQ(table.rows, 701) << name;
    EXPECT_EQ(table.columns, 1) << name;
    EXPECT_EQ(table.unit, unit) << name;
  }
  EXPECT_EQ(result.table("momentum/linear").columns, 2);
  EXPECT_EQ(result.table("bodies/link3/com").columns, 2);
  EXPECT_EQ(result.table("bodies/link3/velocity").columns, 2);
  EXPECT_EQ(result.table("joints/elbow/reaction").columns, 3);
  EXPECT_EQ(result.table("joints/elbow/reaction_world").columns, 3);
  EXPECT_EQ(result.table("points/horn3/acceleration").columns, 2);
  EXPECT_THROW(result.table("bodies/link4/com"), ModelError);

  EXPECT_EQ(result.table("joints/elbow/position").at(700), json["final"]["joints"]["elbow"]);
  EXPECT_EQ(result.table("bodies/link3/com").at(700, 1), json["final"]["bodies"]["link3"]["com"][1]);
  EXPECT_EQ(result.table("energy/total").at(0), json["energy"]["initial"]);
  const Hdf5Reader::Table total = result.table("energy/total"), time = result.table("time");
  double max_error = 0;
  for (int i = 0; i < total.rows; ++i) {
    max_error = larger(max_error, std::abs(total.at(i) - total.at(0)));
    EXPECT_NEAR(time.at(i), 0.01 * i, 1e-12);
  }
  EXPECT_EQ(max_error, json["energy"]["max_error"]);
}

TEST(Hdf5, AttributesTellTheWholeRun) {
  const ScratchFolder scratch;
  const std::string file = scratch.path("arm.h5");
  const Outcome outcome = run_program(
      {"run", "tendon_arm", "--duration", "0.1", "--set", "bodies.link1.mass=2", "--json", "--out", file});
  const Hdf5Reader result(file);
  EXPECT_NE(result.text("model").find("biarticular"), std::string::npos);
  EXPECT_NE(result.text("model").find("# --set bodies.link1.mass=2"), std::string::npos);
  EXPECT_EQ(result.text("version"), kVersion);
  EXPECT_EQ(Json::parse(result.text("settings"))["duration"], 0.1);
  EXPECT_EQ(Json::parse(result.text("ledger"))["energy"], outcome.json()["energy"]);
}

TEST(Hdf5, EveryGalleryResultHasTheSameRowsAndNoNan) {
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_MODELS)) {
    if (entry.path().extension() != ".yaml") continue;
    const ScratchFolder scratch;
    const std::string file = scratch.path("r.h5");
    const std::string name = entry.path().stem().string();
    const Outcome outcome = run_program(
        {"run", name, "--step", "0.01", "--duration", "0.2", "--record-every", "1", "--out", file});
    if (outcome.status != 0) continue;  // refused by name, as another test makes sure
    const Hdf5Reader result(file);
    const std::function<void(const std::string&)> visit = [&](const std::string& group) {
      for (const std::string& member : result.members(group)) {
        const std::string path = group + (group.ends_with("/") ? "" : "/") + member;
        if (path == "/checkpoint" || path == "/text") continue;  // no tables of numbers
        try {
          const Hdf5Reader::Table table = result.table(path);
          EXPECT_EQ(table.rows, 21) << name << path;
          EXPECT_NE(table.unit, "") << name << path;
          for (double value : table.values) ASSERT_TRUE(std::isfinite(value)) << name << path;
        } catch (const ModelError&) {
          visit(path);  // a group
        }
      }
    };
    visit("/");
  }
}

TEST(Hdf5, ReadableWhereverACrashHits) {
  for (int i = 0; i < 4; ++i) {
    const ScratchFolder scratch;
    const std::string file = scratch.path("crash.h5");
    const Outcome outcome = run_program(
        Invocation{{"run", "tendon_arm", "--duration", "1e5", "--record-every", "10", "--out", file},
                   "",
                   SIGKILL,
                   std::chrono::milliseconds(1300 + 211 * i)});
    ASSERT_EQ(outcome.status, 128 + SIGKILL);
    const Hdf5Reader result(file);
    const Hdf5Reader::Table time = result.table("time"), total = result.table("energy/total");
    ASSERT_GT(time.rows, 100);
    for (int row = 0; row < time.rows; ++row) ASSERT_NEAR(time.at(row), 0.1 * row, 1e-9);
    for (int row = 0; row < total.rows; ++row) ASSERT_NEAR(total.at(row), total.at(0), 1e-2);
    EXPECT_NE(result.text("model"), "");
    EXPECT_FALSE(result.has_text("ledger"));
  }
}

TEST(Csv, HoldsTheSameAsFlatColumns) {
  const ScratchFolder scratch;
  const std::string h5 = scratch.path("a.h5");
  ASSERT_EQ(run_program({"run", "tendon_arm", "--duration", "0.2", "--out", h5}).status, 0);
  ASSERT_EQ(run_program({"run", "tendon_arm", "--duration", "0.2", "--out", scratch.path("a.csv")}).status,
            0);
  std::istringstream stream(scratch.read("a.csv"));
  std::string line, word;
  std::getline(stream, line);
  std::vector<std::string> names;
  for (std::istringstream header(line); std::getline(header, word, ',');) names.push_back(word);
  EXPECT_EQ(names[0], "time");
  int rows = 0;
  const Hdf5Reader result(h5);
  const Hdf5Reader::Table com = result.table("bodies/link1/com"), total = result.table("energy/total");
  for (; std::getline(stream, line); ++rows) {
    std::istringstream values(line);
    std::size_t column = 0;
    for (; std::getline(values, word, ','); ++column) {
      if (names[column] == "energy.total") {
        EXPECT_EQ(std::stod(word), total.at(rows));
      } else if (names[column] == "bodies.link1.com.x") {
        EXPECT_EQ(std::stod(word), com.at(rows, 0));
      }
    }
    EXPECT_EQ(column, names.size());
  }
  EXPECT_EQ(rows, total.rows);
}

TEST(Output, WhatCannotBeWrittenIsSaidBeforeTheRun) {
  const ScratchFolder scratch;
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--out", "/proc/result.h5"}, "--out"},
      {{"--out", "/proc/result.csv"}, "--out"},
      {{"--out", scratch.path("huge.h5"), "--step", "5e-4", "--duration", "1e6"}, "MB free"},
      {{"--out", scratch.path("huge.h5"), "--step", "1e-6", "--duration", "1e6"}, "2147483647 records"},
      {{"--out", scratch.path("huge.csv"), "--step", "1e-6", "--duration", "1e6"}, "MB free"},
  };
  for (const auto& [options, part] : cases) {
    std::vector<std::string> arguments{"run", "tendon_arm"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2) << Json(arguments);
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace torsor
