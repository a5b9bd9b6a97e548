#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/simulation/channels.h"

namespace torsor {
namespace {

/// `*` goes over dots, too: names may have some. Only the last `*` is tried again, one character further: what an earlier one
/// could take besides, the last one can.
bool fits(std::string_view pattern, std::string_view text) {
  std::optional<std::string_view> after_star;
  std::string_view taken;  // what the star has left of the text
  while (!text.empty()) {
    if (!pattern.empty() && pattern.front() == '*') {
      pattern.remove_prefix(1);
      after_star = pattern;
      taken = text;
    } else if (!pattern.empty() && (pattern.front() == '?' || pattern.front() == text.front())) {
      pattern.remove_prefix(1);
      text.remove_prefix(1);
    } else if (after_star) {
      taken.remove_prefix(1);
      pattern = *after_star;
      text = taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*') == std::string_view::npos;
}

/// A pattern, and what stands before its first star: found once for all paths, since every run of a sweep asks.
struct Pattern {
  std::string_view whole, literal;

  explicit Pattern(std::string_view text) : whole(text), literal(text.substr(0, text.find_first_of("*?"))) {}
};

/// Whether a path begins as the pattern does before its first star; where not, no beginning of it fits.
bool begins_alike(std::string_view left, const std::vector<std::string>& path, char separator) {
  if (!left.empty() && !path.empty() && !path[0].starts_with(left.front())) return false;
  const auto take = [&](std::string_view part) {
    const bool alike = left.substr(0, part.size()) == part.substr(0, left.size());
    left.remove_prefix(std::min(left.size(), part.size()));
    return alike;
  };
  for (std::size_t i = 0; i < path.size() && !left.empty(); ++i) {
    if (i > 0 && !take({&separator, 1})) return false;
    if (!take(path[i])) return false;
  }
  return true;
}

/// Whether the pattern fits a path or a beginning of it; `name` is room that is used again.
bool fits_path(const Pattern& pattern, const std::vector<std::string>& path, char separator,
               std::string& name) {
  if (!begins_alike(pattern.literal, path, separator)) return false;
  name.clear();
  for (const std::string& part : path) {
    if (!name.empty()) name.push_back(separator);
    name += part;
    if (fits(pattern.whole, name)) return true;
  }
  return false;
}

const std::vector<std::string>& path_of(const std::vector<std::string>& path) { return path; }
const std::vector<std::string>& path_of(const Channel& channel) { return channel.path; }

/// Whole paths and their beginnings.
template <class Named>
std::vector<std::string> known_names(const std::vector<Named>& all, std::size_t parts) {
  std::vector<std::string> names;
  for (const Named& one : all) {
    const std::vector<std::string>& path = path_of(one);
    for (std::size_t count = 1; count <= std::min(parts, path.size()); ++count) {
      std::string name =
          fmt::format("{}", fmt::join(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count), "."));
      if (names.empty() || std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

template <class Named>
std::vector<bool> chosen(const std::vector<Named>& all, const std::vector<std::string>& patterns,
                         const std::string& key) {
  std::vector<bool> chosen(all.size(), patterns.empty());
  std::string name;
  for (const std::string& pattern : patterns) {
    const bool slashes = pattern.find_first_of("/*?") != std::string::npos;
    const Pattern asked(pattern);
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::vector<std::string>& path = path_of(all[i]);
      if (!fits_path(asked, path, '.', name) && !(slashes && fits_path(asked, path, '/', name))) continue;
      chosen[i] = found = true;
    }
    if (found) continue;
    std::string dotted = pattern;
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    throw ModelError(key, fmt::format("channels of the result file, in {}", listed(known_names(all, 1))),
                     did_you_mean(dotted, known_names(all, 3)));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<std::string>& path = path_of(all[i]);
    if (path.size() == 1 && path[0] == "time") chosen[i] = true;
  }
  return chosen;
}

}  // namespace

bool matches(const std::string& pattern, const std::vector<std::string>& path) {
  std::string name;
  const Pattern asked(pattern);
  return fits_path(asked, path, '.', name) || fits_path(asked, path, '/', name);
}

std::vector<bool> chosen_channels(const std::vector<std::vector<std::string>>& paths,
                                  const std::vector<std::string>& patterns, const std::string& key) {
  return chosen(paths, patterns, key);
}

std::vector<bool> chosen_channels(const std::vector<Channel>& channels,
                                  const std::vector<std::string>& patterns, const std::string& key) {
  return chosen(channels, patterns, key);
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
