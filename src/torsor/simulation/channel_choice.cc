#include <fmt/format.h>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/simulation/channels.h"

namespace torsor {
namespace {

/// `*` goes over dots, too: names may have some.
bool fits(const char* pattern, const char* text) {
  for (; *pattern; ++pattern, ++text) {
    if (*pattern == '*') {
      do {
        if (fits(pattern + 1, text)) return true;
      } while (*text++);
      return false;
    }
    if (*text == '\0' || (*pattern != '?' && *pattern != *text)) return false;
  }
  return *text == '\0';
}

std::string joined_path(const std::vector<std::string>& path, const char* separator, std::size_t parts) {
  return fmt::format("{}",
                     fmt::join(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(parts), separator));
}

/// Whole paths and their beginnings.
std::vector<std::string> known_names(const std::vector<std::vector<std::string>>& paths, std::size_t parts) {
  std::vector<std::string> names;
  for (const std::vector<std::string>& path : paths) {
    for (std::size_t count = 1; count <= std::min(parts, path.size()); ++count) {
      std::string name = joined_path(path, ".", count);
      if (names.empty() || std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

}  // namespace

bool matches(const std::string& pattern, const std::vector<std::string>& path) {
  for (const char* separator : {".", "/"}) {
    for (std::size_t parts = 1; parts <= path.size(); ++parts) {
      if (fits(pattern.c_str(), joined_path(path, separator, parts).c_str())) return true;
    }
  }
  return false;
}

std::vector<bool> chosen_channels(const std::vector<std::vector<std::string>>& paths,
                                  const std::vector<std::string>& patterns, const std::string& key) {
  std::vector<bool> chosen(paths.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (!matches(pattern, paths[i])) continue;
      chosen[i] = found = true;
    }
    if (found) continue;
    std::string dotted = pattern;
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    throw ModelError(key, fmt::format("channels of the result file, in {}", listed(known_names(paths, 1))),
                     did_you_mean(dotted, known_names(paths, 3)));
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i] == std::vector<std::string>{"time"}) chosen[i] = true;
  }
  return chosen;
}

std::vector<bool> chosen_channels(const std::vector<Channel>& channels,
                                  const std::vector<std::string>& patterns, const std::string& key) {
  std::vector<std::vector<std::string>> paths;
  for (const Channel& channel : channels) paths.push_back(channel.path);
  return chosen_channels(paths, patterns, key);
}

RecordRow::RecordRow(const Manifest& manifest, const std::vector<std::string>& patterns,
                     const std::string& key) {
  const std::vector<bool> chosen = chosen_channels(manifest.channels, patterns, key);
  int place = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Channel& channel = manifest.channels[i];
    if (chosen[i]) {
      channels_.push_back(channel);
      for (int k = 0; k < channel.width(); ++k) places_.push_back(place + k);
    }
    place += channel.width();
  }
  row_.resize(places_.size());
  whole_.resize(place);
}

std::span<const double> RecordRow::fill(const Observation& observation, double energy_residual,
                                        const Manifest& manifest) {
  fill_row(observation, energy_residual, manifest, whole_);
  for (std::size_t i = 0; i < places_.size(); ++i) row_[i] = whole_[places_[i]];
  return row_;
}

}  // namespace torsor
