#pragma once
// Texts of files on a terminal: nothing in them commands it, or turns the order of what stands beside them.

#include <string>
#include <string_view>

namespace torsor {

/// With control characters but line ends and tabs, escape sequences, the separators U+2028 and U+2029, marks of direction
/// (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069) and bytes that are no UTF-8 shown as `\x1b`, `\u202e`. Everything else stays.
std::string printable(std::string_view text);

/// The same within a JSON text, where such characters can only stand in strings: as `\u001b`, which readers take for what it was.
std::string printable_json(std::string text);

}  // namespace torsor
