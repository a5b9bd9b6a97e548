#pragma once
// Every integrator by name: what it claims, which options it takes, how it is made.

#include <memory>
#include <string>
#include <vector>

#include "torsor/base/catalogue.h"
#include "torsor/integrator/constrained_integrator.h"
#include "torsor/integrator/integrator.h"
#include "torsor/integrator/options.h"

namespace torsor {

enum class SystemKind { tree, constrained, both };

/// What is claimed of the energy of a conservative model; of a driven or damped one, of its balance.
/// bounded_if_regular: a symmetric method that is not symplectic has no bound in chaotic motion, where its
/// energy error wanders like a random walk. bounded_if_smooth: a symplectic one has a bound there too, as
/// long as forces are smooth and the motion stays in bounds. decays_if_regular: beside a swing of its order,
/// and with steps that resolve the motion; in chaotic motion, or with steps too coarse, a damped method may
/// gain energy.
enum class EnergyClaim {
  exact,
  to_quadrature,
  bounded,
  bounded_if_smooth,
  bounded_if_regular,
  decays_if_regular,
  drifts
};

struct IntegratorEntry {
  SystemKind system = SystemKind::tree;
  std::string order;  ///< "2", or in terms of an option: "2 stages"
  EnergyClaim energy = EnergyClaim::drifts;
  bool exact_momenta = false;
  std::string constraints;  ///< how they are kept
  bool symplectic = false;
  std::vector<IntegratorOption> options;
  using MakeForTree = std::unique_ptr<TreeIntegrator> (*)(TreeSystem&, TreeState, const IntegratorOptions&);
  using MakeForConstrained = std::unique_ptr<ConstrainedIntegrator> (*)(ConstrainedSystem&, ConstrainedState,
                                                                        const IntegratorOptions&);
  MakeForTree make_for_tree = nullptr;  ///< both null: named by the contract, not in this version
  MakeForConstrained make_for_constrained = nullptr;
  bool adaptive = false;  ///< its tolerance controls the error of a step, unless has_fixed_steps(options)

  bool exists() const { return make_for_tree || make_for_constrained; }
};

const Catalogue<IntegratorEntry>& integrators();
const char* name_of(SystemKind);
const char* name_of(EnergyClaim);

/// Throws ModelError (key `simulation.integrator`) on a name that is unknown or not in this version.
const IntegratorEntry& integrator_named(const std::string& name);

/// Whether a method that chooses its steps is told not to.
bool has_fixed_steps(const IntegratorOptions& options);
/// The order of a method with these options.
int order_of(const std::string& name, const IntegratorOptions& options);
/// The tolerance of a step's error, where the method controls it; else 0.
double error_tolerance(const std::string& name, const IntegratorOptions& options);
/// The options with which its steps are about half as long: the tolerance of a method of order p divided by 2^p.
IntegratorOptions with_finer_tolerance(const std::string& name, const IntegratorOptions& options);

/// Options that are not given have their standard values. Throws likewise, on an option that is unknown or
/// out of range, and on an integrator that is for the other kind of system.
std::unique_ptr<TreeIntegrator> make_tree_integrator(const std::string& name,
                                                     const IntegratorOptions& options, TreeSystem& system,
                                                     TreeState initial);
std::unique_ptr<ConstrainedIntegrator> make_constrained_integrator(const std::string& name,
                                                                   const IntegratorOptions& options,
                                                                   ConstrainedSystem& system,
                                                                   ConstrainedState initial);

}  // namespace torsor
