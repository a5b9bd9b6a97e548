#include "torsor/result/csv_text.h"

#include <fmt/format.h>

#include <charconv>

namespace torsor {
namespace {

constexpr std::size_t kLongestNumber = 32;  ///< the shortest text that reads back exactly takes at most 24

/// RFC 4180: a field with a comma, quote or line break stands in quotes, quotes doubled.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string doubled;
  for (char c : text) doubled.append(c == '"' ? 2 : 1, c);
  return fmt::format("\"{}\"", doubled);
}

}  // namespace

std::string csv_header(const std::vector<Channel>& channels, bool units) {
  std::string names, of_units = "\n# ";
  for (const Channel& channel : channels) {
    for (int i = 0; i < channel.width(); ++i) {
      const char* comma = names.empty() ? "" : ",";
      names.append(comma).append(field(column_name(channel, i)));
      of_units.append(comma).append(field(column_unit(channel, i)));
    }
  }
  return names + (units ? of_units : "") + "\n";
}

std::string_view csv_line(std::span<const double> row, std::vector<char>& line) {
  line.resize(row.size() * kLongestNumber + 1);
  char* end = line.data();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) *end++ = ',';
    end = std::to_chars(end, line.data() + line.size(), row[i]).ptr;
  }
  *end++ = '\n';
  return {line.data(), static_cast<std::size_t>(end - line.data())};
}

}  // namespace torsor
