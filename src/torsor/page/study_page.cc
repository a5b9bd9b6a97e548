#include "torsor/page/study_page.h"

#include <algorithm>
#include <cmath>

#include "torsor/page/page.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.2e}", *value) : std::string("-");
}

std::string order_text(const OrderFit& fit) {
  if (fit.order) return fmt::format("{:.2f}", *fit.order);
  return fit.at_floor ? "round-off" : "-";
}

struct Quantity {
  StudyQuantity which;
  const char *title, *unit;
};
constexpr Quantity kQuantities[] = {
    {StudyQuantity::state, "Positions and directions", "error [m, rad]"},
    {StudyQuantity::velocity, "Velocities", "error [m/s, rad/s]"},
    {StudyQuantity::energy, "Energy balance, largest residual", "[J]"},
    {StudyQuantity::energy_mean, "Energy error, mean", "[J]"},
    {StudyQuantity::position, "Constraints", "[m]"},
    {StudyQuantity::rate, "Rates of constraints, as the method leaves them", "[m/s]"},
    {StudyQuantity::momentum, "Conserved momenta", "[kg m/s, kg m^2/s]"},
};

/// One for each whole order that is seen, below the first of the curves that have it.
void add_guides(const ConvergenceStudy& study, std::size_t quantity, NamedPlot& plot) {
  for (const ConvergenceCurve& curve : study.curves) {
    if (quantity >= curve.orders.size() || !curve.orders[quantity].order) continue;
    const OrderFit& fit = curve.orders[quantity];
    const double whole = std::round(*fit.order);
    if (whole < 1 || std::abs(*fit.order - whole) > 0.25) continue;
    const std::string label = fmt::format("order {:g}", whole);
    const bool known = std::any_of(plot.guides.begin(), plot.guides.end(),
                                   [&](const SlopeGuide& guide) { return guide.label == label; });
    const auto drawn = std::find_if(plot.curves.begin(), plot.curves.end(),
                                    [&](const Curve& line) { return line.label == curve.label; });
    if (known || drawn == plot.curves.end()) continue;
    constexpr double kBelow = 0.4;  // of the curve
    plot.guides.push_back({whole, drawn->x.front(), kBelow * fit.error_at(drawn->x.front()), label});
  }
}

void add_quantity(std::string& page, const ConvergenceStudy& study, const Quantity& quantity) {
  const std::size_t q = static_cast<std::size_t>(quantity.which);
  NamedPlot plot{quantity.title, "step [s]", quantity.unit, true, true, {}, false};
  std::string rows;
  for (const ConvergenceCurve& curve : study.curves) {
    Curve line{curve.label, {}, {}};
    for (const ConvergencePoint& point : curve.points) {
      const std::optional<double>& error = point.errors[q];
      if (!error || !(*error > 0)) continue;
      line.x.push_back(point.step);
      line.y.push_back(*error);
    }
    if (line.x.empty()) continue;
    add(rows, "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", escaped(curve.label),
        number(line.y.front()), number(line.y.back()), order_text(curve.orders[q]));
    plot.curves.push_back(std::move(line));
  }
  if (plot.curves.empty()) return;
  add_guides(study, q, plot);
  page += "<article>";
  add_figure(page, plot);
  add(page, "<table><tr><th>method</th><th>first step</th><th>last step</th><th>order</th></tr>\n{}</table>",
      rows);
  page += "</article>\n";
}

/// No figure for the reference itself; an error below what it is trusted to is no larger than that.
std::string state_text(const ComparisonRow& row, double trusted_to) {
  if (row.is_reference) return "the reference";
  return row.state && *row.state < trusted_to ? fmt::format("&lt; {:.1e}", trusted_to) : number(row.state);
}

/// What could not run, and why.
void add_refusal(std::string& page, const std::string& label, const std::string& why) {
  if (!why.empty()) add(page, "<p class=\"soft\">{}: {}</p>\n", escaped(label), escaped(why));
}

std::string start(const std::string& what, const std::string& model) {
  std::string page = page_start(what + ": " + model);
  add(page, "<h1>{}: {}</h1>\n", escaped(what), escaped(model));
  return page;
}

void add_reference(std::string& page, const std::string& reference, const StateError& trusted_to) {
  add(page, "<p class=\"soft\">torsor {}. Reference: {}. ", kVersion, escaped(reference));
  if (trusted_to.position > 0) {
    add(page,
        "Its own error, from what it differs by from a coarser run of it: {:.1e} in positions [m, rad], "
        "{:.1e} in "
        "velocities. Errors below that are not those of the methods.</p>\n",
        trusted_to.position, trusted_to.velocity);
  } else {
    page += "How good it is was not measured.</p>\n";
  }
}

}  // namespace

std::string study_page(const ConvergenceStudy& study) {
  std::string page = start("Convergence", study.model);
  add(page, "<p>Errors up to t = {:g} s over the step, and the orders of the straight parts.</p>\n",
      study.grid.duration);
  add_reference(page, study.reference, study.trusted_to);
  for (const Quantity& quantity : kQuantities) add_quantity(page, study, quantity);
  for (const ConvergenceCurve& curve : study.curves) {
    add_refusal(page, curve.label, curve.refusal);
    for (const ConvergencePoint& point : curve.points) {
      if (point.failure.empty()) continue;
      add_refusal(page, fmt::format("{}, step {:g} s", curve.label, point.step), point.failure);
    }
  }
  return page + kPageEnd;
}

std::string study_page(const Comparison& comparison) {
  std::string page = start("Methods side by side", comparison.model);
  add(page, "<p>{:g} s in steps of {:g} s; states compared up to t = {:g} s.</p>\n",
      comparison.settings.duration, comparison.settings.step, comparison.horizon);
  add_reference(page, comparison.reference, comparison.trusted_to);
  for (const Recommendation& advice : comparison.recommendations) {
    add(page, "<article><h3>For {}: {}</h3><p>{}</p></article>\n", escaped(advice.purpose),
        escaped(comparison.rows[advice.row].label), escaped(advice.why));
  }
  for (const std::string& remark : comparison.remarks) add(page, "<p>{}</p>\n", escaped(remark));
  page +=
      "<table><tr><th>method</th><th>state [m, rad]</th><th>order</th><th>energy balance [J]</th><th></th>"
      "<th>constraints [m]</th><th>us a step</th></tr>\n";
  for (const ComparisonRow& row : comparison.rows) {
    if (!row.ran()) continue;
    add(page,
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.2e}</td><td>{}</td><td>{}</td><td>{:.3g}</td></tr>\n",
        escaped(row.label), state_text(row, comparison.trusted_to.position), order_text(row.order),
        row.ledger.energy_max_residual, name_of(row.energy), number(row.ledger.position_max),
        1e6 * row.seconds_per_step);
  }
  page += "</table>\n";
  for (const ComparisonRow& row : comparison.rows) add_refusal(page, row.label, row.failure);
  for (const auto& [methods, reason] : refusals_of(comparison)) add_refusal(page, methods, reason);
  return page + kPageEnd;
}

}  // namespace torsor
