#pragma once
// What a plot shows, apart from how it is drawn.

#include <string>
#include <vector>

namespace torsor {

struct Curve {
  std::string label;
  std::vector<double> x, y;
};

/// A dashed line of a slope on logarithmic axes, through a point.
struct SlopeGuide {
  double slope = 1, x = 1, y = 1;
  std::string label;
};

struct NamedPlot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Curve> curves;
  bool equal_axes = false;  ///< a metre is as long across as up
  std::vector<SlopeGuide> guides = {};
};

}  // namespace torsor
