#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/ledger.h"

namespace torsor {
namespace {

class Table {
 public:
  explicit Table(std::ostream& out) : out_(out) {}

  void section(const std::string& title) { out_ << title << '\n'; }
  void row(const std::string& label, double value, const char* unit, const std::string& verdict = "") {
    out_ << fmt::format("  {:<30}{:>15} {:<9}{}", label, fmt::format("{:.6g}", value), unit, verdict);
    out_ << '\n';
  }
  void row(const std::string& label, const std::optional<double>& value, const char* unit) {
    if (value) row(label, *value, unit);
  }

 private:
  std::ostream& out_;
};

void print_verdicts(std::ostream& out, const Ledger& ledger) {
  const auto [energy, constraints, momenta, motion] = verdicts_of(ledger);
  const auto line = [&](const char* subject, const Verdict& verdict) {
    out << fmt::format("  {:<14}{}\n", subject, verdict.text);
  };
  out << "verdicts\n";
  line("energy", energy);
  line("constraints", constraints);
  line("momenta", momenta);
  line("motion", motion);
}

void print_energy(Table& table, const Ledger& ledger) {
  table.section("energy");
  table.row("initial", ledger.energy_initial, "J");
  table.row("final", ledger.energy_final, "J");
  // What acts on a model changes its energy; without that every change is an error.
  const bool acted_on = !ledger.work_by_source.empty() || !ledger.dissipated_by_damper.empty();
  table.row(acted_on ? "change max" : "error max", ledger.energy_max_error, "J");
  table.row(acted_on ? "change mean" : "error mean", ledger.energy_mean_error, "J");
  table.row("scale", ledger.energy_scale, "J");
  for (const Ledger::Entry& source : ledger.work_by_source)
    table.row("work of " + source.name, source.energy, "J");
  for (const Ledger::Entry& damper : ledger.dissipated_by_damper) {
    table.row("dissipated by " + damper.name, damper.energy, "J");
  }
  const double relative = ledger.energy_scale > 0 ? ledger.energy_max_residual / ledger.energy_scale : 0;
  table.row("balance residual max", ledger.energy_max_residual, "J",
            ledger.energy_scale > 0 ? fmt::format("({:.1e} of the scale)", relative) : "");
}

}  // namespace

namespace {

/// The first few of them.
std::string singular_text(const std::vector<double>& times) {
  std::string text = "(at";
  for (std::size_t i = 0; i < times.size() && i < 4; ++i)
    text += fmt::format("{} {:.4g}", i ? "," : "", times[i]);
  return text + (times.size() > 4 ? ", .. s)" : " s)");
}

void print_sampling(Table& table, const std::vector<Ledger::Sampling>& controllers) {
  if (controllers.empty()) return;
  table.section("sampling: energy created, beyond the work of the continuous law");
  for (const Ledger::Sampling& c : controllers) {
    table.row(c.name, c.created, "J",
              fmt::format("(every {:.6g} s; its damper would take {:.6g} J)", c.period, c.taken));
  }
}

void print_slack(Table& table, const std::vector<SlackTendon>& tendons) {
  if (tendons.empty()) return;
  table.section("tendons shorter than at rest, least length");
  for (const SlackTendon& t : tendons) {
    table.row(t.name, t.least_length, "m",
              fmt::format("(rest {:.6g} m; {} from {:.4g} s, {} time{}, {:.3g} % of the run)", t.rest_length,
                          t.pushes ? "pushed" : "slack", t.first_time, t.times, t.times == 1 ? "" : "s",
                          100 * t.share));
  }
}

void print_stops(Table& table, const std::vector<TouchedStop>& stops) {
  if (stops.empty()) return;
  table.section("stops touched, largest overshoot");
  for (const TouchedStop& s : stops) {
    const char* unit = s.turns ? "rad" : "m";
    table.row(s.name, s.overshoot, unit,
              fmt::format("(at {:.6g} {}, {:.4g} s; first at {:.4g} s, {} time{})", s.bound, unit, s.time,
                          s.first_time, s.times, s.times == 1 ? "" : "s"));
  }
}

void print_beyond(Table& table, const std::vector<EffortBeyond>& efforts) {
  if (efforts.empty()) return;
  table.section("efforts beyond their limits, farthest");
  for (const EffortBeyond& e : efforts) {
    const bool above = e.most - e.high > e.low - e.least;
    table.row(e.name, above ? e.most : e.least, "",
              fmt::format("(limits {:.6g} to {:.6g}; first at {:.4g} s)", e.low, e.high, e.first_time));
  }
}

void print_extrema(std::ostream& out, const std::vector<Extremum>& extrema) {
  if (extrema.empty()) return;
  std::size_t width = 0;
  for (const Extremum& e : extrema) width = std::max(width, e.name.size());
  out << fmt::format("extrema, at recorded states\n  {:<{}} {:>13} {:>10} {:>13} {:>10}\n", "", width, "min",
                     "at [s]", "max", "at [s]");
  for (const Extremum& e : extrema) {
    out << fmt::format("  {:<{}} {:>13.6g} {:>10.5g} {:>13.6g} {:>10.5g} {}\n", e.name, width, e.least,
                       e.least_time, e.greatest, e.greatest_time, e.unit);
  }
}

std::string resumed_text(const std::vector<Resumption>& resumed) {
  const Resumption& last = resumed.back();
  return fmt::format("resumed {}from t = {:.9g} s ({})",
                     resumed.size() == 1 ? "" : fmt::format("{} times, last ", resumed.size()), last.time,
                     last.date);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Ledger& ledger) {
  Table table(out);
  out << fmt::format("{}: formulation {}, integrator {}\n", ledger.model, ledger.formulation,
                     ledger.integrator);
  const std::optional<StepChoice>& choice = ledger.accuracy.choice;
  out << fmt::format("{:.9g} s in {} steps of {:.6g} s{}\n", ledger.time, ledger.steps, ledger.step,
                     choice && choice->least_step < choice->most_step ? " in the mean" : "");
  if (!ledger.resumed.empty()) out << resumed_text(ledger.resumed) << "\n";
  if (!ledger.note.empty()) out << ledger.note << "\n";
  if (!ledger.assembly.empty()) out << "assembled: " << ledger.assembly << "\n";
  print_verdicts(out, ledger);
  print_energy(table, ledger);
  const IntegratorEntry* entry = integrators().find(ledger.integrator);
  print(out, ledger.accuracy, entry && entry->energy == EnergyClaim::exact);
  print_sampling(table, ledger.sampling);
  if (ledger.linear_max_error || ledger.angular_max_error) {
    table.section("momentum, conserved components");
    table.row("linear error max", ledger.linear_max_error, "kg m/s");
    table.row("angular error max", ledger.angular_max_error, "kg m^2/s");
  }
  if (ledger.position_max || ledger.velocity_max || ledger.unit_length_max_error) {
    table.section("constraints");
    table.row("position max", ledger.position_max, "m");
    table.row("velocity max", ledger.velocity_max, "m/s");
    table.row("quaternion length error max", ledger.unit_length_max_error, "");
    if (!ledger.singular_times.empty()) {
      table.row("singular positions passed", static_cast<double>(ledger.singular_times.size()), "",
                singular_text(ledger.singular_times));
    }
    if (ledger.energy_returned > 0) {
      table.row("energy returned there", ledger.energy_returned, "J",
                "(work of rounding, taken out of the rates)");
    }
  }
  print_slack(table, ledger.slack_tendons);
  print_stops(table, ledger.touched_stops);
  print_beyond(table, ledger.efforts_beyond);
  print_extrema(out, ledger.extrema);
  table.section("cost");
  table.row("wall time", ledger.wall_seconds, "s",
            fmt::format("({:.3g} of real time)", ledger.realtime_factor));
  table.row("evaluations", static_cast<double>(ledger.evaluations), "");
  if (ledger.iterations_max > 0) {
    table.row("solver iterations mean", ledger.iterations_mean, "");
    table.row("solver iterations max", ledger.iterations_max, "");
  }
  return out;
}

}  // namespace torsor
