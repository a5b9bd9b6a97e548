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

TEST(JsonReading, EveryKindOfValueIsThatOfTheLibrary) {
  const std::string text =
      R"({"a": [null, true, -3, 18446744073709551615, 0.1, "\u00e4\"", {}, [], [[{"z": 1, "b": {"a": 2}}]]], "": 1e-400})";
  EXPECT_EQ(parse_json(text, ""), Json::parse(text));
  EXPECT_EQ(parse_json<nlohmann::json>(text, ""), nlohmann::json::parse(text));
  EXPECT_EQ(parse_json("7", ""), Json(7));
  for (const char* wrong : {"", "[1", "[1] 2", "{\"a\"}", "[1,]", "nul", "\"\xff\""}) {
    EXPECT_NE(fault_of(wrong).find("file.json: state: expected JSON, found"), std::string::npos) << wrong;
  }
}

std::string repeated(int times, const std::string& text) {
  std::string list = "[";
  for (int i = 0; i < times; ++i) list += (i ? "," : "") + text;
  return list + "]";
}

/// 400,000 took 30 s, and time grew with their square: this would take an hour.
TEST(JsonReading, TimeIsThatOfTheLength) {
  const Json read = parse_json(repeated(3'500'000, "{}"), "");
  EXPECT_EQ(read.size(), 3'500'000u);
  EXPECT_EQ(read.back(), Json::object());
}

/// Each name was sought among all before it, twenty thousand times for every object.
TEST(JsonReading, ObjectsOfManyKeysTakeTheTimeOfTheirLength) {
  std::string object = "{";
  for (int i = 0; i < 20'000; ++i) object += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
  const Json read = parse_json(repeated(100, object + "}"), "");
  EXPECT_EQ(read[99].size(), 20'000u);
  EXPECT_EQ(read[99].begin().key(), "0");
}

TEST(JsonReading, ValuesAreBounded) {
  EXPECT_NE(fault_of(repeated(4'000'000, "{}")).find("at most 8000000 values"), std::string::npos);
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
