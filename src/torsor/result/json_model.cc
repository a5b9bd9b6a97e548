#include "torsor/result/json_model.h"

#include <charconv>
#include <cmath>

#include "torsor/format/yaml_tree.h"
#include "torsor/result/json_parts.h"

namespace torsor {
namespace {

Json scalar(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  long whole = 0;
  if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end)
    return whole;
  double number = 0;
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc() && read.ptr == end && std::isfinite(number)) return number;
  return text;
}

Json json_of_node(const YamlNode& node) {
  Json json = nullptr;
  switch (node.kind) {
    case YamlNode::Kind::null:
      break;
    case YamlNode::Kind::scalar:
      json = scalar(node.text);
      break;
    case YamlNode::Kind::sequence:
      json = Json::array();
      for (const YamlNode& item : node.items) json.push_back(json_of_node(item));
      break;
    case YamlNode::Kind::map:
      json = Json::object();
      for (const YamlEntry& entry : node.entries) json[entry.key] = json_of_node(entry.value);
      break;
  }
  return json;
}

}  // namespace

std::string model_json(const ModelSource& source, int indent) {
  return json_text(json_of_node(source_tree(source)), indent);
}

}  // namespace torsor
