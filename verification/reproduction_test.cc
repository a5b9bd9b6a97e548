// The published results, re-made by the program itself.

#include <gtest/gtest.h>

#include "program.h"

namespace torsor {
namespace {

using Json = nlohmann::json;

TEST(Reproduce, EveryPublishedResultHoldsOrIsExplained) {
  const Outcome outcome = run_program({"reproduce", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json json = outcome.json();
  EXPECT_EQ(json["experiments"].size(), 51u);
  EXPECT_EQ(json["rows"]["fell_short"], 0);
  EXPECT_EQ(json["rows"]["curve"], 0);  // no source gives points of a curve
  EXPECT_GE(json["rows"]["number"], 20);
  for (const auto& [name, e] : json["experiments"].items()) {
    for (const Json& row : e["rows"]) {
      EXPECT_TRUE(row["value"].is_number()) << name << " " << row;
      EXPECT_NE(row["verdict"], "fell short") << name << " " << row;
      EXPECT_TRUE(row["verdict"] != "explained" || row["note"] != "") << name;
      EXPECT_TRUE(row["verdict"] != "matches the published number" || row["note"] == "") << name;
    }
    for (const Json& plot : e["plots"]) {
      EXPECT_FALSE(plot["curves"].empty()) << name;
    }
  }
}

TEST(Reproduce, OneExperimentWithItsDocuments) {
  const ScratchFolder scratch;
  const Outcome outcome = run_program({"reproduce", "goetz-fig-5.1", "--out", scratch.path("proof")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("same behaviour"), std::string::npos);
  EXPECT_NE(outcome.err.find("[1/1] goetz-fig-5.1: done"), std::string::npos);
  EXPECT_NE(scratch.read("proof/reproduction.html").find("<svg"), std::string::npos);
  EXPECT_NE(scratch.read("proof/reproduction.md").find("| same behaviour |"), std::string::npos);
  EXPECT_TRUE(Json::parse(scratch.read("proof/reproduction.json"))["experiments"].contains("goetz-fig-5.1"));
}

/// Under a gravity of 100 m/s^2 the midpoint rule strays by far more than the thesis says.
TEST(Reproduce, WhatFallsShortIsStatus4) {
  const Outcome outcome = run_program({"reproduce", "goetz-fig-5.5", "--set", "gravity=[0,-100]"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_NE(outcome.out.find("fell short, wanted "), std::string::npos);
}

TEST(Reproduce, AModelThatIsRefusedFallsShortWithTheReason) {
  const Outcome outcome =
      run_program({"reproduce", "goetz-fig-5.1", "mueller-forms", "--set", "bodies.no=1"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_NE(outcome.out.find("not measured: "), std::string::npos);
}

TEST(Reproduce, FaultsOfUsageAreStatus2) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"reproduce", "goetz-fig-5.33"}, "did you mean 'goetz-fig-5.3'?"},
      {{"reproduce", "--source", "gotz"}, "did you mean 'goetz'?"},
      {{"reproduce", "--set", "nonsense"}, "path=value"},
      {{"reproduce", "--out", "/no/such/folder/page.html"}, "no folder"},
      {{"reproduce", "--out", "/proc/folder"}, "/proc/folder"},
      {{"reproduce", "--json", "--markdown"}, "--markdown"},
      {{"reproduce", "--threads", "0"}, "--threads"}};
  for (const auto& [arguments, part] : cases) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2) << Json(arguments);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace torsor
