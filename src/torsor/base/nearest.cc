#include "torsor/base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace torsor {
namespace {

constexpr std::size_t kLongestName = 64;  ///< longer names are junk, not slips of a finger
constexpr std::size_t kMostListed = 12;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment: three rolling rows of the Wagner-Fischer table, plus the swap of neighbours.
int distance(const std::string& a, const std::string& b) {
  std::array<std::array<int, kLongestName + 1>, 3> row{};
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  for (int j = 0; j <= m; ++j) row[0][j] = j;
  for (int i = 1; i <= n; ++i) {
    auto& now = row[i % 3];
    const auto& before = row[(i + 2) % 3];
    const auto& before_that = row[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= m; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) now[j] = std::min(now[j], before_that[j - 2] + 1);
    }
  }
  return row[n % 3][m];
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > kLongestName) return "";
  std::string best;
  int best_distance = std::max(1, static_cast<int>(name.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    // One slip may not replace the whole name: x is not near y.
    const int d = distance(name, candidate);
    if (d < best_distance && d < static_cast<int>(std::max(name.size(), candidate.size()))) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string cut_at(const std::string& text, std::size_t bytes) {
  if (bytes >= text.size()) return text;
  while (bytes > 0 && continues_character(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string in_quotes(const std::string& name) {
  std::string shown = cut_at(name, kLongestName);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return "'" + shown + (shown.size() < name.size() ? "...'" : "'");
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? in_quotes(name)
                         : fmt::format("{} (did you mean {}?)", in_quotes(name), in_quotes(nearest));
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kMostListed) text += fmt::format(" and {} more", names.size() - kMostListed);
  return text;
}

}  // namespace torsor
