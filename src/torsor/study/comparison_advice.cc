#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "torsor/integrator/catalogue.h"
#include "torsor/study/comparison.h"

namespace torsor {
namespace {

/// A run so long that what a method keeps matters more than how near it stays.
constexpr double kLongRun = 2000;  ///< steps

bool is_explicit(const ComparisonRow& row) {
  return row.choice.integrator.starts_with("rkmk") || row.choice.integrator == "dopri5";
}

bool costs_less(const ComparisonRow& a, const ComparisonRow& b) { return *a.cost < *b.cost; }

/// Cheapest for the wanted accuracy; among those within a factor of two, which timing does not tell apart,
/// the one that keeps energy better.
std::optional<std::size_t> best_to_follow(const std::vector<ComparisonRow>& rows) {
  std::optional<std::size_t> least, best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].ran() && rows[i].cost && (!least || costs_less(rows[i], rows[*least]))) least = i;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].ran() || !rows[i].cost || *rows[i].cost > 2 * *rows[*least].cost) continue;
    const bool better = !best || rows[i].energy < rows[*best].energy ||
                        (rows[i].energy == rows[*best].energy && costs_less(rows[i], rows[*best]));
    if (better) best = i;
  }
  return best;
}

/// Of those that keep the energy best, the one with the cheapest steps.
std::optional<std::size_t> best_to_keep(const std::vector<ComparisonRow>& rows) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].ran()) continue;
    const bool better =
        !best || rows[i].energy < rows[*best].energy ||
        (rows[i].energy == rows[*best].energy && rows[i].seconds_per_step < rows[*best].seconds_per_step);
    if (better) best = i;
  }
  return best;
}

std::string milliseconds(double seconds) { return fmt::format("{:.2g} ms", 1e3 * seconds); }

void remark_on_model(const Model& model, Comparison& comparison) {
  std::vector<std::string>& remarks = comparison.remarks;
  const std::size_t loops = model.topology().loop_joints.size();
  if (loops > 0) {
    remarks.push_back(
        fmt::format("The model has {} closed loop{}: its joint coordinates are not independent, so only "
                    "formulations with "
                    "constraints apply.",
                    loops, loops == 1 ? "" : "s"));
  }
  if (!model.servos().empty()) {
    remarks.push_back("The model has servos, whose efforts are unknowns of a constrained step.");
  }
  bool implicit_holds = false;
  for (const ComparisonRow& row : comparison.rows) {
    if (!row.refusal.empty() || is_explicit(row)) continue;
    implicit_holds = implicit_holds || row.ledger.energy_max_residual < 0.1 * row.ledger.energy_scale;
  }
  for (const ComparisonRow& row : comparison.rows) {
    if (!row.refusal.empty() || row.choice.integrator != "rkmk4") continue;
    const bool lost = !row.failure.empty() || !(row.ledger.energy_max_residual <= row.ledger.energy_scale);
    if (lost && implicit_holds) {
      remarks.push_back(fmt::format(
          "The model is stiff for steps of {:g} s: the explicit rkmk4 blows up where implicit methods hold.",
          comparison.settings.step));
    }
  }
  for (const ComparisonRow& row : comparison.rows) {
    if (row.ledger.slack_tendons.empty()) continue;
    const SlackTendon& tendon = row.ledger.slack_tendons.front();
    remarks.push_back(fmt::format("Tendon {} gets shorter than its rest length, {}.", tendon.name,
                                  tendon.pushes ? "and pushes there as a spring does"
                                                : "where its force has a kink: no method keeps its order"));
    break;
  }
  if (!(comparison.trusted_to.position <= 0.1 * comparison.settings.accuracy)) {
    remarks.push_back(
        fmt::format("The reference is trusted to {:.1e} only: errors near that are not those of the methods.",
                    comparison.trusted_to.position));
  }
}

std::string energy_words(const ComparisonRow& row) {
  const std::string error = fmt::format("{:.1e} J", row.ledger.energy_max_residual);
  switch (row.energy) {
    case EnergyVerdict::rounding:
      return "its energy balance closes to round-off, " + error;
    case EnergyVerdict::bounded:
      return "its energy error stays bounded, " + error;
    case EnergyVerdict::drifts:
      break;
  }
  return "its energy drifts, " + error;
}

std::string follow_words(const Comparison& comparison, const ComparisonRow& row) {
  return fmt::format(
      "cheapest to follow the motion to {:g} up to t = {:g} s: {} of wall time a second with {}{}",
      comparison.settings.accuracy, comparison.horizon, milliseconds(*row.cost), row.cost_by,
      row.cost_is_predicted ? ", by its order" : "");
}

std::string keep_words(const Comparison& comparison, const ComparisonRow& row) {
  std::string words = fmt::format("{} over {} steps, at {:.2g} us a step, the least of those that do so",
                                  energy_words(row), row.ledger.steps, 1e6 * row.seconds_per_step);
  if (row.state) {
    words += fmt::format("; with this step it follows the motion to {:.1e} up to t = {:g} s", *row.state,
                         comparison.horizon);
  }
  return words;
}

}  // namespace

void recommend(const Model& model, Comparison& comparison) {
  comparison.remarks.clear();
  comparison.recommendations.clear();
  remark_on_model(model, comparison);
  const auto follows = best_to_follow(comparison.rows), keeps = best_to_keep(comparison.rows);
  if (!keeps) {
    comparison.remarks.emplace_back("No method gets through the run: take smaller steps.");
    return;
  }
  if (!follows) {
    comparison.remarks.push_back(fmt::format(
        "No method is seen to reach {:g}: take smaller steps to find out.", comparison.settings.accuracy));
  }
  const double steps = comparison.settings.duration / comparison.settings.step;
  const bool is_long = steps >= kLongRun;
  const auto add = [&](const char* purpose, std::size_t row, const std::string& why) {
    comparison.recommendations.push_back({purpose, row, why});
  };
  const std::string keep_why = keep_words(comparison, comparison.rows[*keeps]);
  if (!follows) return add("this model and run", *keeps, keep_why);
  const std::string follow_why = follow_words(comparison, comparison.rows[*follows]);
  if (is_long) {
    add("this model and run", *keeps, fmt::format("the run is long, {:.0f} steps; {}", steps, keep_why));
  } else {
    add("this model and run", *follows,
        fmt::format("the run is short, {:.0f} steps; {}; {}", steps, follow_why,
                    energy_words(comparison.rows[*follows])));
  }
  add("an accurate motion", *follows, follow_why);
  add("long runs", *keeps, keep_why);
}

}  // namespace torsor
