#include "experiments/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "torsor/base/error.h"

namespace torsor {
namespace {

TEST(Registry, HoldsEveryPublishedItem) {
  std::map<std::string, std::multiset<std::string>> items;
  for (const Experiment& e : all_experiments()) items[e.source].insert(e.item);
  const std::map<std::string, std::vector<std::string>> published{
      {"goetz",
       {"Fig. 5.1", "Fig. 5.2", "Fig. 5.3", "Fig. 5.4", "Fig. 5.5", "Fig. 5.6", "Fig. 5.7", "Fig. 5.8",
        "Table 5.2", "Table 5.3"}},
      {"kotyczka", {"Fig. 5", "Fig. 6", "Fig. 7", "Section 5"}},
      {"uhlar-betsch",
       {"Fig. 5", "Fig. 6", "Fig. 7", "Fig. 10", "Fig. 11", "Fig. 12", "Fig. 14", "Fig. 15", "Fig. 16",
        "Fig. 17", "Fig. 18"}},
      {"saetran",
       {"Fig. 3.3", "Fig. 3.4", "Fig. 3.5", "Fig. 3.6", "Fig. 3.7", "Fig. 3.8", "Fig. 3.9", "Fig. 3.10",
        "Fig. 3.11", "Fig. 3.14", "Fig. 3.16", "Fig. 3.18", "Table 3.2", "Table 3.3"}},
      {"mueller", {"Section 4", "Section 4, computational effort", "Equations (85)-(87)", "Section 6.3"}}};
  for (const auto& [source, list] : published) {
    for (const std::string& item : list) EXPECT_GE(items[source].count(item), 1u) << source << " " << item;
  }
  EXPECT_EQ(items["saetran"].count("Animation"), 4u);
  EXPECT_EQ(items.size(), sources().size());
}

TEST(Registry, EveryExperimentSaysWhatIsClaimedAndMeasured) {
  std::set<std::string> names;
  for (const Experiment& e : all_experiments()) {
    SCOPED_TRACE(e.name);
    EXPECT_TRUE(names.insert(e.name).second);
    EXPECT_TRUE(e.name.starts_with(e.source + "-"));
    EXPECT_FALSE(e.claim.empty());
    EXPECT_FALSE(e.runs.empty());
    EXPECT_FALSE(e.checks.empty());
    for (const Check& check : e.checks) {
      EXPECT_FALSE(check.what.empty());
      EXPECT_FALSE(check.paper.text.empty());
      EXPECT_EQ(check.paper.given == Given::number, check.paper.value != 0) << check.what;
      EXPECT_TRUE(check.measure);
      EXPECT_LE(check.bound.least, check.bound.most);
      EXPECT_EQ(check.only_shown, std::isinf(check.bound.least) && std::isinf(check.bound.most));
      if (check.published_seconds > 0) {
        EXPECT_TRUE(check.only_shown);
        EXPECT_TRUE(e.timed);
      }
    }
  }
}

TEST(Registry, SelectsByNameAndBySource) {
  EXPECT_EQ(select_experiments({}, {}).size(), all_experiments().size());
  EXPECT_EQ(select_experiments({"goetz-fig-5.3"}, {}).size(), 1u);
  const std::size_t mueller = mueller_experiments().size();
  EXPECT_EQ(select_experiments({"mueller"}, {}).size(), mueller);
  EXPECT_EQ(select_experiments({"goetz-fig-5.3", "mueller-forms"}, {"mueller"}).size(), mueller + 1);
}

TEST(Registry, AnUnknownNameIsAnsweredWithTheNearest) {
  try {
    select_experiments({"goetz-fig-5.33"}, {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'goetz-fig-5.3'?"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(select_experiments({}, {"goetz-fig-5.3"}), ModelError);
}

}  // namespace
}  // namespace torsor
