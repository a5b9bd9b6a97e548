#include "torsor/format/gallery.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/beside_program.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSummary = 100;

bool holds_models(const fs::path& folder) {
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault)) {
    if (entry.path().extension() == ".yaml") return true;
  }
  return false;
}

fs::path gallery_folder() {
  if (const char* chosen = std::getenv("TORSOR_MODELS")) return chosen;
  return find_beside_program({"share/torsor/models", "models"}, holds_models);
}

/// The first sentence of the comment at the top, or the part of it that fits a line.
std::size_t find_outside_parentheses(const std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::count(text.begin(), end, '(') == std::count(text.begin(), end, ')')) return at;
  }
  return std::string::npos;
}

std::string first_comment(const fs::path& file) {
  std::ifstream stream(file);
  std::string comment;
  for (std::string line; std::getline(stream, line) && line.starts_with('#');) {
    const std::size_t start = line.find_first_not_of("# ");
    if (start != std::string::npos) comment.append(comment.empty() ? "" : " ").append(line, start);
  }
  comment = comment.substr(0, comment.find(". "));
  for (const char* stop : {"; ", ": ", ", "}) {
    if (comment.size() > kLongestSummary)
      comment = comment.substr(0, find_outside_parentheses(comment, stop));
  }
  return comment.ends_with('.') ? comment.substr(0, comment.size() - 1) : comment;
}

/// Model files in the folder that a path names, written as the path is.
void add_files_near(const fs::path& path, std::vector<std::string>& names) {
  constexpr std::size_t kMostFiles = 1000;
  const fs::path folder = path.parent_path();
  std::error_code fault;
  std::size_t seen = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, fault)) {
    if (++seen > kMostFiles) return;
    const fs::path ending = entry.path().extension();
    if (ending == ".yaml" || ending == ".yml" || ending == ".urdf" || ending == ".xml")
      names.push_back((folder / entry.path().filename()).string());
  }
}

}  // namespace

std::vector<GalleryEntry> gallery() {
  std::vector<GalleryEntry> entries;
  const fs::path folder = gallery_folder();
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault)) {
    if (entry.path().extension() != ".yaml") continue;
    entries.push_back({entry.path().stem().string(), entry.path().string(), first_comment(entry.path())});
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

std::string find_model(const std::string& path_or_name) {
  std::error_code fault;
  if (fs::exists(path_or_name, fault) && !fs::is_directory(path_or_name, fault)) return path_or_name;
  std::vector<std::string> names;
  add_files_near(path_or_name, names);
  std::sort(names.begin(), names.end());
  for (const GalleryEntry& entry : gallery()) {
    if (entry.name == path_or_name) return entry.file;
    names.push_back(entry.name);
  }
  constexpr const char* kExpected = "a file, or a name from `torsor list models`";
  if (fs::is_directory(path_or_name, fault))
    throw ModelError("MODEL", kExpected, "the folder " + in_quotes(path_or_name));
  throw ModelError("MODEL", kExpected, did_you_mean(path_or_name, names));
}

}  // namespace torsor
