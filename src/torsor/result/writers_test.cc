#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/simulation/channels.h"

namespace torsor {
namespace {

constexpr const char* kModel = R"(torsor: 1
bodies:
  base: {mass: 1, inertia: [1, 1, 1]}
  tool: {mass: 1, inertia: [1, 1, 1]}
joints:
  ball: {type: spherical, parent: world, child: base}
  weld: {type: fixed, parent: base, child: tool}
)";

Manifest manifest() {
  Manifest m;
  m.model = "two bodies";
  m.dimension = 3;
  m.bodies = {"base", "tool"};
  m.joints = {"ball", "weld"};
  m.sources = {"push", "push"};
  m.channels = make_channels(parse_model(kModel, "two.yaml"), m);
  return m;
}

Observation observation(double time) {
  Observation o;
  o.time = time;
  o.kinetic = 2 * time;
  o.work = {0.5, 0.25};
  o.bodies.resize(2);
  o.bodies[1].com = {1, 2, 3 + time};
  o.joints.resize(2);
  o.joints[0].position = {1, 0, 0, 0};
  o.joints[0].rate = {0, 0, time};
  o.joints[0].acceleration = {0, 0, 1};
  o.solver.iterations = 3;
  return o;
}

/// A path in the temporary folder, removed at the end.
struct ScratchFile {
  std::string path;
  explicit ScratchFile(const std::string& name)
      : path((std::filesystem::temp_directory_path() / ("torsor-io-" + name)).string()) {}
  ~ScratchFile() { std::filesystem::remove(path); }
};

const Channel* find(const std::vector<Channel>& columns, const std::vector<std::string>& path) {
  for (const Channel& column : columns) {
    if (column.path == path) return &column;
  }
  return nullptr;
}

TEST(Channels, AFixedJointHasAReactionOnly) {
  const Model model = parse_model(kModel, "two.yaml");
  const auto columns = make_channels(model, manifest());
  EXPECT_EQ(find(columns, {"joints", "weld", "position"}), nullptr);
  ASSERT_NE(find(columns, {"joints", "weld", "reaction"}), nullptr);
  EXPECT_EQ(find(columns, {"joints", "ball", "position"})->width(), 4);
  EXPECT_EQ(find(columns, {"joints", "ball", "rate"})->width(), 3);
}

TEST(Channels, UnitsAreThoseOfTheCoordinates) {
  const Model model = parse_model(R"(torsor: 1
dimension: 2
bodies: {puck: {mass: 1, inertia: 1}}
joints: {flight: {type: free, parent: world, child: puck}}
actuators:
  spin: {joint: flight, coordinate: 0, effort: 1}
  push: {joint: flight, coordinate: 1, effort: 1}
  lift: {joint: flight, coordinate: 2, effort: 1}
)",
                                  "puck.yaml");
  Manifest m;
  m.dimension = 2;
  m.joints = {"flight"};
  m.actuators = {"spin", "push", "lift"};
  const auto columns = make_channels(model, m);
  EXPECT_EQ(find(columns, {"joints", "flight", "position"})->unit, "rad, m, m");
  EXPECT_EQ(find(columns, {"joints", "flight", "rate"})->unit, "rad/s, m/s, m/s");
  EXPECT_EQ(find(columns, {"actuators", "spin", "effort"})->unit, "N m");
  EXPECT_EQ(find(columns, {"actuators", "push", "effort"})->unit, "N");
  EXPECT_EQ(find(columns, {"actuators", "lift", "effort"})->unit, "N");
}

TEST(Channels, ControllersShowTheEffortsOfTheirJoints) {
  const Model model = parse_model(std::string(kModel) + R"(points:
  tip: {body: tool, at: [0, 0, 1]}
controllers:
  hold: {type: impedance, point: tip, stiffness: 1, damping: 1, target: {x: 0, y: 0, z: 1}}
)",
                                  "two.yaml");
  Manifest m = manifest();
  m.controllers = {"hold"};
  const auto columns = make_channels(model, m);
  const Channel* effort = find(columns, {"controllers", "hold", "effort"});
  ASSERT_NE(effort, nullptr);
  EXPECT_EQ(effort->components, (std::vector<std::string>{"ball.0", "ball.1", "ball.2"}));
  EXPECT_EQ(effort->unit, "N m, N m, N m");
  Observation o = observation(1);
  o.controllers = {{4, 5, 6}};
  std::vector<double> row(row_width(columns));
  fill_row(o, 0, m, row);
  EXPECT_EQ(std::vector<double>(row.end() - 5, row.end()), (std::vector<double>{4, 5, 6, 3, 0}));
}

TEST(Channels, EqualNamesAreToldApart) {
  EXPECT_EQ(distinct_names({"a", "b", "a", "a"}), (std::vector<std::string>{"a", "b", "a (2)", "a (3)"}));
  const Model model = parse_model(kModel, "two.yaml");
  EXPECT_NE(find(make_channels(model, manifest()), {"work", "push (2)"}), nullptr);
}

TEST(Channels, NoFileEverHoldsANan) {
  const Model model = parse_model(kModel, "two.yaml");
  const auto columns = make_channels(model, manifest());
  std::vector<double> row(row_width(columns));
  Observation o = observation(1);
  fill_row(o, 0, manifest(), row);
  EXPECT_NO_THROW(require_finite(columns, row));
  o.bodies[1].velocity.y = std::numeric_limits<double>::quiet_NaN();
  fill_row(o, 0, manifest(), row);
  try {
    require_finite(columns, row);
    FAIL() << "a NaN was let through";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "bodies.tool.velocity is not a finite number at t = 1 s");
  }
}

TEST(Hdf5Writer, ReadsBackWhatWasWrittenAcrossManyBlocks) {
  const Model model = parse_model(kModel, "two.yaml");
  const ScratchFile scratch("blocks.h5");
  constexpr int kRows = 1500;  // about three chunks
  {
    Hdf5Writer writer(scratch.path, model, "{}");
    writer.on_start(manifest(), {0.5, 0.5 * (kRows - 1), 1});
    for (int i = 0; i < kRows; ++i) writer.on_record(observation(0.5 * i), 1e-15 * i);
    Ledger ledger;
    ledger.time = 0.5 * (kRows - 1);
    writer.on_end(ledger);
  }
  const Hdf5Reader result(scratch.path);
  const Hdf5Reader::Table com = result.table("bodies/tool/com"), total = result.table("energy/total");
  ASSERT_EQ(com.rows, kRows);
  ASSERT_EQ(com.columns, 3);
  for (int i = 0; i < kRows; ++i) {
    EXPECT_EQ(com.at(i, 2), 3 + 0.5 * i);
    EXPECT_EQ(total.at(i), 2 * 0.5 * i);
  }
  EXPECT_EQ(result.table("work/push (2)").at(0), 0.25);
  EXPECT_EQ(result.table("energy/residual").at(kRows - 1), 1e-15 * (kRows - 1));
  EXPECT_EQ(result.table("solver/iterations").at(7), 3);
  EXPECT_EQ(result.text("model"), kModel);
  EXPECT_EQ(nlohmann::json::parse(result.text("ledger"))["status"], "done");
}

TEST(Hdf5Writer, IsReadableWhileItIsBeingWrittenAndWhenItIsAbandoned) {
  const Model model = parse_model(kModel, "two.yaml");
  const ScratchFile scratch("abandoned.h5");
  std::optional<Hdf5Reader> early;
  {
    Hdf5Writer writer(scratch.path, model, "{}");
    writer.on_start(manifest(), {1, 100, 1});
    for (int i = 0; i < 2; ++i) writer.on_record(observation(i), 0);
    EXPECT_EQ(Hdf5Reader(scratch.path).table("time").rows, 2);
    early.emplace(scratch.path);
    for (int i = 2; i < 40; ++i) writer.on_record(observation(i), 0);
  }
  EXPECT_EQ(early->table("time").at(39), observation(39).time);  // the file has grown since it was opened
  const Hdf5Reader result(scratch.path);
  EXPECT_EQ(result.table("time").rows, 40);
  EXPECT_FALSE(result.has_text("ledger"));
}

TEST(Hdf5Names, SlashesAndLeadingDotsAreEscaped) {
  EXPECT_EQ(hdf5_link_name("left/arm"), "left%2Farm");
  EXPECT_EQ(hdf5_link_name(".."), "%2E.");
  EXPECT_EQ(hdf5_link_name("link 1.5"), "link 1.5");
}

TEST(CsvWriter, QuotesNamesThatNeedIt) {
  ModelDescription description = parse_description({"two.yaml", kModel, {}});
  const Model model(description);
  const ScratchFile scratch("names.csv");
  Manifest odd = manifest();
  odd.bodies = {"base", "to,\"ol"};
  odd.channels = make_channels(model, odd);
  CsvWriter writer(scratch.path);
  writer.on_start(odd, {1, 1, 1});
  writer.on_record(observation(0), 0);
  writer.on_end({});
  std::ifstream stream(scratch.path);
  std::string header;
  std::getline(stream, header);
  EXPECT_NE(header.find(R"("bodies.to,""ol.com.x")"), std::string::npos) << header;
}

TEST(LedgerJson, WhatIsNotFiniteIsNull) {
  Ledger ledger;
  ledger.energy_max_error = std::numeric_limits<double>::infinity();
  ledger.realtime_factor = std::numeric_limits<double>::quiet_NaN();
  ledger.work_by_source = {{"push", 1}, {"push", 2}};
  const auto json = nlohmann::json::parse(ledger_json(ledger, manifest(), observation(1)));
  EXPECT_TRUE(json["energy"]["max_error"].is_null());
  EXPECT_TRUE(json["realtime_factor"].is_null());
  EXPECT_TRUE(json["momentum"]["linear_max_error"].is_null());
  EXPECT_EQ(json["energy"]["work_by"]["push (2)"], 2);
  EXPECT_EQ(json["final"]["bodies"]["tool"]["com"][2], 4);
  EXPECT_EQ(json["final"]["joints"].count("weld"), 0u);
}

}  // namespace
}  // namespace torsor
