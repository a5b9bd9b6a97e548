#include "torsor/result/json_reading.h"

#include <gtest/gtest.h>

namespace torsor {
namespace {

std::string fault_of(const std::string& text) {
  try {
    parse_json(text, "state", "file.json");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonReading, WhatIsWellFormedStays) {
  EXPECT_EQ(parse_json(R"({"b": [1, 2.5, {"c": null}], "a": "x"})", "").dump(),
            R"({"b":[1,2.5,{"c":null}],"a":"x"})");
  EXPECT_EQ(fault_of(R"([{"a": 1}, {"a": 2}])"), "none");  // the same key in two objects
}

TEST(JsonReading, KeysThatComeTwice) {
  EXPECT_NE(fault_of(R"({"q": {"a": 1, "b": 2, "a": 3}})").find("every key once, found 'a' twice"),
            std::string::npos);
}

/// 100,000 brackets overflowed the stack.
TEST(JsonReading, DepthIsBounded) {
  EXPECT_EQ(fault_of(std::string(60, '[') + std::string(60, ']')), "none");
  EXPECT_NE(fault_of(std::string(100000, '[')).find("at most 64 levels"), std::string::npos);
  EXPECT_NE(fault_of(std::string(100000, '[') + std::string(100000, ']')).find("at most 64 levels"),
            std::string::npos);
}

TEST(JsonReading, NumbersThatNoDoubleHolds) {
  EXPECT_NE(fault_of("[1e999]").find("file.json: state: expected JSON"), std::string::npos);
  EXPECT_NE(fault_of("[-1e999]"), "none");
}

TEST(JsonReading, KeysOfAnObjectAreBounded) {
  std::string text = "{";
  for (int i = 0; i < 20100; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  EXPECT_NE(fault_of(text + "}").find("at most 20000 keys"), std::string::npos);
}

TEST(JsonReading, WholeNumbers) {
  EXPECT_EQ(whole_number<int>(Json(7)), 7);
  EXPECT_EQ(whole_number<long>(Json(-3.0)), -3);
  for (const Json& wrong : {Json(1e300), Json(2.5), Json(3e9), Json("7"), Json(nullptr)}) {
    EXPECT_THROW(whole_number<int>(wrong), Json::exception) << wrong;
  }
}

}  // namespace
}  // namespace torsor
