#pragma once
// A YAML text as a plain tree that knows its lines. The parser underneath (yaml-cpp) is kept on a short lead:
// size, depth and number of nodes are limited, and what model files do not need is refused: anchors, aliases,
// tags, several documents, keys that are no plain text or stand twice.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace torsor {

inline constexpr std::size_t kLargestFile = std::size_t{16} << 20;  ///< bytes
inline constexpr int kDeepestNesting = 48;
inline constexpr int kMostNodes = 1'000'000;

/// Stands for a key path in messages about the document as a whole.
inline constexpr const char* kDocument = "(document)";

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };

  Kind kind = Kind::null;
  std::string text;                         ///< of a scalar
  std::vector<YamlNode> items;              ///< of a sequence
  std::vector<YamlEntry> entries;           ///< of a map, in file order
  int line = 0;                             ///< counted from 1; of a collection in a map the line of its key
  std::shared_ptr<const std::string> file;  ///< or `--set PATH` for what the command line put in

  const YamlEntry* find(std::string_view key) const;
  YamlEntry* find(std::string_view key);
};

struct YamlEntry {
  std::string key;
  int line = 0;  ///< of the key
  YamlNode value;
};

/// The one document in `text`. Throws ModelError with file and line on everything listed above.
YamlNode parse_yaml(const std::string& text, const std::string& file_name);

/// The bytes of a file; refuses folders, what cannot be read, and files beyond kLargestFile without reading
/// them. Messages say what kind of file was expected.
std::string read_text_file(const std::string& path, const std::string& kind = "a model file");

/// Replaces (or adds) the value at a path such as `bodies.link1.mass` or `gravity.1` by the YAML in `value`.
void apply_override(YamlNode& root, const std::string& path, const std::string& value);
/// Its two halves: the place, made where there is none, and what comes there. `origin` says in messages who asked.
YamlNode& override_place(YamlNode& root, const std::string& path, const std::string& origin);
YamlNode override_value(const std::string& value, const std::string& origin);

/// Whether a path leads to the place of another or to one that contains it: `gravity` holds `gravity.1`.
bool holds_place(const std::string& path, const std::string& other);

/// The node at the longest front part of the key path that exists: where a message about the path belongs.
const YamlNode& deepest_match(const YamlNode& root, const std::string& key_path);

}  // namespace torsor
