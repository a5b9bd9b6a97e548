#pragma once
// What is checked of a text before any parser sees it.

#include <string>

namespace torsor {

/// Throws ModelError unless the text is UTF-8 without control characters, and within kLargestFile.
void check_text(const std::string& text, const std::string& file_name);

}  // namespace torsor
