#include "torsor/page/model_differences.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/format/model_reader.h"
#include "torsor/format/yaml_tree.h"
#include "torsor/result/json_reading.h"

namespace torsor {
namespace {

constexpr std::size_t kLongestValue = 120;         ///< characters
constexpr std::size_t kMostKeyBytes = 16'000'000;  ///< of all key paths; what lies below others is one value

/// Key paths repeat those that they begin with: long keys with many below them would take any amount of memory.
class KeyRoom {
 public:
  /// Whether there is room for the paths of so many entries below this one; then it is taken.
  bool take(const std::string& key, std::size_t entries) {
    const std::size_t bytes = entries * (key.size() + 1);
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  std::size_t left_ = kMostKeyBytes;
};

std::string shortened(std::string text) {
  if (text.size() <= kLongestValue) return text;
  std::size_t end = kLongestValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + " …";
}

/// In one line.
std::string flow_text(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "none";
    case YamlNode::Kind::scalar:
      return node.text;
    case YamlNode::Kind::sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(item);
      return "[" + text + "]";
    case YamlNode::Kind::map:
      for (const YamlEntry& entry : node.entries)
        text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(entry.value);
      return "{" + text + "}";
  }
  return text;
}

using Nodes = std::vector<const YamlNode*>;  ///< at one key of every model; null where there is none

/// What stands at each key of maps, in the order of the first that has it. Looked up one by one, keys would take the square of
/// their number.
std::vector<std::pair<std::string_view, Nodes>> entries_of(const Nodes& maps) {
  std::vector<std::pair<std::string_view, Nodes>> entries;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    for (const YamlEntry& entry : maps[i]->entries) {
      const auto [place, is_new] = places.emplace(entry.key, entries.size());
      if (is_new) entries.emplace_back(entry.key, Nodes(maps.size()));
      entries[place->second].second[i] = &entry.value;
    }
  }
  return entries;
}

void compare(const std::string& key, const Nodes& nodes, KeyRoom& room, std::vector<ModelDifference>& found) {
  const bool maps = std::all_of(nodes.begin(), nodes.end(), [](const YamlNode* node) {
    return node && node->kind == YamlNode::Kind::map;
  });
  const auto entries = maps ? entries_of(nodes) : std::vector<std::pair<std::string_view, Nodes>>{};
  if (maps && room.take(key, entries.size())) {
    for (const auto& [name, below] : entries) {
      if (key.empty() && name == "simulation") continue;  // the settings say what was run
      compare((key.empty() ? "" : key + ".").append(name), below, room, found);
    }
    return;
  }
  ModelDifference difference{key, {}};
  for (const YamlNode* node : nodes) {
    difference.values.push_back(node ? std::optional(flow_text(*node)) : std::nullopt);
  }
  const auto& values = difference.values;
  if (std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values[0]; }))
    return;
  for (auto& value : difference.values)
    if (value) *value = shortened(*value);
  found.push_back(difference);
}

YamlNode tree_of(const std::string& text) {
  try {
    return source_tree(recorded_source(text));
  } catch (const ModelError&) {
    YamlNode none;
    none.kind = YamlNode::Kind::map;
    return none;
  }
}

constexpr std::size_t kLongestList = 100;  ///< of settings, entry by entry; others are one value

/// What the settings of a run say, key by key: `.options.order`.
struct FlatSettings {
  std::vector<std::string> keys;  ///< as they come
  std::map<std::string, std::string> values;
  KeyRoom room;

  void add(const std::string& key, const Json& value) {
    const bool opens = value.is_object() || (value.is_array() && value.size() <= kLongestList);
    if (!opens || value.empty() || !room.take(key, value.size())) {
      keys.push_back(key);
      values[key] = shortened(value.is_string() ? value.get<std::string>() : json_text(value));
    } else {
      for (const auto& [name, below] : value.items()) add(key + "." + name, below);
    }
  }
};

FlatSettings flat_settings(const std::string& text) {
  FlatSettings flat;
  try {
    const Json parsed = parse_json(text, "settings");
    if (parsed.is_object() && !parsed.empty()) flat.add("", parsed);
  } catch (const ModelError&) {
    return {};
  }
  return flat;
}

void compare_settings(const std::vector<std::string>& texts, std::vector<ModelDifference>& found) {
  std::vector<FlatSettings> settings;
  for (const std::string& text : texts) settings.push_back(flat_settings(text));
  std::set<std::string> seen;
  for (const FlatSettings& first : settings) {
    for (const std::string& key : first.keys) {
      if (!seen.insert(key).second) continue;
      ModelDifference difference{"run" + key, {}};
      for (const FlatSettings& one : settings) {
        const auto value = one.values.find(key);
        difference.values.push_back(value == one.values.end() ? std::nullopt : std::optional(value->second));
      }
      const auto& values = difference.values;
      if (!std::all_of(values.begin(), values.end(), [&](const auto& value) { return value == values[0]; }))
        found.push_back(difference);
    }
  }
}

}  // namespace

std::vector<ModelDifference> model_differences(const std::vector<std::string>& models,
                                               const std::vector<std::string>& settings) {
  std::vector<ModelDifference> found;
  if (models.size() < 2) return found;
  compare_settings(settings, found);
  std::vector<YamlNode> trees;
  for (const std::string& text : models) trees.push_back(tree_of(text));
  Nodes roots;
  for (const YamlNode& tree : trees) roots.push_back(&tree);
  KeyRoom room;
  compare("", roots, room, found);
  return found;
}

}  // namespace torsor
