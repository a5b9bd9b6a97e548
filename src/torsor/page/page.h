#pragma once
// What pages that the program writes by itself have in common: one file without scripts, its style, figures.

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "torsor/page/svg_plot.h"

namespace torsor {

/// Appends formatted text.
template <class... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

/// Throws ModelError at `key` where no page can be written: it must not take the place of a model or a result
/// that was named by mistake.
void require_page_place(const std::string& path, const std::string& key);

/// Up to and with `<body>`.
std::string page_start(const std::string& title);
inline constexpr const char* kPageEnd = "</body></html>\n";

/// In a script element a text must not hold `</script` or `<!--`; in JSON `<` may be written as its code.
std::string without_tags(const std::string& json);

/// Nothing if there is nothing to draw.
void add_figure(std::string& page, const NamedPlot& plot);

}  // namespace torsor
