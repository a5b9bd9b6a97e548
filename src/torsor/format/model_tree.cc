#include "torsor/format/model_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "torsor/format/xml.h"

namespace torsor {
namespace {

constexpr std::size_t kWidth = 132;

YamlNode node_of(YamlNode::Kind kind, const Origin& origin) {
  YamlNode node;
  node.kind = kind;
  node.line = origin.line;
  node.file = origin.file;
  return node;
}

/// Whether YAML takes the text for itself without quotes, here and in other readers.
bool is_plain(const std::string& text) {
  static const std::vector<std::string> words{"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_letter(text[0]) && std::find(words.begin(), words.end(), lower) == words.end() &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string quoted(const std::string& text) {
  if (is_plain(text) || text == "true" || text == "false") return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string scalar_text(const std::string& text) { return is_number(text) ? text : quoted(text); }

std::string flow(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "null";
    case YamlNode::Kind::scalar:
      return scalar_text(node.text);
    case YamlNode::Kind::sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow(item);
      return "[" + text + "]";
    case YamlNode::Kind::map:
      break;
  }
  for (const YamlEntry& entry : node.entries)
    text += (text.empty() ? "" : ", ") + quoted(entry.key) + ": " + flow(entry.value);
  return "{" + text + "}";
}

bool holds_collections(const YamlNode& node) {
  const auto is_collection = [](const YamlNode& n) {
    return n.kind == YamlNode::Kind::map || n.kind == YamlNode::Kind::sequence;
  };
  return std::any_of(node.items.begin(), node.items.end(), is_collection) ||
         std::any_of(node.entries.begin(), node.entries.end(),
                     [&](const YamlEntry& e) { return is_collection(e.value); });
}

void write_block(const YamlNode& node, int indent, std::string& text);

/// What stands after `key:` or `-`: on the line where it fits, in lines of its own below otherwise.
void write_value(const YamlNode& node, int indent, std::size_t used, std::string& text) {
  const std::string line = flow(node);
  const bool is_collection = !node.items.empty() || !node.entries.empty();
  if (!is_collection || used + 1 + line.size() <= kWidth || !holds_collections(node)) {
    text += " " + line + "\n";
  } else {
    text += "\n";
    write_block(node, indent, text);
  }
}

void write_block(const YamlNode& node, int indent, std::string& text) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  for (const YamlEntry& entry : node.entries) {
    const std::string key = quoted(entry.key);
    text += margin + key + ":";
    write_value(entry.value, indent + 2, margin.size() + key.size() + 1, text);
  }
  for (const YamlNode& item : node.items) {
    text += margin + "-";
    write_value(item, indent + 2, margin.size() + 1, text);
  }
}

}  // namespace

Origin origin_of(const XmlElement& element) { return {element.document().shared_file(), element.line()}; }

YamlNode map_node(const Origin& origin) { return node_of(YamlNode::Kind::map, origin); }
YamlNode list_node(const Origin& origin) { return node_of(YamlNode::Kind::sequence, origin); }

YamlNode text_node(const Origin& origin, const std::string& text) {
  YamlNode node = node_of(YamlNode::Kind::scalar, origin);
  node.text = text;
  return node;
}

YamlNode number_node(const Origin& origin, double value) {
  return text_node(origin, fmt::format("{}", value == 0 ? 0.0 : value));
}

YamlNode numbers_node(const Origin& origin, const std::vector<double>& values) {
  YamlNode node = list_node(origin);
  for (const double value : values) node.items.push_back(number_node(origin, value));
  return node;
}

YamlNode vector_node(const Origin& origin, const Vec3<double>& v) {
  return numbers_node(origin, {v.x, v.y, v.z});
}

YamlNode pose_node(const Origin& origin, const SE3<double>& pose) {
  YamlNode node = map_node(origin);
  if (!(pose.position == Vec3<double>{})) put(node, "position", vector_node(origin, pose.position));
  const SO3<double>& q = pose.rotation;
  if (q.x != 0 || q.y != 0 || q.z != 0)
    put(put(node, "rotation", map_node(origin)), "quaternion", numbers_node(origin, {q.w, q.x, q.y, q.z}));
  return node;
}

YamlNode& put(YamlNode& map, const std::string& key, YamlNode value) {
  if (YamlEntry* entry = map.find(key)) return entry->value = std::move(value);
  const int line = value.line;
  return map.entries.emplace_back(YamlEntry{key, line, std::move(value)}).value;
}

YamlNode& section(YamlNode& root, const std::string& key) {
  if (YamlEntry* entry = root.find(key)) return entry->value;
  return put(root, key, map_node({root.file, root.line}));
}

std::string yaml_line(const YamlNode& node) { return flow(node); }

std::string yaml_text(const YamlNode& root, const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  for (const YamlEntry& entry : root.entries) {
    const YamlNode& value = entry.value;
    const bool is_section =
        value.kind == YamlNode::Kind::map && !value.entries.empty() && entry.key != "simulation";
    text += entry.key + ":";
    if (is_section) {
      text += "\n";
      write_block(value, 2, text);
    } else {
      text += " " + flow(value) + "\n";
    }
  }
  return text;
}

}  // namespace torsor
