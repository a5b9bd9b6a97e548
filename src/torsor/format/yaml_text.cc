#include "torsor/format/yaml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

/// Length of the UTF-8 sequence at `at`, 0 if there is none: overlong forms, surrogates and what lies beyond
/// U+10FFFF are none (Unicode 15, table 3-7).
std::size_t utf8_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const bool overlong = lead == 0xE0 && second < 0xA0, surrogate = lead == 0xED && second > 0x9F;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool overlong = lead == 0xF0 && second < 0x90, beyond = lead == 0xF4 && second > 0x8F;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

int line_at(const std::string& text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

[[noreturn]] void refuse_size(const std::string& kind, std::size_t most, const std::string& found,
                              const std::string& file_name) {
  throw ModelError(kDocument, fmt::format("{} of at most {} MiB", kind, most >> 20), found, file_name, 1);
}

}  // namespace

void check_text(const std::string& text, const std::string& file_name, std::size_t most) {
  static_assert(kLargestFile == std::size_t{16} << 20);
  if (text.size() > most) {
    refuse_size("a model file", most, fmt::format("{} bytes", text.size()), file_name);
  }
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F)
      throw ModelError(kDocument, "text", fmt::format("the control character 0x{:02x}", byte), file_name,
                       line_at(text, at));
    const std::size_t length = utf8_length(text, at);
    if (length == 0)
      throw ModelError(kDocument, "text in UTF-8", fmt::format("the byte 0x{:02x}", byte), file_name,
                       line_at(text, at));
    at += length;
  }
}

bool is_folder_or_device(const std::string& path) {
  std::error_code fault;
  const std::filesystem::file_status status = std::filesystem::status(path, fault);
  return std::filesystem::is_directory(status) || std::filesystem::is_character_file(status) ||
         std::filesystem::is_block_file(status);
}

std::optional<std::string> read_file(const std::string& path, std::size_t most) {
  if (is_folder_or_device(path)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text, block(std::size_t{1} << 16, '\0');  // a pipe has no size to ask for
  while (stream && text.size() <= most) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) return std::nullopt;
  if (text.size() > most) text.resize(most + 1);
  return text;
}

std::string read_text_file(const std::string& path, const std::string& kind) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw ModelError(kDocument, kind, "no such file", path, 1);
  if (std::filesystem::is_directory(status)) throw ModelError(kDocument, kind, "a folder", path, 1);
  if (is_folder_or_device(path)) throw ModelError(kDocument, kind, "a device", path, 1);
  const std::optional<std::string> text = read_file(path, kLargestFile);
  if (!text) throw ModelError(kDocument, "a readable file", "no permission to read it", path, 1);
  if (text->size() > kLargestFile) refuse_size(kind, kLargestFile, "more", path);
  return *text;
}

}  // namespace torsor
