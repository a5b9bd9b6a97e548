// `torsor report`: the page holds the record, and nothing that a browser would take for markup.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "program.h"
#include "torsor/result/hdf5_reader.h"

namespace torsor {
namespace {

using Json = nlohmann::json;

/// The page is built by Node, which a machine need not have.
bool has_page() {
  return std::filesystem::exists(std::filesystem::path(TORSOR_PROGRAM).parent_path() /
                                 "../share/torsor/report.html");
}

Json data_of(const std::string& page) {
  const std::string start = R"(id="torsor-data">)";
  const std::size_t from = page.find(start) + start.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::vector<double> doubles_of(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : base64) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

TEST(ReportPage, HoldsTheRecordToTheLastBit) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  const ScratchFolder scratch;
  const std::string result = scratch.path("arm.h5");
  ASSERT_EQ(run_program({"run", "tendon_arm_3d", "--duration", "1", "--out", result}).status, 0);
  const Outcome outcome = run_program({"report", result, "-o", scratch.path("arm.html")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");

  const Json data = data_of(scratch.read("arm.html"));
  ASSERT_EQ(data["results"].size(), 1U);
  const Json& shown = data["results"][0];
  const Hdf5Reader recorded(result);
  EXPECT_EQ(shown["frames"], 201);
  for (const char* name : {"time", "energy/residual", "bodies/hand/com", "bodies/hand/quaternion"}) {
    EXPECT_EQ(doubles_of(shown["columns"][name]["data"]), recorded.table(name).values) << name;
  }
  EXPECT_EQ(shown["columns"]["bodies/hand/com"]["unit"], "m");
  EXPECT_EQ(shown["model"], recorded.text("model"));
  EXPECT_EQ(shown["ledger"], Json::parse(recorded.text("ledger")));
  EXPECT_EQ(shown["claims"]["energy_exact"], true);
  for (const std::string& dataset : recorded.datasets()) EXPECT_TRUE(shown["columns"].contains(dataset));
}

TEST(ReportPage, ShowsEveryNthRecordAndTheLast) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  const ScratchFolder scratch;
  const std::string result = scratch.path("arm.h5");
  ASSERT_EQ(run_program({"run", "tendon_arm", "--duration", "1", "--out", result}).status, 0);
  ASSERT_EQ(run_program({"report", result, "--every", "30", "-o", scratch.path("arm.html")}).status, 0);
  const Json shown = data_of(scratch.read("arm.html"))["results"][0];
  const std::vector<double> recorded = Hdf5Reader(result).table("time").values;
  EXPECT_EQ(doubles_of(shown["columns"]["time"]["data"]),
            (std::vector<double>{recorded[0], recorded[30], recorded[60], recorded[90], recorded[100]}));
  EXPECT_EQ(shown["records"], 101);
}

TEST(ReportPage, RunMakesTheSamePage) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  const ScratchFolder scratch;
  const std::string page = scratch.path("run.html");
  const Outcome outcome = run_program({"run", "four_bar", "--duration", "0.2", "--report", page, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  Json ledger = outcome.json(), kept = data_of(scratch.read("run.html"))["results"][0]["ledger"];
  EXPECT_EQ(kept["energy"], ledger["energy"]);
  EXPECT_EQ(kept["final"], ledger["final"]);
}

TEST(ReportPage, ModelTextCannotEndTheData) {
  if (!has_page()) GTEST_SKIP() << "the page of reports was not built";
  const ScratchFolder scratch;
  const std::string model =
      scratch.file("tag.yaml",
                   "# </script><!--\ntorsor: 1\nbodies: {\"<b>\": {mass: 1, inertia: [1, "
                   "1, 1]}}\nsimulation: {step: 0.1, duration: 1}\n");
  const std::string page = scratch.path("tag.html");
  ASSERT_EQ(run_program({"run", model, "--report", page}).status, 0);
  const Json data = data_of(scratch.read("tag.html"));
  EXPECT_NE(data["results"][0]["model"].get<std::string>().find("</script><!--"), std::string::npos);
}

TEST(ReportPage, WrongInputIsAnsweredPlainly) {
  const ScratchFolder scratch;
  EXPECT_EQ(run_program({"report"}).status, 2);
  EXPECT_EQ(run_program({"report", scratch.path("none.h5")}).status, 2);
  EXPECT_EQ(run_program({"report", scratch.file("text.h5", "no result")}).status, 2);
  EXPECT_EQ(run_program({"report", "a.h5", "b.h5", "c.h5"}).status, 2);
  EXPECT_EQ(run_program({"run", "four_bar", "--report", scratch.path("none/page.html")}).status, 2);
}

}  // namespace
}  // namespace torsor
