#pragma once
// Curves over axes as SVG, to stand inside a page: colours come from the page's classes c0, c1, ..

#include <string>

#include "torsor/page/plot.h"

namespace torsor {

/// `<`, `>`, `&` and quotes as HTML writes them.
std::string escaped(const std::string& text);

/// An `<svg>` element; empty if no curve has a point that can be drawn. On a logarithmic axis what is not
/// positive lies at the lower end.
std::string svg_plot(const NamedPlot& plot);

inline constexpr int kPlotColours = 6;  ///< after which they repeat

}  // namespace torsor
