#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/models.h"
#include "torsor/base/error.h"
#include "torsor/result/csv_writer.h"
#include "torsor/result/hdf5_id.h"
#include "torsor/result/hdf5_writer.h"
#include "torsor/result/json_ledger.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_table.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

class Replaceable : public testing::Test {
 protected:
  Replaceable() {
    std::string name = testing::TempDir() + "torsor-replaceable-XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Replaceable() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  bool replaceable(const std::string& text) const {
    std::ofstream(path("text"), std::ios::binary) << text;
    return is_replaceable(path("text"));
  }

  fs::path folder_;
};

TEST_F(Replaceable, AreTablesOfOursByAllTheirColumns) {
  EXPECT_TRUE(replaceable("time,energy.total\n0,1\n"));
  EXPECT_TRUE(replaceable("time,\"bodies.a,b.com.x\",joints.pivot.rate\n"));
  EXPECT_TRUE(replaceable("time,solver.iterations\n# s,1\n0,2\n"));
  EXPECT_TRUE(replaceable("run,inputs.gravity.1,measures.top,ledger.balance,failure\n0,-9,1,1e-16,\n"));
  EXPECT_TRUE(replaceable(""));
  for (const char* text :
       {"time,voltage\n0,1\n", "time,energy\n0,1\n", "time,energy.total,voltage\n0,1,2\n", "time\n0\n",
        "run,score\n1,2\n", "run,inputs.a\n", "run,inputs.a,score,failure\n", "run,failure\n", "time,"}) {
    EXPECT_FALSE(replaceable(text)) << text;
  }
}

/// The names of a large model do not fit into what is looked at.
TEST_F(Replaceable, AreTablesWithLongHeaders) {
  std::string header = "time";
  for (int i = 0; i < 20'000; ++i) header += ",bodies.link" + std::to_string(i) + ".com.x";
  EXPECT_TRUE(replaceable(header + "\n0\n"));
  EXPECT_FALSE(replaceable("time,voltage" + header.substr(4) + "\n0\n"));
}

TEST_F(Replaceable, AreAnswersOfOursByTheirKeysInOrder) {
  const std::string ours =
      R"({"model":"{ \"}","version":"1","settings":{"a":[1,{"b":2}]},"ledger":null,"rows":1,"channels":{}})";
  EXPECT_TRUE(replaceable(ours));
  EXPECT_TRUE(replaceable(
      R"({"model": "m", "at": "start", "time": 0, "q": {}, "symmetric": true, "steady": true, "modes": []})"));
  EXPECT_TRUE(replaceable(
      R"({"machine": "m", "threads": 2, "seconds": 1.5, "rows": {}, "sources": {}, "experiments": {}})"));
  for (const char* text :
       {R"({"model": "gpt"})", R"({"model": "gpt", "version": "4"})", R"({"version": "1"})", "{}", "{", "[1]",
        "{\"model\"", R"({"version":"1","model":"","settings":{},"ledger":null,"rows":1,"channels":{}})",
        R"({"a": {"model": 1, "version": 2, "settings": 3, "ledger": 4, "rows": 5, "channels": 6}})"}) {
    EXPECT_FALSE(replaceable(text)) << text;
  }
}

TEST_F(Replaceable, ArePagesAndMatricesOfOurs) {
  EXPECT_TRUE(replaceable("<!doctype html>\n<meta name=\"generator\" content=\"torsor report\">\n"));
  EXPECT_FALSE(replaceable("<!doctype html>\n<meta name=\"generator\" content=\"other\">\n"));
  EXPECT_TRUE(replaceable("MATLAB 5.0 MAT-file, written by Torsor 1.0"));
  EXPECT_FALSE(replaceable("MATLAB 5.0 MAT-file, Platform: GLNXA64"));
  EXPECT_FALSE(replaceable("# Published experiments\nof my own\n"));
}

TEST_F(Replaceable, AreWhatOurWritersWrite) {
  const Model model(reference::driven_arm());
  const StepperChoice choice{.formulation = "rotationless", .integrator = "energy-momentum"};
  const auto stepper = make_stepper(model, choice);
  const Settings settings{resolve_method(model, choice), {.step = 0.01, .duration = 0.05}};
  TableKeeper keeper(model, settings_json(model, settings));
  Hdf5Writer hdf5(path("run.h5"), model, settings_json(model, settings));
  CsvWriter csv(path("run.csv"), true);
  const Record record = simulate(*stepper, settings.run, {&keeper, &hdf5, &csv}, false);
  keeper.table().ledger = ledger_json(record.ledger, record.manifest, keeper.last());
  for (const char* name : {"table.h5", "table.csv", "table.json"}) write_result(keeper.table(), path(name));
  for (const char* name : {"run.h5", "run.csv", "table.h5", "table.csv", "table.json"}) {
    EXPECT_TRUE(is_replaceable(path(name))) << name;
  }
}

/// An attribute `version` at the root is everybody's.
TEST_F(Replaceable, AreNotForeignHdf5Files) {
  const std::string file = path("foreign.h5");
  {
    const Hdf5Id id(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    ASSERT_TRUE(write_hdf5_text(id, "version", "2.1"));
    ASSERT_TRUE(write_hdf5_text(id, "model", "net"));
  }
  EXPECT_FALSE(is_replaceable(file));
  EXPECT_THROW(require_replaceable(file, "--out", {}, false), ModelError);
  EXPECT_NO_THROW(require_replaceable(file, "--out", {}, true));
  EXPECT_THROW(require_replaceable(file, "--out", {file}, true), ModelError);
}

}  // namespace
}  // namespace torsor
