#pragma once
// The name a person probably meant: for messages about unknown keys, joints, options.

#include <string>
#include <vector>

namespace torsor {

/// The candidate at the smallest Damerau-Levenshtein distance (insert, delete, replace, swap neighbours; case
/// does not count); the first of equals; empty if none is within a third of the length.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// Whether c is a later byte of a UTF-8 character.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The first `bytes` of a text, or less, so that no character is cut in two.
std::string cut_at(const std::string& text, std::size_t bytes);

/// The name as it may stand in a message: in quotes, cut when long, control characters as `?`.
std::string in_quotes(const std::string& name);

/// `'shoudler' (did you mean 'shoulder'?)`, or only the quoted name where nothing is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

/// `a, b, c`; cut after a dozen names with the count of the rest.
std::string listed(const std::vector<std::string>& names);

}  // namespace torsor
