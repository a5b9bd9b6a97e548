#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <sstream>
#include <string_view>

#include "torsor/base/norm.h"
#include "torsor/study/comparison.h"

namespace torsor {
namespace {

constexpr const char* kEmptyCell = "-";
constexpr std::size_t kWidth = 110;  ///< of paragraphs

std::optional<double> momentum_error(const Ledger& ledger) {
  if (!ledger.linear_max_error) return ledger.angular_max_error;
  return larger(*ledger.linear_max_error, ledger.angular_max_error.value_or(0));
}

std::string error_text(const std::optional<double>& error) {
  return error ? fmt::format("{:.1e}", *error) : kEmptyCell;
}

/// An error below what the reference is trusted to says only that it is no larger.
std::string state_text(const ComparisonRow& row, double trusted_to) {
  if (row.is_reference) return "ref.";
  if (row.state && *row.state < trusted_to) return fmt::format("<{:.1e}", trusted_to);
  return error_text(row.state);
}

/// A slope says something only of a residual that follows it.
std::string drift_text(const ComparisonRow& row) {
  return row.energy == EnergyVerdict::drifts ? error_text(row.drift) : name_of(row.energy);
}

constexpr const char* kHeads[][2] = {{"state", ""}, {"order", ""},    {"energy", "[J]"}, {"drift", "[J/s]"},
                                     {"g", "[m]"},  {"G v", "[m/s]"}, {"momenta", ""},   {"us/step", ""}};
constexpr std::size_t kColumns = std::size(kHeads), kOfFailures = 2;  // of which a failed run has two
using Cells = std::array<std::string, kColumns>;

Cells cells_of(const ComparisonRow& row, double trusted_to) {
  const Ledger& ledger = row.ledger;
  return {state_text(row, trusted_to),
          row.order.order ? fmt::format("{:.2f}", *row.order.order) : kEmptyCell,
          error_text(ledger.energy_max_residual),
          drift_text(row),
          error_text(ledger.position_max),
          error_text(ledger.velocity_max),
          error_text(momentum_error(ledger)),
          fmt::format("{:.3g}", 1e6 * row.seconds_per_step)};
}

/// Columns as wide as what they hold, without those that hold nothing; methods below their formulation.
class ComparisonTable {
 public:
  explicit ComparisonTable(const Comparison& comparison) : comparison_(comparison) {
    for (const ComparisonRow& row : comparison.rows) {
      if (!row.refusal.empty()) continue;
      rows_.emplace_back(&row, cells_of(row, comparison.trusted_to.position));
      name_width_ = std::max(name_width_, name_of_row(row).size());
      for (std::size_t i = 0; i < (row.failure.empty() ? kColumns : kOfFailures); ++i) {
        const std::string& cell = rows_.back().second[i];
        if (cell != kEmptyCell) widths_[i] = std::max({widths_[i], cell.size(), head_width(i)});
      }
    }
  }

  void print(std::ostream& out) const {
    const std::string above = fmt::format("for {:g}", comparison_.settings.accuracy);
    for (const int line : {0, 1}) {
      out << fmt::format("{:<{}}", "", name_width_);
      for (std::size_t i = 0; i < kColumns; ++i) put(out, kHeads[i][line], i);
      out << fmt::format("  {}\n", line == 0 ? above : "  ms/s  step");
    }
    std::string formulation;
    for (const auto& [row, cells] : rows_) {
      if (row->choice.formulation != formulation) out << (formulation = row->choice.formulation) << '\n';
      out << fmt::format("{:<{}}", name_of_row(*row), name_width_);
      const bool failed = !row->failure.empty();
      for (std::size_t i = 0; i < (failed ? kOfFailures : kColumns); ++i) put(out, cells[i], i);
      if (failed) {
        out << "  " << row->failure;
      } else if (row->cost) {
        out << fmt::format(
            "  {:>6}  {}", (row->cost_is_predicted ? "~" : "") + fmt::format("{:.3g}", 1e3 * *row->cost),
            row->cost_by.starts_with(kStep) ? row->cost_by.substr(kStep.size()) : row->cost_by);
      }
      out << '\n';
    }
  }

 private:
  static constexpr std::string_view kStep = "step ";

  static std::string name_of_row(const ComparisonRow& row) {
    return "  " + row.label.substr(row.choice.formulation.size() + std::string_view(" + ").size());
  }
  static std::size_t head_width(std::size_t i) {
    return std::max(std::string_view(kHeads[i][0]).size(), std::string_view(kHeads[i][1]).size());
  }
  void put(std::ostream& out, const std::string& cell, std::size_t i) const {
    if (widths_[i] > 0) out << fmt::format("  {:>{}}", cell, widths_[i]);
  }

  const Comparison& comparison_;
  std::vector<std::pair<const ComparisonRow*, Cells>> rows_;
  std::size_t name_width_ = 0;
  std::array<std::size_t, kColumns> widths_{};
};

/// Lines of at most kWidth characters, those after the first indented further.
void print_paragraph(std::ostream& out, const std::string& text, std::string_view indent = "") {
  const std::string further = std::string(indent) + "  ";
  bool first = true;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + word.size() > kWidth) {
      out << '\n';
      column = 0;
    }
    const std::string_view gap = column > 0 ? " " : first ? indent : further;
    first = false;
    out << gap << word;
    column += gap.size() + word.size();
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
  ComparisonTable(comparison).print(out);
  const std::vector<Refusal> refusals = refusals_of(comparison);
  if (!refusals.empty()) out << "\ncannot simulate this model:\n";
  for (const auto& [methods, reason] : refusals) {
    print_paragraph(out, fmt::format("{}: {}", methods, reason), "  ");
  }
  out << '\n';
  for (const std::string& remark : comparison.remarks) print_paragraph(out, remark);
  for (const Recommendation& advice : comparison.recommendations) {
    const bool told = &advice != &comparison.recommendations.front() &&
                      advice.row == comparison.recommendations.front().row;
    if (told) continue;
    print_paragraph(
        out, fmt::format("For {}: {}: {}.", advice.purpose, comparison.rows[advice.row].label, advice.why));
  }
  return out;
}

}  // namespace torsor
