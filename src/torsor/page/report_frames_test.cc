// What a page takes of a record.

#include "torsor/page/report_frames.h"

#include <gtest/gtest.h>

namespace torsor {
namespace {

std::vector<ReportColumn> chain(int bodies) {
  std::vector<ReportColumn> columns{{"time", 1}, {"energy/total", 1}};
  for (int i = 0; i < bodies; ++i) {
    const std::string body = "bodies/" + std::to_string(i), joint = "joints/" + std::to_string(i);
    for (const char* quantity : {"/com", "/velocity", "/angular_velocity", "/acceleration"})
      columns.push_back({body + quantity, 3});
    columns.push_back({body + "/quaternion", 4});
    columns.push_back({joint + "/position", 4});
    columns.push_back({joint + "/reaction", 6});
    columns.push_back({joint + "/reaction_world", 6});
  }
  return columns;
}

double bytes(const std::vector<ReportColumn>& columns, const ReportSize& size, int records) {
  double frame = 0;
  for (const auto& [dataset, width] : columns) {
    if (is_kept(dataset, size.thrift))
      frame += (needs_double(dataset, size.thrift) ? 8 : 4) * width * 4.0 / 3;
  }
  return frame * static_cast<double>(frames_of(records, size.every).size());
}

TEST(ReportFrames, EverythingWhereItFits) {
  const ReportSize size = fitting_size({chain(3)}, {1000}, 12e6);
  EXPECT_EQ(size.thrift, ReportThrift::none);
  EXPECT_EQ(size.every, 1);
  EXPECT_TRUE(left_out(chain(3), size.thrift).empty());
}

TEST(ReportFrames, WhatOthersImplyGoesFirst) {
  const ReportSize size = fitting_size({chain(64)}, {1001}, 12e6);
  EXPECT_EQ(size.thrift, ReportThrift::without_derived);
  EXPECT_EQ(size.every, 1);
  EXPECT_EQ(left_out(chain(64), size.thrift),
            (std::vector<std::string>{"bodies/*/acceleration", "joints/*/reaction_world"}));
}

TEST(ReportFrames, HundredBodiesAndAHundredThousandStepsKeepAThousandPictures) {
  const std::vector<ReportColumn> columns = chain(100);
  const ReportSize size = fitting_size({columns}, {100'001}, 12e6);
  EXPECT_EQ(size.thrift, ReportThrift::places_only);
  EXPECT_GE(frames_of(100'001, size.every).size(), 1000u);  // measured 2002
  EXPECT_LE(bytes(columns, size, 100'001), 12.1e6);
}

TEST(ReportFrames, SeveralResultsShareTheSize) {
  const std::vector<ReportColumn> columns = chain(20);
  const ReportSize one = fitting_size({columns}, {20'000}, 12e6);
  const ReportSize three = fitting_size({columns, columns, columns}, {20'000, 20'000, 20'000}, 12e6);
  EXPECT_LE(3 * bytes(columns, three, 20'000), 12.1e6);
  EXPECT_GT(three.every, one.every);
}

/// Red: more records to leave out than an int counts were none.
TEST(ReportFrames, HoweverSmallTheSize) {
  const ReportSize size = fitting_size({chain(3)}, {1000}, 1e-9);
  EXPECT_EQ(size.thrift, ReportThrift::places_only);
  EXPECT_EQ(size.every, 1000);
}

TEST(ReportFrames, TheLastRecordIsAlwaysThere) {
  EXPECT_EQ(frames_of(7, 3), (std::vector<int>{0, 3, 6}));
  EXPECT_EQ(frames_of(8, 3), (std::vector<int>{0, 3, 6, 7}));
  EXPECT_EQ(frames_of(1, 5), (std::vector<int>{0}));
}

}  // namespace
}  // namespace torsor
