#include "torsor/integrator/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/integrator/dopri5.h"
#include "torsor/integrator/energy_momentum.h"
#include "torsor/integrator/gauss_legendre.h"
#include "torsor/integrator/generalized_alpha.h"
#include "torsor/integrator/generalized_alpha_tree.h"
#include "torsor/integrator/implicit_midpoint.h"
#include "torsor/integrator/petrov_galerkin.h"
#include "torsor/integrator/rkmk.h"
#include "torsor/integrator/step_doubling.h"
#include "torsor/integrator/variational.h"

namespace torsor {
namespace {

constexpr char kKey[] = "simulation.integrator";

/// The number under `name`, which is there: complete_options has filled in the standard ones.
double number(const IntegratorOptions& options, const std::string& name) {
  return std::get<double>(options.at(name));
}

template <int order>
std::unique_ptr<TreeIntegrator> make_rkmk(TreeSystem& system, TreeState initial, const IntegratorOptions&) {
  return std::make_unique<Rkmk>(system, std::move(initial), order);
}

std::unique_ptr<TreeIntegrator> make_dopri5(TreeSystem& system, TreeState initial,
                                            const IntegratorOptions& options) {
  if (has_fixed_steps(options)) return std::make_unique<Rkmk>(system, std::move(initial), 5);
  Dopri5::Settings settings;
  settings.tolerance = number(options, "tolerance");
  settings.max_step = number(options, "max_step");
  return std::make_unique<Dopri5>(system, std::move(initial), settings);
}

/// Of any solver, with its tolerance and the most of its iterations; the rest as given.
template <class Settings>
Settings solver_settings(const IntegratorOptions& options, Settings settings = {}) {
  settings.tolerance = number(options, "tolerance");
  settings.max_iterations = static_cast<int>(number(options, "max_iterations"));
  return settings;
}

std::unique_ptr<TreeIntegrator> make_implicit_midpoint(TreeSystem& system, TreeState initial,
                                                       const IntegratorOptions& options) {
  return std::make_unique<ImplicitMidpoint>(system, std::move(initial),
                                            solver_settings<NewtonSettings>(options));
}

std::unique_ptr<TreeIntegrator> make_tree_generalized_alpha(TreeSystem& system, TreeState initial,
                                                            const IntegratorOptions& options) {
  TreeGeneralizedAlpha::Settings settings;
  settings.rho = number(options, "rho");
  settings.newton = solver_settings<NewtonSettings>(options);
  return std::make_unique<TreeGeneralizedAlpha>(system, std::move(initial), settings);
}

std::unique_ptr<TreeIntegrator> make_variational(TreeSystem& system, TreeState initial,
                                                 const IntegratorOptions& options) {
  Variational::Settings settings;
  settings.map = std::get<std::string>(options.at("map")) == "chord" ? StepMap::chord : StepMap::exp;
  settings.newton = solver_settings<NewtonSettings>(options);
  return std::make_unique<Variational>(system, std::move(initial), settings);
}

std::unique_ptr<TreeIntegrator> make_gauss_legendre(TreeSystem& system, TreeState initial,
                                                    const IntegratorOptions& options) {
  auto settings = solver_settings<GaussLegendre::Settings>(options);
  settings.stages = static_cast<int>(number(options, "stages"));
  settings.iteration = std::get<std::string>(options.at("iteration")) == "fixed-point"
                           ? GaussLegendre::Iteration::fixed_point
                           : GaussLegendre::Iteration::newton;
  settings.unit_quaternions = std::get<std::string>(options.at("quaternions")) == "unit";
  const double adaptive = number(options, "adaptive");
  if (adaptive > 0) return std::make_unique<StepDoubling>(system, std::move(initial), settings, adaptive);
  return std::make_unique<GaussLegendre>(system, std::move(initial), settings);
}

std::unique_ptr<ConstrainedIntegrator> make_energy_momentum(ConstrainedSystem& system,
                                                            ConstrainedState initial,
                                                            const IntegratorOptions& options) {
  return std::make_unique<EnergyMomentum>(system, std::move(initial),
                                          solver_settings<ConstrainedNewtonSettings>(options));
}

std::unique_ptr<ConstrainedIntegrator> make_generalized_alpha(ConstrainedSystem& system,
                                                              ConstrainedState initial,
                                                              const IntegratorOptions& options) {
  GeneralizedAlpha::Settings settings;
  settings.rho = number(options, "rho");
  settings.newton = solver_settings(options, settings.newton);
  return std::make_unique<GeneralizedAlpha>(system, std::move(initial), settings);
}

std::unique_ptr<ConstrainedIntegrator> make_petrov_galerkin(ConstrainedSystem& system,
                                                            ConstrainedState initial,
                                                            const IntegratorOptions& options) {
  PetrovGalerkin::Settings settings;
  settings.m = static_cast<int>(number(options, "m"));
  settings.constraint_points = static_cast<int>(number(options, "quadrature"));
  settings.force_points = static_cast<int>(number(options, "potential_quadrature"));
  settings.newton = solver_settings<ConstrainedNewtonSettings>(options);
  const bool discrete = std::get<std::string>(options.at("potential")) == "discrete-gradient";
  if (settings.constraint_points > 0 && settings.constraint_points <= settings.m) {
    throw ModelError(std::string(kKey) + ".quadrature",
                     fmt::format("at least m + 1 = {} points", settings.m + 1),
                     fmt::format("{}", settings.constraint_points));
  }
  if (settings.m == 0) {
    // On straight lines every rule for the constraints is exact.
    const int points = settings.force_points > 0 ? settings.force_points : 3;
    return std::make_unique<EnergyMomentum>(system, std::move(initial), settings.newton,
                                            discrete ? 0 : points);
  }
  if (discrete) {
    throw ModelError(std::string(kKey) + ".potential", "'gauss' for m > 0", "'discrete-gradient'");
  }
  if (system.servo_count() > 0) {
    throw ModelError(std::string(kKey) + ".m", "0 for a model with servos", fmt::format("{}", settings.m));
  }
  return std::make_unique<PetrovGalerkin>(system, std::move(initial), settings);
}

constexpr OptionRange kTolerance{.least = 1e-16, .most = 1, .below_most = true};
constexpr OptionRange kIterations{.least = 1, .most = 1e6, .whole = true};
constexpr OptionRange kPoints{.least = 0, .most = 10, .whole = true};

const IntegratorOption kSolverTolerance{
    "tolerance", 1e-16, "of the solver: last correction over the size of the rates", kTolerance};
const IntegratorOption kMaxIterations{"max_iterations", 50.0, "of the solver in one step", kIterations};
const IntegratorOption kIncrementTolerance{
    "tolerance", 1e-16, "of the solver: what is left over the size of the increments", kTolerance};
const IntegratorOption kStepIterations{"max_iterations", 30.0, "of the solver in one step", kIterations};
const IntegratorOption kReduction{"reduction",
                                  "none",
                                  "null-space: freedoms of the tree's joints as the only increments, without "
                                  "its multipliers; the same motion",
                                  {},
                                  {"none", "null-space"}};
const IntegratorOption kStepMap{"map",
                                "exp",
                                "chord: rates sin(dphi)/h of revolute joints, the scheme of Götz (4.28)",
                                {},
                                {"exp", "chord"}};

Catalogue<IntegratorEntry> make_catalogue() {
  const std::string position = "exact (position)", coordinates = "by coordinates";
  using enum EnergyClaim;
  using enum SystemKind;
  return Catalogue<IntegratorEntry>({
      {"energy-momentum",
       {constrained,
        "2",
        exact,
        true,
        position,
        false,
        {kIncrementTolerance, kStepIterations, kReduction},
        nullptr,
        make_energy_momentum}},
      {"petrov-galerkin",
       {constrained,
        "2 (m + 1)",
        to_quadrature,
        false,
        position,
        false,
        {{"m",
          0.0,
          "degree of the test functions; trial functions have one more",
          {.most = 3, .whole = true}},
         {"quadrature", 0.0, "Gauss points for the left side, that is for constraints; 0: m + 1", kPoints},
         {"potential_quadrature", 0.0, "Gauss points for forces; 0: m + 3", kPoints},
         {"potential",
          "gauss",
          "discrete-gradient: of elastic forces instead, exact in energy, for m = 0",
          {},
          {"gauss", "discrete-gradient"}},
         kIncrementTolerance,
         kStepIterations},
        nullptr,
        make_petrov_galerkin}},
      {"variational",
       {tree,
        "2",
        bounded_if_smooth,
        true,
        coordinates,
        true,
        {kSolverTolerance, kMaxIterations, kStepMap},
        make_variational}},
      {"gauss-legendre",
       {tree,
        "2 stages",
        bounded_if_regular,
        false,
        "unit quaternions exact",
        false,
        {{"stages", 2.0, "s: order 2s", {.least = 1, .most = kMostGaussStages, .whole = true}},
         {"iteration",
          "newton",
          "of the stages; newton: for stiff joints too, in O(n); fixed-point: as in the literature",
          {},
          {"newton", "fixed-point"}},
         {"quaternions",
          "unit",
          "of the stages; plain: not brought to unit length, as in Sætran (2018), which keeps the energy of "
          "a "
          "single body",
          {},
          {"unit", "plain"}},
         kSolverTolerance,
         {"max_iterations", 200.0, "of the stages in one step", kIterations},
         {"adaptive",
          0.0,
          "of the error of a step, relative and absolute (SI); 0: steps as given, else they are divided, and "
          "energy drifts",
          {.least = 1e-14, .most = 1, .below_most = true, .or_zero = true}}},
        make_gauss_legendre}},
      {"implicit-midpoint",
       {tree,
        "2",
        bounded_if_regular,
        false,
        coordinates,
        false,
        {kSolverTolerance, kMaxIterations},
        make_implicit_midpoint}},
      {"generalized-alpha",
       {both,
        "2",
        decays_if_regular,
        false,
        position,
        false,
        {{"rho",
          0.9,
          "what a step leaves of stiff modes: the spectral radius for infinite steps; 0.9, the usual choice, "
          "damps little, 1 nothing",
          {.most = 1}},
         kIncrementTolerance,
         kStepIterations},
        make_tree_generalized_alpha,
        make_generalized_alpha}},
      {"rkmk2", {tree, "2", drifts, false, coordinates, false, {}, make_rkmk<2>}},
      {"rkmk3", {tree, "3", drifts, false, coordinates, false, {}, make_rkmk<3>}},
      {"rkmk4", {tree, "4", drifts, false, coordinates, false, {}, make_rkmk<4>}},
      {"dopri5",
       {tree,
        "5",
        drifts,
        false,
        coordinates,
        false,
        {{"tolerance", 1e-9, "of one step, relative and absolute (SI)", kTolerance},
         {"max_step", 0.0, "longest inner step; 0: as long as the tolerance allows", {}, {}, "s"},
         {"steps",
          "adaptive",
          "fixed: those of the run, six evaluations each, whatever the error",
          {},
          {"adaptive", "fixed"}}},
        make_dopri5,
        nullptr,
        true}},
  });
}

}  // namespace

const Catalogue<IntegratorEntry>& integrators() {
  static const Catalogue<IntegratorEntry> catalogue = make_catalogue();
  return catalogue;
}

const char* name_of(SystemKind kind) {
  return kind == SystemKind::tree ? "tree" : kind == SystemKind::constrained ? "constrained" : "both";
}

const char* name_of(EnergyClaim claim) {
  switch (claim) {
    case EnergyClaim::exact:
      return "exact";
    case EnergyClaim::to_quadrature:
      return "to quadrature";
    case EnergyClaim::bounded:
      return "bounded";
    case EnergyClaim::bounded_if_smooth:
      return "bounded under smooth forces";
    case EnergyClaim::bounded_if_regular:
      return "bounded in regular motion";
    case EnergyClaim::decays_if_regular:
      return "decays in regular motion";
    case EnergyClaim::drifts:
      return "drifts";
  }
  return "";
}

bool has_fixed_steps(const IntegratorOptions& options) {
  const auto steps = options.find("steps");
  return steps != options.end() && steps->second == OptionValue("fixed");
}

const IntegratorEntry& integrator_named(const std::string& name) {
  const IntegratorEntry* entry = integrators().find(name);
  if (entry && entry->exists()) return *entry;
  std::vector<std::string> existing;
  for (const auto& [known, one] : integrators()) {
    if (one.exists()) existing.push_back(known);
  }
  if (!entry) throw ModelError(kKey, "one of " + listed(existing), did_you_mean(name, existing));
  throw ModelError(kKey, "an integrator of this version (" + listed(existing) + ")",
                   in_quotes(name) + ", which it does not have");
}

namespace {

/// Which option of a method is the tolerance of its steps; null: none is. The options are complete.
const char* tolerance_option(const std::string& name, const IntegratorOptions& options) {
  if (integrator_named(name).adaptive) return has_fixed_steps(options) ? nullptr : "tolerance";
  const auto adaptive = options.find("adaptive");
  return adaptive != options.end() && std::get<double>(adaptive->second) > 0 ? "adaptive" : nullptr;
}

IntegratorOptions completed(const std::string& name, const IntegratorOptions& options) {
  return complete_options(name, integrator_named(name).options, options);
}

}  // namespace

int order_of(const std::string& name, const IntegratorOptions& options) {
  const IntegratorOptions all = completed(name, options);
  if (all.contains("m")) return 2 * (static_cast<int>(number(all, "m")) + 1);
  if (all.contains("stages")) return 2 * static_cast<int>(number(all, "stages"));
  return std::stoi(integrator_named(name).order);
}

double error_tolerance(const std::string& name, const IntegratorOptions& options) {
  const IntegratorOptions all = completed(name, options);
  const char* option = tolerance_option(name, all);
  return option ? number(all, option) : 0;
}

IntegratorOptions with_finer_tolerance(const std::string& name, const IntegratorOptions& options) {
  constexpr double kLeast = 2e-15;  // below, rounding alone decides
  IntegratorOptions all = completed(name, options);
  if (const char* option = tolerance_option(name, all)) {
    const double tolerance = number(all, option);
    all[option] = std::max(std::min(tolerance, kLeast), std::ldexp(tolerance, -order_of(name, all)));
  }
  return all;
}

namespace {

[[noreturn]] void refuse(const std::string& name, const char* formulations, bool tree) {
  std::vector<std::string> fitting;
  for (const auto& [known, entry] : integrators()) {
    if (tree ? entry.make_for_tree != nullptr : entry.make_for_constrained != nullptr)
      fitting.push_back(known);
  }
  throw ModelError(kKey, fmt::format("an integrator for {} ({})", formulations, listed(fitting)),
                   fmt::format("'{}', which goes with the formulation {}", name,
                               tree ? "'rotationless' or 'cartesian'" : "'joint'"));
}

}  // namespace

std::unique_ptr<TreeIntegrator> make_tree_integrator(const std::string& name,
                                                     const IntegratorOptions& options, TreeSystem& system,
                                                     TreeState initial) {
  const IntegratorEntry& entry = integrator_named(name);
  if (!entry.make_for_tree) refuse(name, "the formulation 'joint'", true);
  return entry.make_for_tree(system, std::move(initial), complete_options(name, entry.options, options));
}

std::unique_ptr<ConstrainedIntegrator> make_constrained_integrator(const std::string& name,
                                                                   const IntegratorOptions& options,
                                                                   ConstrainedSystem& system,
                                                                   ConstrainedState initial) {
  const IntegratorEntry& entry = integrator_named(name);
  if (!entry.make_for_constrained) refuse(name, "the formulations 'rotationless' and 'cartesian'", false);
  return entry.make_for_constrained(system, std::move(initial),
                                    complete_options(name, entry.options, options));
}

}  // namespace torsor
