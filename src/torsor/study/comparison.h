#pragma once
// Every formulation with every integrator on one model, side by side, and which of them to choose.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "torsor/study/convergence_study.h"

namespace torsor {

/// How the residual of the energy balance went along the run.
enum class EnergyVerdict { rounding, bounded, drifts };
const char* name_of(EnergyVerdict verdict);

struct ComparisonRow {
  StepperChoice choice;
  std::string label;
  std::string refusal;  ///< why it cannot simulate the model; empty if it can
  std::string failure;  ///< of a step at the model's step size; empty if it got to the end

  // Of short runs, against the reference; of an adaptive method over tolerances instead of steps.
  std::optional<double> state;  ///< error at the model's step; none of the reference itself
  bool is_reference = false;    ///< the very run that the others are measured against
  OrderFit order;
  std::optional<double> cost;      ///< of the wanted accuracy: wall time over simulated time
  std::string cost_by;             ///< the step or the tolerance that it takes
  bool cost_is_predicted = false;  ///< by the order, from larger errors

  // Of the whole run at the model's step.
  Ledger ledger;
  double drift = 0;  ///< of the energy balance [J/s]
  EnergyVerdict energy = EnergyVerdict::drifts;
  double seconds_per_step = 0;

  bool ran() const { return refusal.empty() && failure.empty(); }
};

/// One piece of advice, in words.
struct Recommendation {
  std::string purpose;  ///< "overall", "following the motion", "long runs"
  std::size_t row = 0;
  std::string why;
};

struct ComparisonSettings {
  double step = 0, duration = 0;
  double accuracy = 1e-6;  ///< wanted of positions [m, rad]
  int threads = 1;         ///< methods at a time; costs are measured beside each other
};

struct Comparison {
  std::string model;
  ComparisonSettings settings;
  double horizon = 0;  ///< up to which states are compared [s]
  std::string reference;
  StateError trusted_to;
  std::vector<ComparisonRow> rows;
  std::vector<std::string> remarks;  ///< what the model is like: loops, stiffness, slack tendons
  std::vector<Recommendation> recommendations;
};

Comparison compare_methods(const Model& model, const ComparisonSettings& settings,
                           const StudyProgress& progress = {});

/// Every formulation with every integrator that fits it, those with an order to choose in several orders.
std::vector<StepperChoice> method_choices();

/// Methods of a formulation that cannot simulate the model for the same reason.
struct Refusal {
  std::string methods;  ///< `joint, all 9 methods`, or their labels
  std::string reason;
};
std::vector<Refusal> refusals_of(const Comparison& comparison);

/// Remarks and recommendations, from the rows.
void recommend(const Model& model, Comparison& comparison);

/// A table for people, and the advice.
std::ostream& operator<<(std::ostream&, const Comparison&);

}  // namespace torsor
