#include "io/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace torsor {
namespace {

constexpr double kWidth = 640, kHeight = 300, kLeft = 78, kRight = 14, kTop = 12, kBottom = 44;

template <class... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

/// From values to the picture along one direction.
struct Axis {
  bool log = false;
  double low = 0, high = 1;  ///< of the scaled values
  double from = 0, to = 1;   ///< in the picture

  bool can_show(double x) const { return std::isfinite(x) && (!log || x > 0); }
  double scaled(double x) const { return log ? std::log10(x) : x; }
  double place(double x) const { return from + (scaled(x) - low) / (high - low) * (to - from); }
};

Axis axis_over(const std::vector<Curve>& curves, bool log, std::vector<double> Curve::*values,
               std::vector<double> Curve::*others, bool other_log) {
  Axis axis{log, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const Axis other{other_log};
  for (const Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const double x = (curve.*values)[i];
      if (!axis.can_show(x) || !other.can_show((curve.*others)[i])) continue;
      axis.low = std::min(axis.low, axis.scaled(x));
      axis.high = std::max(axis.high, axis.scaled(x));
    }
  }
  if (!(axis.low <= axis.high)) return axis;
  const double least = log ? 1 : 1e-12 + 1e-6 * std::abs(axis.low);
  if (axis.high - axis.low < least) {
    const double middle = 0.5 * (axis.low + axis.high);
    axis.low = middle - 0.5 * least;
    axis.high = middle + 0.5 * least;
  }
  return axis;
}

void widen(Axis& axis, double share) {
  const double more = share * (axis.high - axis.low);
  axis.low -= more;
  axis.high += more;
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
    const double at = x.from + (tick.value - x.low) / (x.high - x.low) * (x.to - x.from);
    add(svg, "<path class=\"grid\" d=\"M{:.1f} {}V{}\"/>", at, kTop, kHeight - kBottom);
    add(svg, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", at, kHeight - kBottom + 16,
        tick.label);
  }
  for (const Tick& tick : ticks_of(y)) {
    const double at = y.from + (tick.value - y.low) / (y.high - y.low) * (y.to - y.from);
    add(svg, "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", kLeft, at, kWidth - kRight);
    add(svg, "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft - 6, at + 4, tick.label);
  }
  add(svg, "<path class=\"frame\" d=\"M{0} {1}V{2}H{3}\"/>", kLeft, kTop, kHeight - kBottom, kWidth - kRight);
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
    if (!x.can_show(curve.x[i]) || !y.can_show(curve.y[i])) {
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
  Axis x = axis_over(plot.curves, plot.log_x, &Curve::x, &Curve::y, plot.log_y);
  Axis y = axis_over(plot.curves, plot.log_y, &Curve::y, &Curve::x, plot.log_x);
  if (!(x.low <= x.high && y.low <= y.high)) return "";
  widen(y, 0.05);
  if (plot.log_x) widen(x, 0.03);
  x.from = kLeft;
  x.to = kWidth - kRight;
  y.from = kHeight - kBottom;
  y.to = kTop;
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">", kWidth, kHeight,
                                escaped(plot.title));
  add_axes(svg, plot, x, y);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    add_curve(svg, plot.curves[i], static_cast<int>(i) % kPlotColours, x, y);
  }
  return svg + "</svg>";
}

}  // namespace torsor
