#pragma once
// What a table of text looks like: one line a record, one column a number (`bodies.link1.com.x`).

#include <span>
#include <string>
#include <vector>

#include "torsor/simulation/channels.h"

namespace torsor {

/// The line of names; with `units` a second one, which begins with `#`, as readers know comments.
std::string csv_header(const std::vector<Channel>& channels, bool units);

/// Numbers as the shortest texts that read back exactly. `line` is scratch.
std::string_view csv_line(std::span<const double> row, std::vector<char>& line);

}  // namespace torsor
