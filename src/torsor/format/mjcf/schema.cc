#include "torsor/format/mjcf/schema.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "torsor/base/nearest.h"
#include "torsor/format/mjcf/schema_rows.h"

namespace torsor::mjcf {
namespace {

using Attributes_ = std::vector<std::string>;
using Children = std::map<std::string, Attributes_>;

const std::map<std::string, Children>& schema() {
  static const std::map<std::string, Children> all = [] {
    std::map<std::string, Children> rows;
    for (const SchemaRow& row : kSchema) {
      std::istringstream words(row.attributes);
      Attributes_& list = rows[row.parent][row.element];
      for (std::string word; words >> word;) list.push_back(word);
    }
    return rows;
  }();
  return all;
}

/// Bodies, frames and replicates hold the same; so do a default and its classes.
std::string content_of(const std::string& element) {
  return element == "worldbody" || element == "frame" || element == "replicate" ? "body" : element;
}

std::vector<std::string> keys(const Children& children) {
  std::vector<std::string> names;
  for (const auto& [name, attributes] : children) names.push_back(name);
  return names;
}

void check_element(const Element& element, const Children& siblings) {
  const std::string name = element.xml.name();
  const auto row = siblings.find(name);
  if (row == siblings.end())
    element.xml.fail("an element of MJCF, one of " + listed(keys(siblings)), did_you_mean(name, keys(siblings)));
  for (const auto& [attribute, value] : element.xml.attributes())
    if (std::find(row->second.begin(), row->second.end(), attribute) == row->second.end())
      element.xml.fail_at(attribute.c_str(), "an attribute of <" + name + ">", did_you_mean(attribute, row->second));
  if (element.children.empty()) return;
  const auto inner = schema().find(content_of(name));
  static const Children none;
  for (const Element& child : element.children) check_element(child, inner == schema().end() ? none : inner->second);
}

}  // namespace

void check_schema(const Element& mujoco) {
  for (const auto& [attribute, value] : mujoco.xml.attributes())
    if (attribute != "model") mujoco.xml.fail_at(attribute.c_str(), "the attribute model alone");
  Children sections = schema().at("mujoco");
  sections["worldbody"];
  sections.erase("body");
  for (const Element& section : mujoco.children) check_element(section, sections);
}

}  // namespace torsor::mjcf
