#pragma once
// Files read whole, and what is checked of a text before any parser sees it.

#include <cstdint>
#include <optional>
#include <string>

namespace torsor {

bool is_folder_or_device(const std::string& path);  ///< cannot be read as text: a device has no end

/// The bytes of a file or a pipe, cut after one more than `most`; nothing where it cannot be read.
std::optional<std::string> read_file(const std::string& path, std::size_t most = SIZE_MAX - 1);

/// Throws ModelError unless the text is UTF-8 without control characters, and of at most `most` bytes (kLargestFile).
void check_text(const std::string& text, const std::string& file_name,
                std::size_t most = std::size_t{16} << 20);

}  // namespace torsor
