#include "torsor/page/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace torsor {
namespace {

constexpr double kPlotWidth = 640, kHeight = 300, kLeft = 78, kRight = 14, kTop = 12, kBottom = 44;

template <class... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

/// From values to the picture along one direction. What is not positive lies at the lower end of a
/// logarithmic axis.
struct Axis {
  bool log = false;
  double low = 0, high = 1;  ///< of the scaled values
  double from = 0, to = 1;   ///< in the picture

  double scaled(double x) const { return !log ? x : x > 0 ? std::log10(x) : low; }
  double at(double scaled_value) const { return from + (scaled_value - low) / (high - low) * (to - from); }
  double place(double x) const { return at(std::clamp(scaled(x), low, high)); }
};

bool can_show(const Curve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
}

/// Around all values, and wide enough to tell something: errors that are rounding, or nothing, too.
Axis axis_over(const std::vector<Curve>& curves, bool log, std::vector<double> Curve::*values) {
  Axis axis{log, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const double x = (curve.*values)[i];
      if (!can_show(curve, i) || (log && x <= 0)) continue;
      axis.low = std::min(axis.low, axis.scaled(x));
      axis.high = std::max(axis.high, axis.scaled(x));
    }
  }
  if (log && axis.low > axis.high) axis.low = axis.high = -16;
  const double least = log ? 2 : 1e-12 + 1e-6 * std::abs(axis.low);
  const double more = 0.5 * std::max(0.0, least - (axis.high - axis.low));
  axis.low -= more;
  axis.high += more;
  return axis;
}

void widen(Axis& axis, double share) {
  const double more = share * (axis.high - axis.low);
  axis.low -= more;
  axis.high += more;
}

/// Makes a unit of the one as long in the picture as a unit of the other.
void equalize(Axis& x, Axis& y) {
  const double across = (x.high - x.low) / std::abs(x.to - x.from);
  const double up = (y.high - y.low) / std::abs(y.to - y.from);
  if (across < up) {
    widen(x, 0.5 * (up / across - 1));
  } else {
    widen(y, 0.5 * (across / up - 1));
  }
}

struct Tick {
  double value;  ///< scaled
  std::string label;
};

std::vector<Tick> ticks_of(const Axis& axis) {
  std::vector<Tick> ticks;
  const double span = axis.high - axis.low;
  if (axis.log && span >= 1.5) {
    const int every = std::max(1, static_cast<int>(std::ceil(span / 7)));
    for (int e = static_cast<int>(std::ceil(axis.low)); e <= axis.high; ++e) {
      if (e % every == 0) ticks.push_back({static_cast<double>(e), fmt::format("1e{}", e)});
    }
    return ticks;
  }
  if (axis.log) {
    for (int e = static_cast<int>(std::floor(axis.low)); e <= axis.high; ++e) {
      for (const double digit : {1.0, 2.0, 5.0}) {
        const double value = std::log10(digit) + e;
        if (value >= axis.low && value <= axis.high) {
          ticks.push_back({value, fmt::format("{:g}", digit * std::pow(10.0, e))});
        }
      }
    }
    return ticks;
  }
  const double power = std::pow(10.0, std::floor(std::log10(span / 5)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (span / step > 6) step = factor * power;
  }
  for (double k = std::ceil(axis.low / step); k * step <= axis.high; ++k) {
    ticks.push_back({k * step, fmt::format("{:.6g}", k == 0 ? 0.0 : k * step)});
  }
  return ticks;
}

void add_axes(std::string& svg, const NamedPlot& plot, const Axis& x, const Axis& y) {
  for (const Tick& tick : ticks_of(x)) {
    const double at = x.at(tick.value);
    add(svg, "<path class=\"grid\" d=\"M{:.1f} {}V{}\"/>", at, kTop, kHeight - kBottom);
    add(svg, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", at, kHeight - kBottom + 16,
        tick.label);
  }
  for (const Tick& tick : ticks_of(y)) {
    const double at = y.at(tick.value);
    add(svg, "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", kLeft, at, kPlotWidth - kRight);
    add(svg, "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 6, at + 4, tick.label);
  }
  add(svg, "<path class=\"frame\" d=\"M{0} {1}V{2}H{3}\"/>", kLeft, kTop, kHeight - kBottom,
      kPlotWidth - kRight);
  add(svg, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", 0.5 * (x.from + x.to), kHeight - 8,
      escaped(plot.x_label));
  const double middle = 0.5 * (y.from + y.to);
  add(svg,
      "<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {0:.1f})\">{1}</text>",
      middle, escaped(plot.y_label));
}

/// Broken where a value cannot be shown. Few points get dots.
void add_curve(std::string& svg, const Curve& curve, int colour, const Axis& x, const Axis& y) {
  std::string path, dots;
  bool down = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!can_show(curve, i)) {
      down = false;
      continue;
    }
    const double px = x.place(curve.x[i]), py = y.place(curve.y[i]);
    add(path, "{}{:.1f} {:.1f}", down ? "L" : "M", px, py);
    down = true;
    if (curve.x.size() <= 25)
      add(dots, "<circle class=\"f{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>", colour, px, py);
  }
  add(svg, "<path class=\"curve c{}\" d=\"{}\"/>{}", colour, path, dots);
}

/// As far as it lies in the picture; its label stands at its lower end.
void add_guide(std::string& svg, const SlopeGuide& guide, const Axis& x, const Axis& y) {
  const double at_x = x.scaled(guide.x), at_y = y.scaled(guide.y);
  double low = x.low, high = x.high;
  if (guide.slope > 0) {
    low = std::max(low, at_x + (y.low - at_y) / guide.slope);
    high = std::min(high, at_x + (y.high - at_y) / guide.slope);
  }
  if (!(low < high)) return;
  const auto up = [&](double across) { return y.at(at_y + guide.slope * (across - at_x)); };
  add(svg, "<path class=\"guide\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x.at(low), up(low), x.at(high),
      up(high));
  const double label = low + 0.12 * (high - low);
  add(svg, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x.at(label) + 5, up(label) + 11,
      escaped(guide.label));
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string svg_plot(const NamedPlot& plot) {
  const auto has_points = [](const Curve& curve) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (can_show(curve, i)) return true;
    }
    return false;
  };
  if (std::none_of(plot.curves.begin(), plot.curves.end(), has_points)) return "";
  Axis x = axis_over(plot.curves, plot.log_x, &Curve::x);
  Axis y = axis_over(plot.curves, plot.log_y, &Curve::y);
  widen(y, 0.05);
  if (plot.log_x) widen(x, 0.03);
  x.from = kLeft;
  x.to = kPlotWidth - kRight;
  y.from = kHeight - kBottom;
  y.to = kTop;
  if (plot.equal_axes) equalize(x, y);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kPlotWidth,
                                kHeight, escaped(plot.title));
  add_axes(svg, plot, x, y);
  if (plot.log_x && plot.log_y) {
    for (const SlopeGuide& guide : plot.guides) add_guide(svg, guide, x, y);
  }
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    add_curve(svg, plot.curves[i], static_cast<int>(i) % kPlotColours, x, y);
  }
  return svg + "</svg>";
}

}  // namespace torsor
