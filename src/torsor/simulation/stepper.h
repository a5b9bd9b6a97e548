#pragma once
// One system with one integrator.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "torsor/base/state_tape.h"
#include "torsor/formulation/external_input.h"
#include "torsor/simulation/observation.h"
#include "torsor/simulation/settings.h"

namespace torsor {

struct Start;
class SampledControl;

/// Where a stepper stands.
struct StepperState {
  double time = 0;             ///< [s]
  std::vector<double> q, qd;   ///< of all joints in file order (Model::coordinate_offset, Model::rate_offset)
  std::vector<double> memory;  ///< what else the next steps depend on; empty: a new start
};

/// Made by make_stepper. Steppers share nothing that changes: several may step in several threads at once.
class Stepper {
 public:
  Stepper();
  virtual ~Stepper();

  /// Advances by h. Throws StepFailure and then stands at the last good state; ModelError where the step would
  /// pass over a sample of a controller.
  void step(double h);
  virtual double time() const = 0;
  virtual const Manifest& manifest() const = 0;
  virtual Observation make_observation() const = 0;    ///< right sizes, for observe
  virtual void observe(Observation& observation) = 0;  ///< allocates nothing
  /// Only what the ledger books: time, energies, flows, momenta where any is conserved, errors, solver.
  virtual void observe_balance(Observation& observation) = 0;
  /// Only time, bodies, coordinates and rates of joints, points, and momenta that the balance leaves out; of bodies and points
  /// no accelerations.
  virtual void observe_motion(Observation& observation) = 0;
  /// Of the bodies, as of the last observe or observe_balance.
  virtual std::span<const BodySpeed> speeds() = 0;
  virtual long evaluations() const = 0;  ///< of the right-hand side so far
  /// What a law of one's own answered that is no finite number, in the last step or since; empty: nothing.
  std::string law_fault() const { return fault_ ? fault_->text : std::string(); }
  /// When a mechanism with loops stood in a singular position.
  virtual std::vector<double> singular_times() const { return {}; }
  /// What rounding did there, and was taken out of the rates [J].
  virtual double energy_returned() const { return 0; }

  StepperState state();
  /// With the memory of a stepper of the same model and choice, what follows is bit for bit what followed
  /// there, the work and dissipation booked so far included. Without memory it starts at (time, q, qd), with
  /// nothing booked. Throws ModelError on a state of another stepper, on one that was changed and has its
  /// memory still, and as make_stepper does on an inconsistent start; then it stands where it stood.
  void set_state(const StepperState& state);
  /// Takes another model, which differs in numbers alone (model/alike.h), with its start: then it is, to the last bit, what
  /// make_stepper() would make of them with the method of this one. False where it would have to be made anew; then, and
  /// where ModelError is thrown, this one is of no more use.
  bool take(std::shared_ptr<const Model> model, std::shared_ptr<const Start> start);
  /// Another one that stands where this does.
  std::unique_ptr<Stepper> copy();
  /// Efforts and wrenches from outside, held from now on; their work is booked under `external`. All zero at
  /// first. Throws ModelError unless the stepper was made with `external`, on lists of the wrong length and on
  /// what is not a number.
  void set_external(const ExternalInput& input);

  /// All that the steps to come depend on.
  void pass(StateTape& tape);
  virtual void expect_jump() = 0;  ///< what acts has changed since the last step
  /// What it was made of, and whose channels it may share: for make_stepper to say.
  void set_origin(std::shared_ptr<const Model> model, std::shared_ptr<const Start> start, Method method,
                  std::shared_ptr<ExternalInput> external, std::shared_ptr<HeldEfforts> held,
                  std::shared_ptr<LawFault> fault, const ChannelList& like);

 private:
  void advance_and_explain(double h);  ///< a failure names the law or the tendon that is at fault
  virtual void advance(double h) = 0;
  virtual void pass_integrator(StateTape& tape) = 0;
  virtual bool take_model(const Model& /*model*/, const Model& /*before*/, const Start& /*start*/) {
    return false;
  }
  virtual void set_channels(ChannelList) {}  ///< of the manifest; one that wraps another has none of its own
  void sample();                             ///< what is due

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Start> start_;
  Method method_;
  std::shared_ptr<ExternalInput> external_;  ///< may be null
  std::shared_ptr<LawFault> fault_;          ///< null: the model has no laws of one's own
  bool sided_wraps_ = false;                 ///< whose lengths may jump
  std::unique_ptr<SampledControl> sampled_;  ///< null: no controller is sampled
  Observation shown_;                        ///< to it
};

/// Throws ModelError that names what the formulation cannot simulate, an inconsistent start (assembly/start.h),
/// an unknown name or an unknown option.
std::unique_ptr<Stepper> make_stepper(const Model& model, const StepperChoice& choice = {});
/// The same, for whoever makes several of one model.
std::unique_ptr<Stepper> make_stepper(const Model& model, const Start& start, const Method& method);
/// The same, for whoever makes many, of models that mostly differ in numbers: model and start are kept and not copied, and channels
/// are shared with an earlier one where they are `like` those.
std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const Model> model, std::shared_ptr<const Start> start,
                                      const Method& method, const ChannelList& like = {});

}  // namespace torsor
