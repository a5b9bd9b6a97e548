#pragma once
// One system with one integrator.

#include <memory>
#include <string>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor {

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Advances by h. Throws StepFailure and then stands at the last good state.
  virtual void step(double h) = 0;
  virtual double time() const = 0;
  virtual const Manifest& manifest() const = 0;
  virtual Observation make_observation() const = 0;    ///< right sizes, for observe
  virtual void observe(Observation& observation) = 0;  ///< allocates nothing
  /// Only what the ledger books: time, energies, flows, momenta, errors, solver.
  virtual void observe_balance(Observation& observation) = 0;
  virtual long evaluations() const = 0;  ///< of the right-hand side so far
  /// When a mechanism with loops stood in a singular position.
  virtual std::vector<double> singular_times() const { return {}; }
};

/// What to build; defaults are the model file's own settings.
struct StepperChoice {
  std::string formulation, integrator;  ///< empty: as the model says
  std::map<std::string, std::variant<double, std::string>>
      options;           ///< of the integrator; replace the file's
  double tolerance = 0;  ///< 0: as the model says, or the integrator's own
};

/// The integrator's options that follow from file and choice: those that make_stepper hands on. The file's
/// options hold only for the file's integrator, and its `simulation.tolerance` for those that control their
/// error: a solver's tolerance that made a conserving method forget what it conserves is named in full.
std::map<std::string, std::variant<double, std::string>> integrator_options(const Model& model,
                                                                            const StepperChoice& choice);

/// Throws ModelError that names what the formulation cannot simulate, an inconsistent start
/// (simulation/assembly.h), an unknown name or an unknown option.
std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice = {});

}  // namespace torsor
