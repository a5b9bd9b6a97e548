#pragma once
// What the program says: results to standard output, messages to standard error.

#include <fmt/format.h>

#include <sstream>
#include <string_view>

namespace torsor {

/// Whoever started the program may have closed them: then the next file that is opened would take their place.
void guard_standard_streams();

/// Nothing in the text commands the terminal (base/printable.h). Throws OutputFailure where it cannot be written.
void put_out(std::string_view text);
/// Likewise, but nobody could be told that it failed.
void put_err(std::string_view text);
void put_err_raw(std::string_view text);  ///< with sequences of our own: a progress line

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_out(fmt::format(format, std::forward<Arguments>(arguments)...));
}
/// What knows how to show itself to a stream.
template <class Shown>
void print_shown(const Shown& shown) {
  std::ostringstream text;
  text << shown;
  put_out(text.str());
}
template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_err(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Throws OutputFailure unless all of standard output has been taken.
void finish_output();

}  // namespace torsor
