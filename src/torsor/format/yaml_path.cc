// Key paths into a YAML tree: `bodies.link1.mass`, `gravity.1`, `tendons.t.path[2]`.

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

/// The parts of a path, one after another.
class PathParts {
 public:
  explicit PathParts(std::string_view path) : left_(path) {}

  bool at_end() const { return at_end_; }
  std::string_view next() {
    const std::size_t end = left_.find_first_of(".[");
    std::string_view part = left_.substr(0, end);
    at_end_ = end == std::string_view::npos;
    if (!at_end_) left_.remove_prefix(end + 1);
    while (part.ends_with(']')) part.remove_suffix(1);
    return part;
  }

 private:
  std::string_view left_;
  bool at_end_ = false;
};

std::optional<std::size_t> index_of(std::string_view part, std::size_t count) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (error != std::errc() || end != part.data() + part.size() || index >= count) return std::nullopt;
  return index;
}

/// The child of a node by key or index, nullptr if there is none.
template <class Node>
Node* child(Node& node, std::string_view part) {
  if (auto* entry = node.find(part)) return &entry->value;
  const auto index = index_of(part, node.items.size());
  return index ? &node.items[*index] : nullptr;
}

/// A text on the command line has no lines worth naming.
void forget_lines(YamlNode& node) {
  node.line = 0;
  for (YamlNode& item : node.items) forget_lines(item);
  for (YamlEntry& entry : node.entries) {
    entry.line = 0;
    forget_lines(entry.value);
  }
}

}  // namespace

YamlNode& override_place(YamlNode& root, const std::string& path, const std::string& origin) {
  std::shared_ptr<const std::string> origin_of_nodes;  // if there are new ones
  YamlNode* node = &root;
  for (PathParts parts(path); !parts.at_end();) {
    const std::string_view part = parts.next();
    if (part.empty()) throw ModelError(path, "a path such as bodies.link1.mass", in_quotes(path), origin);
    if (YamlNode* next = child(*node, part)) {
      node = next;
      continue;
    }
    if (!origin_of_nodes) origin_of_nodes = std::make_shared<const std::string>(origin);
    const std::string key(part);
    if (node->kind == YamlNode::Kind::null) {
      node->kind = YamlNode::Kind::map;
      node->file = origin_of_nodes;
    }
    if (node->kind == YamlNode::Kind::sequence)
      throw ModelError(path, "an index below " + std::to_string(node->items.size()), in_quotes(key), origin);
    if (node->kind == YamlNode::Kind::scalar)
      throw ModelError(path, "a path into a mapping or list", "the value " + in_quotes(node->text), origin);
    // A new leaf is a key that the file leaves out; a new branch beside one of nearly the same name is a
    // slip.
    std::vector<std::string> siblings;
    for (const YamlEntry& entry : node->entries) siblings.push_back(entry.key);
    if (!parts.at_end() && !nearest_name(key, siblings).empty())
      throw ModelError(path, "a path into the model", did_you_mean(key, siblings), origin);
    node = &node->entries.emplace_back(YamlEntry{key, 0, {}}).value;
    node->file = origin_of_nodes;
  }
  return *node;
}

YamlNode override_value(const std::string& value, const std::string& origin) {
  YamlNode node = parse_yaml(value, origin);
  forget_lines(node);
  return node;
}

void apply_override(YamlNode& root, const std::string& path, const std::string& value) {
  const std::string origin = "--set " + path;
  override_place(root, path, origin) = override_value(value, origin);
}

bool holds_place(const std::string& path, const std::string& other) {
  const auto same = [](std::string_view a, std::string_view b) {
    constexpr auto kAny = std::numeric_limits<std::size_t>::max();
    const auto index = index_of(a, kAny);
    return a == b || (index && index == index_of(b, kAny));
  };
  PathParts outer(path), inner(other);
  while (!outer.at_end()) {
    if (inner.at_end() || !same(outer.next(), inner.next())) return false;
  }
  return true;
}

const YamlNode& deepest_match(const YamlNode& root, const std::string& key_path) {
  const YamlNode* node = &root;
  for (PathParts parts(key_path); !parts.at_end();) {
    const YamlNode* next = child(*node, parts.next());
    if (!next) break;
    node = next;
  }
  return *node;
}

}  // namespace torsor
