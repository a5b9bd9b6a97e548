#include "torsor/format/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <unordered_map>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_text.h"

namespace torsor {
namespace {

/// Builds the tree from the parser's events. Every limit is checked in the event that precedes the parser's
/// own recursion, so that no input can exhaust the stack.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const std::string> file) : file_(std::move(file)) {}

  YamlNode root;

  /// Key path of what is being read.
  std::string place() const {
    std::string key = path();
    if (key.ends_with('.')) key.pop_back();
    return key.empty() ? kDocument : key;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) fail(mark, "one document", "more after its end");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    if (awaits_key()) fail(mark, "a key", "nothing before ':'");
    add(node_at(mark, YamlNode::Kind::null));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark, 1); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (awaits_key()) return add_key(mark, text);
    YamlNode node = node_at(mark, YamlNode::Kind::scalar);
    node.text = text;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::sequence);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::map);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    YamlNode* node;
    bool awaits_value = false;
    std::unordered_map<std::string, int> key_lines;
  };

  bool awaits_key() const {
    return !open_.empty() && open_.back().node->kind == YamlNode::Kind::map && !open_.back().awaits_value;
  }

  void add_key(const YAML::Mark& mark, const std::string& key) {
    Open& map = open_.back();
    const auto [known, is_new] = map.key_lines.emplace(key, mark.line + 1);
    if (!is_new)
      throw ModelError(
          path() + key, "every key once",
          fmt::format("{} twice, at lines {} and {}", in_quotes(key), known->second, mark.line + 1), *file_,
          mark.line + 1);
    map.node->entries.push_back({key, mark.line + 1, {}});
    map.awaits_value = true;
  }

  YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) const {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.file = file_;
    return node;
  }

  YamlNode* add(YamlNode node) {
    if (++nodes_ > kMostNodes)
      throw ModelError(place(), fmt::format("at most {} values", kMostNodes), "more", *file_, node.line);
    if (open_.empty()) {
      root = std::move(node);
      return &root;
    }
    Open& parent = open_.back();
    if (parent.node->kind == YamlNode::Kind::sequence)
      return &parent.node->items.emplace_back(std::move(node));
    YamlEntry& entry = parent.node->entries.back();
    if (node.kind != YamlNode::Kind::scalar) node.line = entry.line;
    entry.value = std::move(node);
    parent.awaits_value = false;
    return &entry.value;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (awaits_key()) fail(mark, "a plain key", kind == YamlNode::Kind::map ? "a mapping" : "a list");
    if (open_.size() >= kDeepestNesting)
      fail(mark, fmt::format("at most {} levels", kDeepestNesting), "more");
    open_.push_back({add(node_at(mark, kind)), false, {}});
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != 0) fail(mark, "values written out", "an anchor or alias (&, *)");
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(mark, "values without tags", "the tag " + in_quotes(tag));
  }

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& expected,
                         const std::string& found) const {
    throw ModelError(place(), expected, found, *file_, mark.line + 1);
  }

  /// Key path of what is being read, with a dot behind: of the innermost open collection, or of the entry or
  /// item in it that comes next.
  std::string path() const {
    std::string path;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Open& level = open_[i];
      const bool is_inner = i + 1 < open_.size();
      if (level.node->kind == YamlNode::Kind::sequence) {
        if (path.ends_with('.')) path.pop_back();
        path += fmt::format("[{}].", level.node->items.size() - is_inner);
      } else if (is_inner || level.awaits_value) {
        path += level.node->entries.back().key + ".";
      }
    }
    return path;
  }

  std::shared_ptr<const std::string> file_;
  std::vector<Open> open_;
  int documents_ = 0;
  int nodes_ = 0;
};

/// The last line up to `line` that a tab indents; 0 if there is none.
int line_indented_by_tab(const std::string& text, int line) {
  int last = 0, number = 1;
  for (std::size_t at = 0; number <= line; ++number) {
    const std::size_t first = text.find_first_not_of(" \t", at);
    const std::size_t tab = text.find('\t', at);
    if (tab < first && first != std::string::npos && text[first] != '\n') last = number;
    at = text.find('\n', at);
    if (at++ == std::string::npos) break;
  }
  return last;
}

/// What yaml-cpp finds wrong, in words that need no knowledge of its scanner.
std::string yaml_fault(const std::string& message) {
  constexpr std::pair<const char*, const char*> kPlain[] = {
      {"end of map flow not found", "no '}' that closes a '{', or no comma between two of its entries"},
      {"end of map not found", "a line that is indented unlike the lines beside it, or that lacks `key: `"},
      {"end of sequence flow not found", "no ']' that closes a '[', or no comma between two of its entries"},
      {"end of sequence not found", "a line that is indented unlike the items of the list beside it"},
      {"illegal map value",
       "a ':' where none can be: two keys in one line, or a text with ': ' that lacks quotes"},
      {"illegal flow end", "a '}' or ']' that nothing opens"},
      {"illegal EOF in scalar", "a quoted text without its closing quote"}};
  for (const auto& [theirs, plain] : kPlain)
    if (message == theirs) return plain;
  return message;
}

void refuse_xml(const std::string& text, const std::string& file_name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '<') return;
  throw ModelError(kDocument, "YAML", "XML (URDF and MJCF are read where a model is expected)", file_name, 1);
}

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

YamlEntry* YamlNode::find(std::string_view key) {
  for (YamlEntry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

YamlNode parse_yaml(const std::string& text, const std::string& file_name) {
  check_text(text, file_name);
  refuse_xml(text, file_name);
  TreeBuilder builder(std::make_shared<const std::string>(file_name));
  try {
    // yaml-cpp 0.7 takes a line break at the very end for the missing end of a quoted text.
    std::istringstream stream(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    // In brackets tabs are allowed: one far above is not what is wrong here.
    if (const int tab = line_indented_by_tab(text, error.mark.line + 1); tab > 0 && tab >= error.mark.line) {
      throw ModelError(kDocument, "YAML, which is indented by spaces", "a tab at the beginning of the line",
                       file_name, tab);
    }
    throw ModelError(builder.place(), "YAML", yaml_fault(error.msg), file_name, error.mark.line + 1);
  }
  if (!builder.root.file) builder.root.file = std::make_shared<const std::string>(file_name);
  if (builder.root.line == 0) builder.root.line = 1;
  return std::move(builder.root);
}

}  // namespace torsor
