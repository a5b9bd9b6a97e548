#include "torsor/base/text_table.h"

#include <algorithm>

#include "torsor/base/nearest.h"

namespace torsor {
namespace {

std::size_t width_of(const std::string& text) {
  return text.size() - std::count_if(text.begin(), text.end(), continues_character);
}

}  // namespace

std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
  }
  return lines;
}

}  // namespace torsor
