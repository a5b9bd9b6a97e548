#pragma once
// Errors over step sizes, and the orders with which they vanish.

#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "torsor/numerics/order_fit.h"
#include "torsor/study/study_reference.h"
#include "torsor/study/study_run.h"

namespace torsor {

/// Quantities of which a convergence study measures errors.
enum class StudyQuantity {
  state,        ///< positions and directions of bodies against the reference [m, rad]
  velocity,     ///< likewise [m/s, rad/s]
  energy,       ///< largest residual of the energy balance [J]
  energy_mean,  ///< mean of |E(t) - E(0)| [J]; of conservative models
  position,     ///< constraints, largest [m]
  rate,         ///< likewise of rates, as the method leaves them [m/s]
  momentum,     ///< largest change of a conserved component [kg m/s, kg m^2/s]
};
const std::vector<StudyQuantity>& study_quantities();
const char* name_of(StudyQuantity quantity);

struct ConvergencePoint {
  double step = 0;
  std::vector<std::optional<double>> errors;  ///< by study_quantities(); none where the model has no such
  double wall_seconds = 0;
  std::string failure;  ///< empty: it got to the end
};

struct ConvergenceCurve {
  StepperChoice choice;
  std::string label;
  std::string refusal;  ///< why it cannot simulate the model; empty if it can
  std::vector<ConvergencePoint> points;
  std::vector<OrderFit> orders;  ///< by study_quantities()

  const OrderFit& order(StudyQuantity quantity) const { return orders[static_cast<std::size_t>(quantity)]; }
};

struct ConvergenceSettings {
  std::vector<double> steps;
  double duration = 0;
  std::vector<StepperChoice> methods;
  std::optional<StudyReference> reference;  ///< else it is computed
  int threads = 1;                          ///< the numbers do not depend on it; wall times may
};

struct ConvergenceStudy {
  std::string model;
  StudyGrid grid;
  std::string reference;
  StateError trusted_to;
  std::vector<ConvergenceCurve> curves;
};

/// A method that controls its own steps takes those of the study instead. Throws ModelError on steps or a
/// duration that make no sense.
ConvergenceStudy convergence_study(const Model& model, const ConvergenceSettings& settings,
                                   const StudyProgress& progress = {});

/// Tables for people.
std::ostream& operator<<(std::ostream&, const ConvergenceStudy&);

/// One curve against a reference that is there already, from coarse to fine; it ends before a run that would
/// take longer than `longest_run` of wall time.
ConvergenceCurve convergence_curve(const StudySubject& subject, const StepperChoice& choice,
                                   const std::vector<double>& steps, const StudyGrid& grid,
                                   const StudyReference& reference, const StudyProgress& progress,
                                   double longest_run = std::numeric_limits<double>::infinity());

}  // namespace torsor
