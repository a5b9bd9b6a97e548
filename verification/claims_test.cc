// Every claim of the integrator catalogue, audited on a set of models. A claim that does not hold is
// corrected in the catalogue, not here.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "testing/models.h"
#include "testing/runs.h"
#include "testing/tree_with_loops.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/integrator/catalogue.h"

namespace torsor {
namespace {

using testing::distance;
using testing::TreeWithLoops;

struct AuditModel {
  ModelDescription description;
  double step, duration;  ///< step: the coarser of the two that measure an order
  bool conservative;
};

/// A closed loop, which only formulations with constraints have.
AuditModel slider_crank(double damping) {
  ModelSource source = read_source(std::string(TORSOR_MODELS) + "/slider_crank.yaml");
  if (damping > 0) {
    source.overrides = {{"name", "damped slider-crank"},
                        {"joint_springs.bearing.joint", "drive"},
                        {"joint_springs.bearing.damping", std::to_string(damping)}};
  }
  return {parse_description(source), 0.005, 1, damping == 0};
}

/// Programs have their kinks on all grids used, and tendons that snap tight (which no order survives) are
/// absent.
std::vector<AuditModel> audit_models(bool with_loops) {
  ModelDescription damped = reference::three_link_arm_with_tendons();
  damped.name = "damped tendons";
  damped.tendons[0].damping = 0.3;
  std::vector<AuditModel> models{{reference::three_link_arm(), 0.02, 4, true},
                                 {reference::three_link_arm_with_tendons(), 0.02, 4, true},
                                 {damped, 0.02, 4, false},
                                 {reference::driven_arm(), 0.02, 4, false},
                                 {reference::free_top(), 0.02, 2, true},
                                 {reference::free_tree(), 0.01, 0.8, true},
                                 {reference::spherical_chain(2), 0.004, 1, true},
                                 {reference::pendulum(), 0.01, 1, true}};
  if (with_loops) {
    models.push_back(slider_crank(0));
    models.push_back(slider_crank(0.1));
  }
  return models;
}

/// The end of a run without the error of any integrator of the catalogue that is audited here.
Observation exact_end(const AuditModel& audited) {
  const Model model(audited.description);
  if (model.topology().loop_joints.empty())
    return testing::run(audited.description, "dopri5", audited.duration, audited.duration, 1e-13)
        .observations.back();
  TreeWithLoops tree(model);
  tree.advance(audited.duration, 80);
  return tree.observe();
}

/// An integrator in a formulation that it is for.
struct Method {
  std::string integrator, formulation;
  friend std::ostream& operator<<(std::ostream& out, const Method& method) {
    return out << method.integrator << " in " << method.formulation;
  }
};

class Claims : public ::testing::TestWithParam<Method> {
 protected:
  const IntegratorEntry& entry() const { return integrators().at(GetParam().integrator, "integrator"); }
  /// In numbers: "2 stages" with as many stages as it has when nobody says.
  int order() const {
    int order = std::stoi(entry().order);
    for (const IntegratorOption& option : entry().options) {
      if (entry().order.ends_with(option.name)) order *= static_cast<int>(std::get<double>(option.standard));
    }
    return order;
  }
  bool adaptive() const { return GetParam().integrator == "dopri5"; }
  bool constrained() const { return GetParam().formulation == "rotationless"; }
  std::vector<AuditModel> models() const { return audit_models(constrained()); }
  Record run(const ModelDescription& description, double step, double duration, double tolerance = 0,
             int record_every = 1000000) const {
    StepperChoice choice{GetParam().formulation, GetParam().integrator, {}, tolerance};
    return testing::run(Model(description), choice, step, duration, record_every);
  }
  /// A run at refinement k: half the step each time, or a 32nd of the tolerance.
  Record refined(const AuditModel& model, int k) const {
    if (adaptive()) return run(model.description, 0.02, model.duration, 1e-8 / std::pow(32, k));
    return run(model.description, model.step / (1 << k), model.duration);
  }
};

TEST_P(Claims, Order) {
  for (const AuditModel& model : models()) {
    SCOPED_TRACE(model.description.name);
    const Observation exact = exact_end(model);
    const double coarse = distance(refined(model, 0).observations.back(), exact);
    const double fine = distance(refined(model, 1).observations.back(), exact);
    const double measured = std::log2(coarse / fine);
    EXPECT_GE(measured, order() - 0.4) << coarse << " -> " << fine;
  }
}

/// The books of driven and damped models balance to rounding where that is claimed, or else with the order of
/// the method.
TEST_P(Claims, Balance) {
  for (const AuditModel& model : models()) {
    SCOPED_TRACE(model.description.name);
    const Ledger coarse = refined(model, 0).ledger, fine = refined(model, 1).ledger;
    if (entry().energy == EnergyClaim::exact) {
      EXPECT_LE(coarse.energy_max_residual, 1e-12 * coarse.energy_scale);  // measured 2.7e-15
      continue;
    }
    const double floor = 1e-12 * coarse.energy_scale;
    const double measured = std::log2(coarse.energy_max_residual / larger(fine.energy_max_residual, floor));
    if (coarse.energy_max_residual < 10 * floor) continue;
    // Errors of an adaptive method follow its tolerance only roughly.
    EXPECT_GE(measured, order() - (adaptive() ? 1 : 0.5))
        << coarse.energy_max_residual << " -> " << fine.energy_max_residual;
    EXPECT_LE(fine.energy_max_residual, 2e-3 * fine.energy_scale);
  }
}

/// Motions that are regular, with steps that resolve them.
std::vector<AuditModel> regular_models(double heavy_top_step) {
  return {{reference::pendulum(), 0.01, 0, true},
          {reference::heavy_top(), heavy_top_step, 0, true},
          {reference::free_top(), 0.02, 0, true}};
}

class DecayingEnergy : public Claims {};

/// What a step takes shows beside a swing of the order of the method: the highest energies of the first and
/// the last quarter are compared.
TEST_P(DecayingEnergy, IsLessInTheEnd) {
  for (const AuditModel& model : regular_models(0.0005)) {
    SCOPED_TRACE(model.description.name);
    const Record record = run(model.description, model.step / 2, 40, 0, 1);
    double highest[2] = {-1e300, -1e300};
    for (const Observation& o : record.observations) {
      if (o.time <= 10) highest[0] = larger(highest[0], o.total());
      if (o.time >= 30) highest[1] = larger(highest[1], o.total());
    }
    EXPECT_LT(highest[1], highest[0]);  // measured 1e-8 .. 1e-5 of the scale
  }
  if (!constrained()) return;
  // In chaotic motion too. With the finer steps: with the coarser the free top blows up.
  for (const AuditModel& model : models()) {
    if (!model.conservative) continue;
    SCOPED_TRACE(model.description.name);
    const Ledger ledger = run(model.description, model.step / 2, 40).ledger;
    EXPECT_LT(ledger.energy_final, ledger.energy_initial);           // measured 1e-11 .. 6e-5 of the scale
    EXPECT_LE(ledger.energy_max_error, 1e-2 * ledger.energy_scale);  // measured 1.5e-3
  }
}

class BoundedEnergy : public Claims {};

/// A conservative model with smooth forces, without tendons that are a cone where their two ends meet, and
/// with a motion in bounds, without free fall.
AuditModel smooth_and_in_bounds(AuditModel model) {
  for (Tendon& tendon : model.description.tendons) {
    if (tendon.path.size() == 2) tendon.rest_length = 0;
  }
  for (const Joint& joint : model.description.joints) {
    if (joint.type == JointType::free) model.description.gravity = {};
  }
  return model;
}

/// Ten times the time brings no more error: on regular motions, and on all of them where that is claimed.
TEST_P(BoundedEnergy, DoesNotGrowWithTime) {
  std::vector<AuditModel> regular = regular_models(0.002);
  if (entry().energy == EnergyClaim::bounded) {
    for (const AuditModel& model : models()) {
      if (model.conservative) regular.push_back(model);
    }
  }
  for (const AuditModel& model : regular) {
    SCOPED_TRACE(model.description.name);
    const Ledger brief = run(model.description, model.step, 40).ledger;
    const Ledger lengthy = run(model.description, model.step, 400).ledger;
    const double rounding = 1e-12 * lengthy.energy_scale;
    EXPECT_LE(lengthy.energy_max_error, 1.5 * brief.energy_max_error + rounding);
  }
  if (entry().energy != EnergyClaim::bounded_if_smooth) return;
  for (const AuditModel& conservative : models()) {
    if (!conservative.conservative) continue;
    const AuditModel model = smooth_and_in_bounds(conservative);
    SCOPED_TRACE(model.description.name + ", smooth");
    // In chaotic motion higher peaks come by chance; what must not grow is the error between equal times, the
    // largest of runs that differ by 1e-9 of gravity at first.
    double halves[2] = {};
    for (const double more : {0.0, 1e-9, 2e-9, 3e-9}) {
      ModelDescription description = model.description;
      description.gravity = (1 + more) * description.gravity;
      const Record record = run(description, model.step, 400, 0, 10);
      for (const Observation& o : record.observations) {
        double& half = halves[o.time > 200];
        half = larger(half, std::abs(o.total() - record.observations.front().total()));
      }
    }
    EXPECT_LE(halves[1], 1.5 * halves[0]);  // measured 0.83 .. 1.11
  }
}

/// In joint coordinates joints cannot open, and quaternions keep their length. Otherwise the joints are
/// closed to rounding.
TEST_P(Claims, Constraints) {
  for (const AuditModel& model : models()) {
    const Ledger ledger = refined(model, 0).ledger;
    if (constrained()) {
      EXPECT_EQ(entry().constraints, "exact (position)");
      EXPECT_LE(ledger.position_max.value(), 1e-14);  // measured 8.9e-16
    } else {
      EXPECT_FALSE(ledger.position_max.has_value());
    }
    EXPECT_LE(ledger.unit_length_max_error.value_or(0), 1e-15);  // measured 2.2e-16
  }
}

/// What claims exact momenta keeps them to rounding; the others lose them with their order.
TEST_P(Claims, Momenta) {
  for (const AuditModel& model : models()) {
    SCOPED_TRACE(model.description.name);
    const Ledger coarse = refined(model, 0).ledger, fine = refined(model, 1).ledger;
    if (!coarse.angular_max_error) continue;
    if (entry().exact_momenta) {
      EXPECT_LE(*coarse.angular_max_error, 1e-11);            // measured 1.9e-14
      EXPECT_LE(coarse.linear_max_error.value_or(0), 1e-11);  // measured 2e-15
    } else {
      const double floor = 1e-11;
      EXPECT_LE(*fine.angular_max_error, *coarse.angular_max_error / std::pow(2, order() - 0.6) + floor);
    }
  }
}

/// Integrators of this version that make a claim, in every formulation that they fit.
std::vector<Method> those_that(bool (*claim)(const IntegratorEntry&)) {
  std::vector<Method> methods;
  for (const auto& [name, entry] : integrators()) {
    if (!claim(entry)) continue;
    if (entry.make_for_tree) methods.push_back({name, "joint"});
    if (entry.make_for_constrained) methods.push_back({name, "rotationless"});
  }
  return methods;
}
bool exists(const IntegratorEntry&) { return true; }
bool bounds_energy(const IntegratorEntry& entry) {
  return entry.energy == EnergyClaim::bounded || entry.energy == EnergyClaim::bounded_if_regular ||
         entry.energy == EnergyClaim::bounded_if_smooth;
}
bool loses_energy(const IntegratorEntry& entry) { return entry.energy == EnergyClaim::decays_if_regular; }
std::string test_name(const ::testing::TestParamInfo<Method>& chosen) {
  std::string name = chosen.param.integrator + "_" + chosen.param.formulation;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Integrators, Claims, ::testing::ValuesIn(those_that(exists)), test_name);
INSTANTIATE_TEST_SUITE_P(Integrators, DecayingEnergy, ::testing::ValuesIn(those_that(loses_energy)),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Integrators, BoundedEnergy, ::testing::ValuesIn(those_that(bounds_energy)),
                         test_name);

}  // namespace
}  // namespace torsor
