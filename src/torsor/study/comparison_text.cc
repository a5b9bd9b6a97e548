#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "torsor/base/norm.h"
#include "torsor/study/comparison.h"
#include "torsor/study/study_cells.h"

namespace torsor {
namespace {

std::optional<double> momentum_error(const Ledger& ledger) {
  if (!ledger.linear_max_error) return ledger.angular_max_error;
  return larger(*ledger.linear_max_error, ledger.angular_max_error.value_or(0));
}

/// An error below what the reference is trusted to says only that it is no larger.
std::string state_cell(const ComparisonRow& row, double trusted_to) {
  if (row.is_reference) return text_cell("reference");
  if (row.state && *row.state < trusted_to) return text_cell(fmt::format("<{:.1e}", trusted_to));
  return error_cell(row.state);
}

void print_row(std::ostream& out, const ComparisonRow& row, std::size_t width, double trusted_to) {
  out << fmt::format("{:<{}}", row.label, width);
  if (!row.failure.empty()) {
    out << state_cell(row, trusted_to) << order_cell(row.order) << "  " << row.failure << '\n';
    return;
  }
  out << state_cell(row, trusted_to) << order_cell(row.order) << error_cell(row.ledger.energy_max_residual)
      << error_cell(row.drift) << text_cell(name_of(row.energy)) << error_cell(row.ledger.position_max)
      << error_cell(row.ledger.velocity_max) << error_cell(momentum_error(row.ledger))
      << text_cell(fmt::format("{:.3g}", 1e6 * row.seconds_per_step));
  if (row.cost) {
    out << text_cell(fmt::format("{}{:.3g}", row.cost_is_predicted ? "~" : "", 1e3 * *row.cost)) << "  "
        << row.cost_by;
  }
  out << '\n';
}

}  // namespace

std::vector<Refusal> refusals_of(const Comparison& comparison) {
  struct Group {
    std::string formulation;
    Refusal refusal;
    int count = 0;
  };
  std::vector<Group> groups;
  std::map<std::string, int> methods;  // of each formulation
  for (const ComparisonRow& row : comparison.rows) {
    const std::string& formulation = row.choice.formulation;
    ++methods[formulation];
    if (row.refusal.empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
      return other.formulation == formulation && other.refusal.reason == row.refusal;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {formulation, {"", row.refusal}, 0});
    group->refusal.methods += (group->count++ ? ", " : "") + row.label;
  }
  std::vector<Refusal> refusals;
  for (Group& group : groups) {
    if (group.count > 1 && group.count == methods[group.formulation]) {
      group.refusal.methods = fmt::format("{}, all {} methods", group.formulation, group.count);
    }
    refusals.push_back(std::move(group.refusal));
  }
  return refusals;
}

std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
  const ComparisonSettings& settings = comparison.settings;
  out << fmt::format("{}: {:g} s in steps of {:g} s; states compared up to t = {:g} s\n", comparison.model,
                     settings.duration, settings.step, comparison.horizon);
  out << fmt::format("reference: {}; its own error, from a coarser run of it: {:.1e}\n", comparison.reference,
                     comparison.trusted_to.position);
  if (settings.threads > 1) {
    out << fmt::format("costs: measured with {} runs at a time\n", settings.threads);
  }
  out << '\n';
  std::size_t width = 0;
  for (const ComparisonRow& row : comparison.rows) width = std::max(width, row.label.size());
  out << fmt::format("{:<{}}", "", width);
  for (const char* head : {"state", "order", "energy [J]", "drift [J/s]", "balance", "g [m]", "G v [m/s]",
                           "momentum", "us/step", "ms/s"}) {
    out << text_cell(head);
  }
  out << fmt::format("  for {:g}\n", settings.accuracy);
  for (const ComparisonRow& row : comparison.rows) {
    if (row.refusal.empty()) print_row(out, row, width, comparison.trusted_to.position);
  }
  const std::vector<Refusal> refusals = refusals_of(comparison);
  if (!refusals.empty()) out << "\ncannot simulate this model:\n";
  for (const auto& [methods, reason] : refusals) out << fmt::format("  {}: {}\n", methods, reason);
  out << '\n';
  for (const std::string& remark : comparison.remarks) out << remark << '\n';
  for (const Recommendation& advice : comparison.recommendations) {
    const bool told = &advice != &comparison.recommendations.front() &&
                      advice.row == comparison.recommendations.front().row;
    if (told) continue;
    out << fmt::format("For {}: {}: {}.\n", advice.purpose, comparison.rows[advice.row].label, advice.why);
  }
  return out;
}

}  // namespace torsor
