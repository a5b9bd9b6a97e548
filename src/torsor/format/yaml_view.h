#pragma once
// A place in a YAML tree together with its key path: typed values are read from it, and every complaint about
// it names file, line, key path, what was expected and what was found.

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/format/units.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {

/// The way from the document to a place in it, put into words only where somebody asks: a sweep reads a place ten thousand times
/// and hardly ever complains about it. The keys must outlive it.
class YamlPath {
 public:
  YamlPath below(const std::string& key) const { return with(Step{&key, 0}); }
  YamlPath below(std::size_t index) const { return with(Step{nullptr, index}); }
  bool empty() const { return count_ == 0 && front_.empty(); }
  std::string text() const;  ///< `tendons.biceps.path[2]`

 private:
  struct Step {
    const std::string* key;  ///< null: an index
    std::size_t index;
  };
  YamlPath with(const Step& step) const;

  std::array<Step, 8> steps_{};
  std::size_t count_ = 0;
  std::string front_;  ///< of a way that is longer, its first steps
};

class YamlView {
 public:
  explicit YamlView(const YamlNode& document) : node_(&document) {}

  std::string path() const { return path_.text(); }
  const YamlNode& node() const { return *node_; }
  bool is_map() const { return node_->kind == YamlNode::Kind::map; }
  bool is_list() const { return node_->kind == YamlNode::Kind::sequence; }
  bool is_scalar() const { return node_->kind == YamlNode::Kind::scalar; }

  double number(const Quantity& quantity) const;
  long integer(long smallest, long largest) const;
  bool boolean() const;             ///< true or false, and no other word
  const std::string& text() const;  ///< not empty
  /// One of `choices`; returns its index.
  std::size_t choice(const std::vector<std::string>& choices) const;
  /// What stands for one of the names.
  template <class Meaning>
  Meaning choice(const std::vector<std::pair<std::string, Meaning>>& meanings) const {
    std::vector<std::string> names;
    for (const auto& [name, meaning] : meanings) names.push_back(name);
    return meanings[choice(names)].second;
  }

  std::vector<YamlView> list() const;
  std::vector<YamlView> list(std::size_t length, const std::string& what) const;
  /// A list of `length` numbers of one quantity.
  std::vector<double> numbers(std::size_t length, const Quantity& quantity) const;

  /// The children of a mapping whose keys are free names, in file order. Names must suit key paths and
  /// columns.
  std::vector<std::pair<std::string, YamlView>> named() const;
  /// The same of a mapping whose keys are key paths.
  std::vector<std::pair<std::string, YamlView>> keyed() const;
  /// Throws on a key that is none of these.
  void allow_keys(const std::vector<std::string>& keys) const;
  void allow_keys(std::initializer_list<std::string_view> keys) const;
  bool has(std::string_view key) const { return node_->find(key) != nullptr; }
  std::optional<YamlView> find(std::string_view key) const;
  /// The child, which must be there; `what` it is, for the message.
  YamlView at(std::string_view key, std::string_view what) const;

  /// Throws ModelError for this place; without `found` it describes the node itself.
  [[noreturn]] void fail(const std::string& expected) const;
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

 private:
  void expect_map() const;
  YamlView child(const YamlEntry& entry) const;
  [[noreturn]] void refuse_key(const YamlEntry& entry, const std::vector<std::string>& keys) const;
  std::string description() const;

  YamlView(const YamlNode& node, const YamlPath& path) : node_(&node), path_(path) {}

  const YamlNode* node_;
  YamlPath path_;
};

}  // namespace torsor
