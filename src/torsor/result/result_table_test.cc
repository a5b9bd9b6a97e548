#include "torsor/result/result_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"

namespace torsor {
namespace {

/// Files of one test, removed with their folder.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "torsor-table-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~ScratchFolder() { std::filesystem::remove_all(folder_); }
  std::string operator/(const char* file) const { return folder_ / file; }

 private:
  std::filesystem::path folder_;
};

/// A run that keeps a table, and writes both kinds of files as it goes.
ResultTable run(const ScratchFolder& files) {
  const Model model(reference::driven_arm());
  const StepperChoice choice{.formulation = "rotationless", .integrator = "energy-momentum"};
  const auto stepper = make_stepper(model, choice);
  const Settings settings{resolve_method(model, choice), {.step = 0.01, .duration = 0.3}};
  TableKeeper keeper(model, settings_json(model, settings));
  Hdf5Writer hdf5(files / "written.h5", model, settings_json(model, settings));
  CsvWriter csv(files / "written.csv");
  const Record record = simulate(*stepper, settings.run, {&keeper, &hdf5, &csv}, false);
  keeper.table().ledger = ledger_json(record.ledger, record.manifest, keeper.last());
  return keeper.table();
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_same(const ResultTable& a, const ResultTable& b) {
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.datasets.size(), b.datasets.size());
  for (const ResultDataset& dataset : a.datasets) {
    SCOPED_TRACE(dataset.path);
    const ResultDataset* other = b.find(dataset.path);
    ASSERT_TRUE(other);
    EXPECT_EQ(dataset.values, other->values);
    EXPECT_EQ(dataset.unit, other->unit);
    EXPECT_EQ(dataset.components, other->components);
    EXPECT_EQ(dataset.integral, other->integral);
  }
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.settings, b.settings);
  EXPECT_EQ(a.version, b.version);
}

TEST(ResultTable, HoldsWhatTheFileHolds) {
  const ScratchFolder files;
  const ResultTable table = run(files);
  EXPECT_EQ(table.rows, 31u);
  expect_same(table, read_result(files / "written.h5"));
}

/// Datasets of large mechanisms are not kept open.
TEST(ResultTable, HoldsWhatAFileOfManyDatasetsHolds) {
  const ScratchFolder files;
  ModelDescription chain = reference::spherical_chain(400);
  chain.initial.rates.clear();
  const Model model(chain);
  const StepperChoice choice{.formulation = "joint", .integrator = "rkmk4"};
  const auto stepper = make_stepper(model, choice);
  const Settings settings{resolve_method(model, choice), {.step = 1e-4, .duration = 2e-3}};
  TableKeeper keeper(model, settings_json(model, settings));
  Hdf5Writer hdf5(files / "many.h5", model, settings_json(model, settings));
  simulate(*stepper, settings.run, {&keeper, &hdf5}, false);
  EXPECT_GT(keeper.table().datasets.size(), 2000u);
  EXPECT_EQ(keeper.table().rows, 21u);  // more than a chunk
  expect_same(keeper.table(), read_result(files / "many.h5"));
}

TEST(ResultTable, IsWrittenAndReadBack) {
  const ScratchFolder files;
  const ResultTable table = run(files);
  write_result(table, files / "again.h5");
  const ResultTable again = read_result(files / "again.h5");
  expect_same(table, again);
  EXPECT_EQ(table.ledger, again.ledger);
}

TEST(ResultTable, WritesTheCsvFileOfARun) {
  const ScratchFolder files;
  write_result(run(files), files / "again.csv");
  EXPECT_EQ(text_of(files / "again.csv"), text_of(files / "written.csv"));
}

/// The message of a listener that refuses so many records before the first of them.
std::string refusal_of(RunListener& listener, double duration) {
  const Model model(reference::pendulum());
  const auto stepper = make_stepper(model);
  try {
    simulate(*stepper, {.step = 1e-9, .duration = duration, .record = {"energy"}}, {&listener}, false);
  } catch (const ModelError& error) {
    return error.key + ": " + error.expected;
  }
  return "";
}

TEST(ResultTable, RecordsInMemoryAreBounded) {
  const Model model(reference::pendulum());
  TableKeeper keeper(model, "{}");
  EXPECT_EQ(refusal_of(keeper, 10),
            "simulation.record_every: at most 16 GB of records in memory (or write them to a file)");
}

/// More could not be read back. A little more than fits, so that a disk has room for them.
TEST(ResultTable, RecordsInAFileAreBounded) {
  const ScratchFolder files;
  const Model model(reference::pendulum());
  Hdf5Writer writer(files / "long.h5", model, "{}");
  EXPECT_EQ(refusal_of(writer, 2.2), "simulation.record_every: at most 2147483647 records in a file");
  EXPECT_FALSE(std::filesystem::exists(files / "long.h5"));
}

TEST(ResultTable, RefusesOtherFiles) {
  const ScratchFolder files;
  EXPECT_THROW(read_result(files / "none.h5"), ModelError);
  EXPECT_THROW(write_result(ResultTable{}, files / "table.txt"), ModelError);
  EXPECT_THROW(write_result(ResultTable{}, files / "no/such/folder.h5"), ModelError);
}

/// What a file keeps is enough for the table that people read.
TEST(ResultTable, LedgerReadsBackFromItsJson) {
  const ScratchFolder files;
  const ResultTable table = run(files);
  Ledger ledger = parse_ledger(table.ledger);
  EXPECT_TRUE(ledger.sampling.empty());
  ledger.sampling = {{"hold", 0.01, 0.5, 1.25}};
  ledger.singular_times = {0.1};
  ledger.energy_returned = 2e-9;
  Manifest manifest;
  manifest.dimension = 2;
  std::ostringstream once, twice;
  once << ledger;
  twice << parse_ledger(ledger_json(ledger, manifest, {}));
  EXPECT_EQ(once.str(), twice.str());
  EXPECT_NE(once.str().find("energy returned there"), std::string::npos);
  EXPECT_GT(ledger.work_by_source.size(), 0u);
  EXPECT_EQ(ledger.steps, 30);
  EXPECT_THROW(parse_ledger("{}"), ModelError);
  EXPECT_THROW(parse_ledger("no JSON"), ModelError);
}

}  // namespace
}  // namespace torsor
