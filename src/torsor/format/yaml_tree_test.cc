#include "torsor/format/yaml_tree.h"

#include <gtest/gtest.h>

#include "torsor/base/error.h"

namespace torsor {
namespace {

ModelError refusal(const std::string& text) {
  try {
    parse_yaml(text, "file.yaml");
  } catch (const ModelError& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << text;
  return ModelError("", "", "");
}

TEST(YamlTree, KnowsTheLineOfEveryValue) {
  const YamlNode root = parse_yaml(
      "# comment\n"
      "a: 1\n"
      "b:\n"
      "  c: [1,\n"
      "      2]\n"
      "  d:\n"
      "    - x\n"
      "    - {e: 5,\n"
      "       f: 6}\n"
      "g:\n"
      "  word\n",
      "file.yaml");
  EXPECT_EQ(deepest_match(root, "a").line, 2);
  EXPECT_EQ(deepest_match(root, "b").line, 3);
  EXPECT_EQ(deepest_match(root, "b.c").line, 4);
  EXPECT_EQ(deepest_match(root, "b.c[0]").line, 4);
  EXPECT_EQ(deepest_match(root, "b.c[1]").line, 5);
  EXPECT_EQ(deepest_match(root, "b.d").line, 6);
  EXPECT_EQ(deepest_match(root, "b.d[0]").line, 7);
  EXPECT_EQ(deepest_match(root, "b.d[1].e").line, 8);
  EXPECT_EQ(deepest_match(root, "b.d[1].f").line, 9);
  EXPECT_EQ(deepest_match(root, "g").line, 11);
  EXPECT_EQ(deepest_match(root, "b.d[1].f").text, "6");
}

TEST(YamlTree, LinesEndInAnyWay) {
  const YamlNode root = parse_yaml("a: 1\r\nb: 2\r\nc: 3", "file.yaml");
  EXPECT_EQ(root.find("c")->line, 3);
  EXPECT_EQ(root.find("c")->value.text, "3");
  EXPECT_EQ(root.find("a")->value.text, "1");
}

TEST(YamlTree, DeepestMatchStopsWhereThePathLeavesTheTree) {
  const YamlNode root = parse_yaml("a:\n  b:\n    c: 1\n", "file.yaml");
  EXPECT_EQ(deepest_match(root, "a.b.mass.x").line, 2);
  EXPECT_EQ(deepest_match(root, "a.b[7]").line, 2);
  EXPECT_EQ(deepest_match(root, "elsewhere").line, 1);
}

TEST(YamlTree, NullsQuotesAndUnicode) {
  const YamlNode root = parse_yaml(
      "\xEF\xBB\xBF"
      "a:\nb: ~\nc: ''\n\"d e\": \"S\xC3\xA6tran\"\n",
      "file.yaml");
  EXPECT_EQ(root.find("a")->value.kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("b")->value.kind, YamlNode::Kind::null);
  EXPECT_EQ(root.find("c")->value.kind, YamlNode::Kind::scalar);
  EXPECT_EQ(root.find("d e")->value.text, "S\xC3\xA6tran");
}

TEST(YamlTree, DuplicateKeysNameBothLines) {
  const ModelError error = refusal("a:\n  b: 1\n  c: 2\n  b: 3\n");
  EXPECT_EQ(error.key, "a.b");
  EXPECT_EQ(error.line, 4);
  EXPECT_NE(error.found.find("lines 2 and 4"), std::string::npos) << error.found;
}

TEST(YamlTree, DepthIsLimitedToTheLevel) {
  const auto nested = [](int levels) { return std::string(levels, '[') + "1" + std::string(levels, ']'); };
  EXPECT_EQ(parse_yaml(nested(kDeepestNesting), "file.yaml").kind, YamlNode::Kind::sequence);
  EXPECT_NE(refusal(nested(kDeepestNesting + 1)).expected.find("levels"), std::string::npos);
}

TEST(YamlTree, InvalidUtf8IsRefusedWithItsLine) {
  for (const std::string bytes : {"\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                  "\xF8\x88\x80\x80", "\x80", "\xE2\x82", "\xFF"}) {
    const ModelError error = refusal("a: 1\nb: " + bytes + "\n");
    EXPECT_EQ(error.line, 2);
    EXPECT_EQ(error.expected, "text in UTF-8");
  }
  for (const std::string bytes : {"\xC2\xB5", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(parse_yaml("b: " + bytes + "\n", "file.yaml").find("b")->value.text, bytes);
}

TEST(YamlTree, AnUnfinishedQuoteIsNoText) {
  EXPECT_EQ(refusal("a: \"b\n").key, "a");
  EXPECT_EQ(refusal("a: 'b\n\n").key, "a");
}

TEST(YamlTree, FaultsAreSaidPlainly) {
  const auto found = [](const std::string& text) {
    try {
      parse_yaml(text, "file.yaml");
    } catch (const ModelError& error) {
      return error.found;
    }
    return std::string("no fault");
  };
  EXPECT_NE(found("a: {b: 1\nc: 2\n").find("no '}' that closes a '{'"), std::string::npos);
  EXPECT_NE(found("a: [1, 2\nc: 2\n").find("no ']' that closes a '['"), std::string::npos);
  EXPECT_NE(found("a: 1\n  b: 2\n").find("a ':' where none can be"), std::string::npos);
}

TEST(YamlTree, OverridesReplaceAndAdd) {
  YamlNode root = parse_yaml("a: {b: 1, c: [1, 2]}\nd: 5\n", "file.yaml");
  apply_override(root, "a.b", "7");
  apply_override(root, "a.c.1", "8");
  apply_override(root, "a.c[0]", "[9]");
  apply_override(root, "e.f", "{g: 1}");
  EXPECT_EQ(deepest_match(root, "a.b").text, "7");
  EXPECT_EQ(deepest_match(root, "a.c[1]").text, "8");
  EXPECT_EQ(deepest_match(root, "a.c[0][0]").text, "9");
  EXPECT_EQ(deepest_match(root, "e.f.g").text, "1");
  EXPECT_EQ(*deepest_match(root, "e.f.g").file, "--set e.f");
  EXPECT_EQ(*deepest_match(root, "d").file, "file.yaml");
  for (const char* path : {"", "a.", "d.x", "a.c.2", "a.c.x"})
    EXPECT_THROW(apply_override(root, path, "1"), ModelError) << path;
  EXPECT_THROW(apply_override(root, "a.b", "[1"), ModelError);
}

}  // namespace
}  // namespace torsor
