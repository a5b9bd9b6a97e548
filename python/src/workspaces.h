#pragma once
// What the algorithms of trees need beside a state: made when first asked for, then used again.

#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "torsor/tree/christoffel.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/forward_dynamics.h"
#include "torsor/tree/forward_dynamics_derivatives.h"
#include "torsor/tree/geometric_sensitivity.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/inverse_dynamics_derivatives.h"
#include "torsor/tree/jacobian_derivatives.h"
#include "torsor/tree/linearisation.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/regressor.h"
#include "torsor/tree/second_derivatives.h"
#include "torsor/tree/time_derivatives.h"
#include "torsor/tree/tree.h"

namespace torsor::python {

/// For one thread.
template <class S>
struct Workspaces {
  explicit Workspaces(const Tree& t)
      : tree(t), X(t.size()), V(t.size()), F(t.size()), J(t.rate_count), zero(t.rate_count, S(0.0)) {}

  using Scalar = S;

  InverseDynamicsWorkspace<S>& inverse() { return inverse_ ? *inverse_ : inverse_.emplace(tree); }
  ForwardDynamicsWorkspace<S>& forward() { return forward_ ? *forward_ : forward_.emplace(tree); }
  MassMatrixWorkspace<S>& mass() { return mass_ ? *mass_ : mass_.emplace(tree); }

  const Tree& tree;
  std::vector<Pose<S>> X;
  std::vector<Twist<S>> V;
  std::vector<Wrench<S>> F;
  std::vector<Twist<S>> J;
  std::vector<S> zero;  ///< a rate of each joint

 private:
  std::optional<InverseDynamicsWorkspace<S>> inverse_;
  std::optional<ForwardDynamicsWorkspace<S>> forward_;
  std::optional<MassMatrixWorkspace<S>> mass_;
};

/// With those of the algorithms that take one state at a time.
struct AllWorkspaces : Workspaces<double> {
  using Workspaces<double>::Workspaces;

  template <class W>
  W& get() {
    std::optional<W>& place = std::get<std::optional<W>>(more_);
    return place ? *place : place.emplace(tree);
  }

 private:
  std::tuple<std::optional<CoriolisWorkspace<double>>, std::optional<ChristoffelWorkspace>,
             std::optional<InverseDynamicsDerivativesWorkspace<double>>,
             std::optional<ForwardDynamicsDerivativesWorkspace>, std::optional<SecondDerivativesWorkspace>,
             std::optional<InverseDynamicsRatesWorkspace>, std::optional<RegressorWorkspace<double>>,
             std::optional<LinearisationWorkspace>, std::optional<Linearisation>,
             std::optional<GeometricSensitivityWorkspace>>
      more_;
};

/// Those that no thread uses at the moment.
template <class W>
class Pool {
 public:
  std::unique_ptr<W> take(const Tree& tree) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<W>(tree);
    std::unique_ptr<W> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }
  void give_back(std::unique_ptr<W> one) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(one));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<W>> free_;
};

}  // namespace torsor::python
