#include "torsor/base/printable.h"

#include <array>
#include <cstdio>

namespace torsor {
namespace {

struct Character {
  unsigned code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 && lead <= 0xF4  ? 4
                            : lead >= 0xE0 && lead < 0xF0 ? 3
                            : lead >= 0xC2 && lead < 0xE0 ? 2
                                                          : 0;
  unsigned code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {lead, 0};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::array<unsigned, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool shortest =
      bytes > 0 && code >= kLeast[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return {shortest ? code : lead, shortest ? bytes : 0};
}

bool commands(unsigned code) {
  if (code < 0x20) return code != '\n' && code != '\t';
  return (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void append_code(std::string& text, const char* format, unsigned code) {
  std::array<char, 12> shown{};
  std::snprintf(shown.data(), shown.size(), format, code);
  text += shown.data();
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character one = character_at(text, at);
    if (one.bytes == 0 || (one.bytes == 1 && commands(one.code))) {
      append_code(safe, "\\x%02x", one.code);
    } else if (commands(one.code)) {
      append_code(safe, "\\u%04x", one.code);
    } else {
      safe.append(text.substr(at, one.bytes));
    }
    at += one.bytes == 0 ? 1 : one.bytes;
  }
  return safe;
}

std::string printable_json(std::string text) {
  std::string safe;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    // Only these begin a character that commands; what is below 0x20 the writer of JSON has escaped.
    if (byte != 0x7F && byte != 0xC2 && byte != 0xD8 && byte != 0xE2) {
      ++at;
      continue;
    }
    const Character one = character_at(text, at);
    const std::size_t next = at + (one.bytes == 0 ? 1 : one.bytes);
    if (one.bytes > 0 && commands(one.code)) {
      safe.append(text, copied, at - copied);
      append_code(safe, "\\u%04x", one.code);
      copied = next;
    }
    at = next;
  }
  if (copied == 0) return text;
  return safe.append(text, copied);
}

}  // namespace torsor
