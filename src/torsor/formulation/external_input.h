#pragma once
// What a caller puts into a system from outside.

#include <memory>
#include <utility>
#include <vector>

#include "torsor/lie/twist.h"
#include "torsor/model/model.h"

namespace torsor {

/// Set before each step and held over it. The ledger books its work under `external`.
struct ExternalInput {
  std::vector<double> efforts;  ///< by rate (Model::rate_offset), tree and loop joints alike [N m, N]
  std::vector<Wrench<double>> wrenches;  ///< by body: at its centre of mass, along world axes [N m, N]
};

/// Of sampled controllers, by controller of the model and rate of the joints it drives (driven_joints); no
/// entries for continuous ones.
using HeldEfforts = std::vector<std::vector<double>>;

/// What others write between the steps of a system, and where it leaves word for them.
struct SystemInput {
  SystemInput() = default;
  SystemInput(std::shared_ptr<const ExternalInput> from_outside,
              std::shared_ptr<const HeldEfforts> of_controllers = nullptr,
              std::shared_ptr<LawFault> of_laws = nullptr)
      : external(std::move(from_outside)), held(std::move(of_controllers)), fault(std::move(of_laws)) {}

  std::shared_ptr<const ExternalInput> external;  ///< may be null
  std::shared_ptr<const HeldEfforts> held;        ///< may be null: sampled controllers do nothing
  std::shared_ptr<LawFault> fault;                ///< of laws of one's own; may be null
};

/// All zero, with the sizes of the model. Handed to a system when that is made, and written to between steps;
/// a system that was made without one has none to pay for.
inline std::shared_ptr<ExternalInput> make_external_input(const Model& model) {
  return std::make_shared<ExternalInput>(ExternalInput{std::vector<double>(model.rate_count()),
                                                       std::vector<Wrench<double>>(model.bodies().size())});
}

}  // namespace torsor
