#pragma once
// Tables of text for people.

#include <string>
#include <vector>

namespace torsor {

/// A line for each row, its columns as wide as their widest entry, two spaces apart; the last as it is.
std::vector<std::string> aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace torsor
