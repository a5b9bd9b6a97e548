#include "torsor/format/xml.h"

#include <gtest/gtest.h>

#include "torsor/base/error.h"
#include "torsor/format/import.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

struct Fault {
  const char* what;
  std::string text;
  int line;
  const char *expected, *found;  ///< parts of the message
};

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Xml, WhatIsNoPlainXmlIsRefusedWithItsLine) {
  const Fault faults[] = {
      {"nothing", "", 1, "a root element", "none"},
      {"blanks", "\n\n", 1, "a root element", "none"},
      {"a comment alone", "<!-- a -->", 1, "a root element", "none"},
      {"text alone", "hello", 1, "nothing beside it", "text outside"},
      {"no end", "<a>\n<b>\n", 2, "well-formed XML", ""},
      {"wrong end", "<a>\n<b>\n</a>", 3, "well-formed XML", ""},
      {"no end of a tag", "<a\nb=\"1\"", 2, "well-formed XML", ""},
      {"attribute without value", "<a>\n<b c/></a>", 2, "well-formed XML", ""},
      {"attribute without quotes", "<a>\n<b c=1/></a>", 2, "well-formed XML", ""},
      {"attribute twice", "<a>\n<b c='1' c='2'/></a>", 2, "every attribute once", "'c' twice"},
      {"two roots", "<a/>\n<b/>", 2, "one root element", "'b'"},
      {"text behind the root", "<a/>\nhello", 1, "nothing beside it", "text outside"},
      {"doctype", "\n<!DOCTYPE a>\n<a/>", 2, "without DOCTYPE", "<!DOCTYPE"},
      {"entities", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", 1, "without DOCTYPE", "<!DOCTYPE"},
      {"outer entity", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a/>", 1, "without DOCTYPE",
       ""},
      {"an entity nobody knows", "<a>\n<b c='&d;'/></a>", 2, "only the entities", "'&d'"},
      {"a bare ampersand", "<a>\n<b c='d & e'/></a>", 2, "only the entities", "'&'"},
      {"a comment without end", "<a>\n<!-- </a>", 2, "well-formed XML", ""},
      {"control character", "<a>\n\x01</a>", 2, "text", "0x01"},
      {"bytes that are no UTF-8", "<a>\n\xff</a>", 2, "UTF-8", "0xff"},
      {"depth", repeated("<a>\n", 300) + repeated("</a>", 300), kDeepestXml + 1, "at most 256 levels",
       "more"},
      {"elements", "<a>" + repeated("<b/>", 2 * kMostXmlElements) + "</a>", 1, "at most 500000 elements",
       "more"},
  };
  for (const Fault& fault : faults) {
    try {
      XmlDocument document(fault.text, "f.xml");
      ADD_FAILURE() << fault.what << " was read";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.file, "f.xml") << fault.what;
      EXPECT_EQ(error.line, fault.line) << fault.what << ": " << error.what();
      EXPECT_NE(error.expected.find(fault.expected), std::string::npos) << fault.what << ": " << error.what();
      EXPECT_NE(error.found.find(fault.found), std::string::npos) << fault.what << ": " << error.what();
    }
  }
}

TEST(Xml, AttributesKnowTheirLinesAndTypes) {
  const XmlDocument document(
      "<robot>\n<link name=\"a&amp;b\"\n  x = '1 2\n 3' y='>' \n z=\"1e3\" on='true'/></robot>", "f.xml");
  const XmlElement link = XmlElement(document).required("link", "a link");
  EXPECT_EQ(link.text("name"), "a&b");
  EXPECT_EQ(link.path(), "robot/link[a&b]");
  EXPECT_EQ(link.line(), 2);
  EXPECT_EQ(link.line_of("x"), 3);
  EXPECT_EQ(link.line_of("z"), 5);
  EXPECT_EQ(*link.numbers("x", 3), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(link.number("z"), 1000);
  EXPECT_TRUE(link.boolean("on", false));
  EXPECT_FALSE(link.number("none"));
  EXPECT_EQ(link.unknown_attributes({"name", "x", "z"}), (std::vector<std::string>{"y", "on"}));
}

TEST(Xml, WhatIsNoNumberIsRefusedAtItsLine) {
  for (const char* text : {"", " ", "a", "1,5", "1 2", "nan", "inf", "1e999", "0x10", "1d", "--1", "+-1"}) {
    const XmlDocument document(std::string("<a>\n<b\nc='") + text + "'/></a>", "f.xml");
    try {
      XmlElement(document).required("b", "").number("c");
      ADD_FAILURE() << "'" << text << "' was read";
    } catch (const ModelError& error) {
      EXPECT_EQ(error.line, 3) << text;
      EXPECT_EQ(error.key, "a/b@c");
      EXPECT_EQ(error.expected, "a number");
    }
  }
}

TEST(Xml, OtherFormatsAreToldByTheirRoot) {
  const std::pair<const char*, const char*> refused[] = {
      {"a.xacro", "<robot/>"}, {"a.urdf", "<robot xmlns:xacro='x'><xacro:include filename='b'/></robot>"},
      {"a.sdf", "<sdf/>"},     {"a.xml", "<html/>"},
      {"a.xml", "<mujco/>"},
  };
  for (const auto& [file, text] : refused) {
    try {
      source_of_text(text, file);
      ADD_FAILURE() << text;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.file, file);
      EXPECT_EQ(error.line, 1);
    }
  }
  EXPECT_TRUE(looks_like_xml("a.yaml", "\n <robot/>"));
  EXPECT_FALSE(looks_like_xml("a.yaml", "torsor: 1"));
}

TEST(ModelTree, TheTextGivesTheTreeBack) {
  const Origin origin{std::make_shared<const std::string>("f"), 1};
  YamlNode root = map_node(origin);
  put(root, "torsor", text_node(origin, "1"));
  put(root, "name", text_node(origin, "a \"b\": c # d"));
  YamlNode& bodies = section(root, "bodies");
  YamlNode& body = put(bodies, "9 lives: yes", map_node(origin));
  put(body, "mass", number_node(origin, 0.1 + 0.2));
  put(body, "no", text_node(origin, "no"));
  YamlNode& shapes = put(body, "shapes", list_node(origin));
  for (int i = 0; i < 9; ++i) {
    shapes.items.push_back(map_node(origin));
    put(shapes.items.back(), "box", numbers_node(origin, {1e-30, 1.0 / 3, 1e300}));
    put(shapes.items.back(), "empty", map_node(origin));
  }
  const std::string text = yaml_text(root, {"Made here."});
  const YamlNode again = parse_yaml(text, "f");
  EXPECT_EQ(yaml_text(again, {"Made here."}), text);
  EXPECT_EQ(again.find("name")->value.text, "a \"b\": c # d");
  EXPECT_EQ(again.find("bodies")->value.entries[0].key, "9 lives: yes");
  EXPECT_EQ(std::stod(again.find("bodies")->value.entries[0].value.find("mass")->value.text), 0.1 + 0.2);
}

}  // namespace
}  // namespace torsor
