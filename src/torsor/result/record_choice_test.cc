#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/result_table.h"

namespace torsor {
namespace {

Model arm() {
  ModelDescription d = reference::driven_arm();
  d.points.push_back({"tip", static_cast<int>(d.bodies.size()) - 1, {1, 0.2, 0}});
  return Model(d);
}

struct Outcome {
  ResultTable table;
  Record record;
};

Outcome run(RunSettings settings, const std::vector<RunListener*>& further = {}) {
  const Model model = arm();
  const auto stepper = make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum"});
  TableKeeper keeper(model, "{}");
  std::vector<RunListener*> listeners{&keeper};
  listeners.insert(listeners.end(), further.begin(), further.end());
  Record record = simulate(*stepper, settings, listeners, false);
  return {std::move(keeper.table()), std::move(record)};
}

std::string lines_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RecordChoice, HoldsTheNumbersOfTheWholeRecord) {
  const ResultTable whole = run({.step = 0.01, .duration = 0.5}).table;
  const ResultTable part = run({.step = 0.01,
                                .duration = 0.5,
                                .record = {"points.tip", "energy/total", "joints.*.reaction", "b*.com"}})
                               .table;
  EXPECT_EQ(part.datasets.front().path, "time");
  EXPECT_EQ(part.rows, whole.rows);
  std::size_t reactions = 0;
  for (const ResultDataset& dataset : part.datasets) {
    SCOPED_TRACE(dataset.path);
    ASSERT_TRUE(whole.find(dataset.path));
    EXPECT_EQ(dataset.values, whole.find(dataset.path)->values);
    reactions += dataset.path.ends_with("/reaction");
  }
  const std::size_t joints = arm().joints().size(), bodies = arm().bodies().size();
  EXPECT_EQ(reactions, joints);
  EXPECT_EQ(part.datasets.size(), 1 + 3 + 1 + joints + bodies);  // time, point, energy, reactions, centres
}

TEST(RecordChoice, UnknownChannelsAreNamed) {
  try {
    run({.step = 0.01, .duration = 0.1, .record = {"points.tpi"}});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "simulation.record");
    EXPECT_NE(error.found.find("points.tip"), std::string::npos) << error.found;
  }
  EXPECT_THROW(run({.step = 0.01, .duration = 0.1, .extremes_of = {"nothing"}}), ModelError);
}

TEST(RecordChoice, MatchesNamesBeginningsAndGlobs) {
  const std::vector<std::string> path{"joints", "wrist 1.5", "reaction"};
  for (const char* pattern : {"joints", "joints.wrist 1.5", "joints/wrist 1.5/reaction", "joints.*.reaction",
                              "*", "*.reaction", "j?ints.*"}) {
    EXPECT_TRUE(matches(pattern, path)) << pattern;
  }
  for (const char* pattern :
       {"joint", "joints.wrist", "joints.*.reaction_world", "reaction", "", "joints.*.react"}) {
    EXPECT_FALSE(matches(pattern, path)) << pattern;
  }
}

/// A pattern of a stranger's file: with every way to share out the text among the stars it would not end (60 choose 24).
TEST(RecordChoice, ManyStarsAreMatchedInNoTime) {
  std::string stars;
  for (int i = 0; i < 24; ++i) stars += "*a";
  const std::vector<std::string> path{"bodies", std::string(60, 'a')};
  EXPECT_FALSE(matches(stars + "*b", path));
  EXPECT_TRUE(matches(stars + "*", path));
  EXPECT_TRUE(matches("b*" + stars, path));
}

/// Least and greatest by looking at everything that was recorded.
TEST(Extrema, AreThoseOfTheRecord) {
  for (const int every : {1, 7}) {
    const auto [table, record] = run({.step = 0.01,
                                      .duration = 2,
                                      .record_every = every,
                                      .record = {"points", "energy"},
                                      .extrema = true});
    const std::vector<double>& time = table.find("time")->values;
    std::size_t next = 0;
    for (const ResultDataset& dataset : table.datasets) {
      if (dataset.path == "time") continue;
      for (std::size_t c = 0; c < dataset.width(); ++c) {
        std::vector<double> values;
        for (std::size_t row = 0; row < table.rows; ++row)
          values.push_back(dataset.values[row * dataset.width() + c]);
        const auto least = std::min_element(values.begin(), values.end()),
                   most = std::max_element(values.begin(), values.end());
        const Extremum& e = record.ledger.extrema.at(next++);
        EXPECT_EQ(e.name, column_name(channel_of(dataset), static_cast<int>(c)));
        EXPECT_EQ(e.least, *least) << e.name;
        EXPECT_EQ(e.greatest, *most) << e.name;
        EXPECT_EQ(e.least_time, time[least - values.begin()]) << e.name;
        EXPECT_EQ(e.greatest_time, time[most - values.begin()]) << e.name;
      }
    }
    EXPECT_EQ(next, record.ledger.extrema.size());
    EXPECT_EQ(extrema_of(table).size(), next);
    const Ledger again = parse_ledger(ledger_json(record.ledger, record.manifest, {}));
    EXPECT_EQ(again.extrema.size(), next);
  }
  EXPECT_TRUE(run({.step = 0.01, .duration = 0.1}).record.ledger.extrema.empty());
}

/// Fewer records have the extremes of all of them, and what they hold is what the whole record holds at their times.
TEST(ExtremeStates, KeepTheExtremesOfEveryStep) {
  const std::vector<std::string> watched{"points.tip", "joints.*.rate"};
  const ResultTable whole = run({.step = 0.01, .duration = 5, .record = watched}).table;
  const ResultTable thin =
      run({.step = 0.01, .duration = 5, .record_every = 50, .record = watched, .extremes_of = watched}).table;
  EXPECT_GT(thin.rows, 11u);
  EXPECT_LT(thin.rows, whole.rows / 2);
  const std::vector<Extremum> all = extrema_of(whole), kept = extrema_of(thin);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].least, kept[i].least) << all[i].name;
    EXPECT_EQ(all[i].greatest, kept[i].greatest) << all[i].name;
    EXPECT_EQ(all[i].least_time, kept[i].least_time) << all[i].name;
  }
  std::map<double, std::size_t> row_at;
  for (std::size_t row = 0; row < whole.rows; ++row) row_at[whole.find("time")->values[row]] = row;
  std::vector<double> here, there;
  double last = -1;
  for (std::size_t row = 0; row < thin.rows; ++row) {
    thin.row(row, here);
    EXPECT_GT(here[0], last);
    last = here[0];
    whole.row(row_at.at(here[0]), there);
    EXPECT_EQ(here, there);
  }
}

/// Of each 50 steps, too: no plot over these records cuts a peak.
TEST(ExtremeStates, KeepThoseOfEveryStretch) {
  const std::vector<std::string> watched{"energy.kinetic"};
  const ResultTable whole = run({.step = 0.01, .duration = 5, .record = watched}).table;
  const ResultTable thin =
      run({.step = 0.01, .duration = 5, .record_every = 50, .record = watched, .extremes_of = watched}).table;
  EXPECT_LE(thin.rows, 11u + 2 * 10);
  const std::vector<double>&t = whole.find("time")->values, &T = whole.find("energy/kinetic")->values;
  const std::vector<double>&thin_t = thin.find("time")->values, &thin_T = thin.find("energy/kinetic")->values;
  for (std::size_t first = 0; first + 50 < whole.rows; first += 50) {
    const double most = *std::max_element(T.begin() + first, T.begin() + first + 51);
    double kept = 0;
    for (std::size_t row = 0; row < thin.rows; ++row) {
      if (thin_t[row] >= t[first] && thin_t[row] <= t[first + 50]) kept = std::max(kept, thin_T[row]);
    }
    EXPECT_EQ(kept, most);
  }
}

TEST(DurationZero, RecordsTheStart) {
  const auto [table, record] = run({.step = 0.01, .duration = 0, .extrema = true});
  EXPECT_EQ(table.rows, 1u);
  EXPECT_EQ(record.ledger.steps, 0);
  EXPECT_EQ(record.ledger.time, 0);
  EXPECT_FALSE(record.failure);
  std::vector<double> row;
  table.row(0, row);
  EXPECT_TRUE(std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }));
  EXPECT_EQ(ledger_json(record.ledger, record.manifest, {}).find("nan"), std::string::npos);
}

TEST(Export, ReproducesTheTableOfTheRun) {
  const std::string folder = (std::filesystem::temp_directory_path() / "torsor-export-XXXXXX").string();
  std::string name = folder;
  const std::filesystem::path place = mkdtemp(name.data());
  {
    const Model model = arm();
    Hdf5Writer hdf5(place / "run.h5", model, "{}");
    CsvWriter csv(place / "run.csv"), with_units(place / "units.csv", true);
    run({.step = 0.01, .duration = 0.5}, {&hdf5, &csv, &with_units});
  }
  const ResultTable table = read_result(place / "run.h5");
  write_result(table, place / "again.csv");
  write_result(table, place / "again_units.csv", "--out", true);
  EXPECT_EQ(lines_of(place / "again.csv"), lines_of(place / "run.csv"));
  const std::string with = lines_of(place / "again_units.csv"), without = lines_of(place / "run.csv");
  EXPECT_EQ(with, lines_of(place / "units.csv"));
  // But for its second line it is the same.
  const std::size_t head = without.find('\n') + 1, second = with.find('\n', head) + 1;
  EXPECT_EQ(with.substr(0, head) + with.substr(second), without);
  EXPECT_EQ(with.substr(head, 6), "# s,J,");

  const ResultTable part = part_of(table, {"points"}, 20);
  EXPECT_EQ(part.find("time")->values,
            (std::vector<double>{table.find("time")->values[0], table.find("time")->values[20],
                                 table.find("time")->values[40], table.find("time")->values[50]}));
  EXPECT_THROW(part_of(table, {"pionts"}, 1), ModelError);
  write_result(part, place / "part.json");
  EXPECT_NE(lines_of(place / "part.json")
                .find("\"points/tip/position\":{\"unit\":\"m\",\"components\":[\"x\",\"y\"]"),
            std::string::npos);
  std::filesystem::remove_all(place);
}

}  // namespace
}  // namespace torsor
