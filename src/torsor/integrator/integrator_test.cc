#include "torsor/integrator/integrator.h"

#include <gtest/gtest.h>

#include <limits>

#include <cmath>
#include <numbers>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/integrator/dopri5.h"
#include "torsor/integrator/implicit_midpoint.h"

namespace torsor {
namespace {

/// Two equal oscillators x'' = -x + f(t), y'' = -y + f(t), driven from t = 1 on by a unit force; the flow is
/// the work. Exact: x = x0 cos t + v0 sin t + [t > 1] (1 - cos(t - 1)).
class JumpingOscillators : public TreeSystem {
 public:
  int coordinate_count() const override { return 2; }
  int rate_count() const override { return 2; }
  int flow_count() const override { return 1; }
  static double force(double t) { return t < 1 ? 0 : 1; }
  void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                std::span<double> p) override {
    for (int i = 0; i < 2; ++i) a[i] = -q[i] + force(t);
    p[0] = force(t) * (v[0] + v[1]);
  }
  void evaluate_stages(std::span<const double> t, std::span<const double> Q, std::span<const double> V,
                       std::span<double> A, std::span<double> P) override {
    for (std::size_t i = 0; i < t.size(); ++i) {
      evaluate(t[i], Q.subspan(2 * i, 2), V.subspan(2 * i, 2), A.subspan(2 * i, 2), P.subspan(i, 1));
    }
  }
  std::unique_ptr<StiffInverse> make_stiff_inverse(int) const override { return nullptr; }
  void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                        std::span<double> a, std::span<double> J) override {
    for (int i = 0; i < 2; ++i) a[i] = -(q0[i] + s * v[i]) + force(t);
    J[0] = J[3] = -s;
    J[1] = J[2] = 0;
  }
  void retract(std::span<const double> q0, std::span<const double> step,
               std::span<double> q1) const override {
    for (int i = 0; i < 2; ++i) q1[i] = q0[i] + step[i];
  }
  void chart_rate(std::span<const double>, std::span<const double> v, std::span<double> rate) const override {
    std::copy(v.begin(), v.end(), rate.begin());
  }
  void collocate(const StageStep& step, std::span<const double> V, std::span<double> Q,
                 std::span<double> dq) const override {
    const int s = static_cast<int>(step.b.size());
    for (int k = 0; k < 2; ++k) {
      dq[k] = 0;
      for (int i = 0; i < s; ++i) {
        Q[2 * i + k] = step.q0[k];
        for (int j = 0; j < s; ++j) Q[2 * i + k] += step.h * step.lean[i * s + j] * step.b[j] * V[2 * j + k];
        dq[k] += step.h * step.b[i] * V[2 * i + k];
      }
    }
  }
  void momenta(std::span<const double>, std::span<const double> v, std::span<double> p) override {
    std::copy(v.begin(), v.end(), p.begin());
  }
  void rates(std::span<const double>, std::span<const double> p, std::span<double> v) override {
    std::copy(p.begin(), p.end(), v.begin());
  }
  void discrete_momenta(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                        std::span<double> p1, std::span<double> power) override {
    const double q[2]{step.q0[0] + 0.5 * step.h * w[0], step.q0[1] + 0.5 * step.h * w[1]};
    double a[2];
    evaluate(step.time, q, w, a, power);
    for (int i = 0; i < 2; ++i) {
      p0[i] = w[i] - 0.5 * step.h * a[i];
      p1[i] = w[i] + 0.5 * step.h * a[i];
    }
  }
  void discrete_tangent(const DiscreteStep& step, std::span<const double> w, std::span<double> p0,
                        std::span<double> J) override {
    double a[2];
    evaluate_tangent(step.time, step.q0, 0.5 * step.h, w, a, J);
    for (int i = 0; i < 2; ++i) p0[i] = w[i] - 0.5 * step.h * a[i];
    for (int i = 0; i < 4; ++i) J[i] = (i % 3 == 0 ? 1.0 : 0.0) - 0.5 * step.h * J[i];
  }
  const std::vector<double>& breakpoints() const override { return kinks_; }

  static TreeState start() { return {0, {0.3, -1}, {0.5, 0}, {}}; }
  static double exact(int i, double t) {
    const TreeState s = start();
    const double response = t > 1 ? 1 - std::cos(t - 1) : 0;
    return s.q[i] * std::cos(t) + s.v[i] * std::sin(t) + response;
  }

 private:
  std::vector<double> kinks_{1.0};
};

double error_at(const TreeIntegrator& integrator) {
  const TreeState& state = integrator.state();
  return larger(std::abs(state.q[0] - JumpingOscillators::exact(0, state.time)),
                std::abs(state.q[1] - JumpingOscillators::exact(1, state.time)));
}

double final_error(TreeIntegrator& integrator, double h, double duration) {
  const int steps = static_cast<int>(std::lround(duration / h));
  for (int i = 0; i < steps; ++i) integrator.step(h);
  return error_at(integrator);
}

TEST(Integrator, OrderSurvivesAJumpOnTheGrid) {
  for (const auto& [name, order] : {std::pair{"rkmk2", 2},
                                    {"rkmk3", 3},
                                    {"rkmk4", 4},
                                    {"implicit-midpoint", 2},
                                    {"generalized-alpha", 2},
                                    {"variational", 2},
                                    {"gauss-legendre", 4}}) {
    JumpingOscillators system;
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      auto integrator = make_tree_integrator(name, {}, system, JumpingOscillators::start());
      errors[k] = final_error(*integrator, 0.1 / (1 << k), 3);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.2) << name;  // measured 2.08, 2.96, 4.09, 2.00 ..
  }
}

TEST(Integrator, Dopri5OfFixedStepsKeepsItsOrder) {
  JumpingOscillators system;
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    auto integrator =
        make_tree_integrator("dopri5", {{"steps", "fixed"}}, system, JumpingOscillators::start());
    errors[k] = final_error(*integrator, 0.1 / (1 << k), 3);
    EXPECT_EQ(integrator->evaluations(), 6 * (30 << k));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 5, 0.2);
  EXPECT_EQ(error_tolerance("dopri5", {{"steps", "fixed"}}), 0);
}

TEST(Integrator, Dopri5StepsOntoAJump) {
  JumpingOscillators system;
  Dopri5 integrator(system, JumpingOscillators::start(), {.tolerance = 1e-12});
  double worst = 0;
  for (int i = 0; i < 37; ++i) {
    integrator.step(0.1);
    worst = larger(worst, error_at(integrator));
  }
  EXPECT_LE(worst, 1e-11);                // measured 7e-13, at dense output times
  EXPECT_LE(integrator.rejected(), 3);    // a jump inside a step would cost dozens
  EXPECT_LE(integrator.accepted(), 700);  // measured 273
}

/// The work is the change of energy: both come from the same steps.
TEST(Integrator, FlowsBalanceTheEnergy) {
  JumpingOscillators system;
  Dopri5 integrator(system, JumpingOscillators::start(), {.tolerance = 1e-11});
  const auto energy = [](const TreeState& s) {
    return 0.5 * (s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.q[0] * s.q[0] + s.q[1] * s.q[1]);
  };
  const double start = energy(integrator.state());
  for (int i = 0; i < 50; ++i) {
    integrator.step(0.073);
    EXPECT_NEAR(energy(integrator.state()) - start, integrator.state().z[0], 1e-10);  // measured 1.3e-11
  }
}

TEST(Integrator, Dopri5ErrorFollowsItsTolerance) {
  JumpingOscillators system;
  for (double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    Dopri5 integrator(system, JumpingOscillators::start(), {.tolerance = tolerance});
    const double error = final_error(integrator, 0.05, 20);
    EXPECT_LE(error, 50 * tolerance);  // measured 5 tolerances at most
  }
}

TEST(Integrator, ClockDoesNotDrift) {
  Clock clock;
  for (int i = 0; i < 1000000; ++i) clock.advance(0.01);
  EXPECT_NEAR(clock.time(), 10000.0, 2e-12);  // measured 0: one ulp is 1.8e-12
}

/// x'' = x^2 from rest at 6 blows up in finite time.
class Explosion : public JumpingOscillators {
 public:
  void evaluate(double, std::span<const double> q, std::span<const double>, std::span<double> a,
                std::span<double> p) override {
    for (int i = 0; i < 2; ++i) a[i] = q[i] * q[i];
    p[0] = 0;
  }
  void evaluate_tangent(double, std::span<const double> q0, double s, std::span<const double> v,
                        std::span<double> a, std::span<double> J) override {
    for (int i = 0; i < 2; ++i) {
      const double x = q0[i] + s * v[i];
      a[i] = x * x;
      J[3 * i] = 2 * x * s;
    }
    J[1] = J[2] = 0;
  }
};

TEST(Integrator, AFailedStepLeavesTheLastGoodState) {
  for (const char* name : {"rkmk2", "rkmk3", "rkmk4", "dopri5", "implicit-midpoint", "generalized-alpha",
                           "variational", "gauss-legendre"}) {
    SCOPED_TRACE(name);
    Explosion system;
    auto integrator = make_tree_integrator(name, {}, system, {0, {6, 6}, {0, 0}, {}});
    TreeState before;
    bool failed = false;
    for (int i = 0; i < 1000 && !failed; ++i) {
      before = integrator->state();
      try {
        integrator->step(0.05);
      } catch (const StepFailure& failure) {
        failed = true;
        EXPECT_FALSE(failure.advice.empty());
        EXPECT_GE(failure.time, before.time);
      }
    }
    ASSERT_TRUE(failed);
    const TreeState& after = integrator->state();
    EXPECT_GE(after.time, before.time);
    EXPECT_TRUE(all_finite(after.q) && all_finite(after.v) && all_finite(after.z));
    if (std::string(name) != "dopri5") {
      EXPECT_EQ(after.q, before.q);
      EXPECT_EQ(after.v, before.v);
    }
  }
}

std::string refusal(const std::string& name, const IntegratorOptions& options) {
  JumpingOscillators system;
  try {
    make_tree_integrator(name, options, system, JumpingOscillators::start());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Catalogue, KnowsWhatItHasAndWhatItDoesNot) {
  EXPECT_EQ(refusal("dopri5", {{"tolerance", 1e-6}}), "");
  EXPECT_NE(refusal("dopri", {}).find("did you mean 'dopri5'"), std::string::npos);
  EXPECT_NE(refusal("petrov-galerkin", {}).find("'petrov-galerkin', which goes with the formulation"),
            std::string::npos);
  EXPECT_NE(refusal("petrov-galerkin", {})
                .find("implicit-midpoint, generalized-alpha, rkmk2, rkmk3, rkmk4, dopri5"),
            std::string::npos);
  EXPECT_EQ(refusal("gauss-legendre", {{"stages", 10.0}, {"iteration", "fixed-point"}}), "");
  EXPECT_NE(refusal("gauss-legendre", {{"stages", 0.0}}).find("a whole number from 1 to 10"),
            std::string::npos);
  EXPECT_NE(refusal("dopri5", {{"tolerence", 1.0}}).find("did you mean 'tolerance'"), std::string::npos);
  EXPECT_NE(refusal("dopri5", {{"tolerance", "small"}}).find("expected a number"), std::string::npos);
  EXPECT_NE(refusal("dopri5", {{"tolerance", -1.0}}).find("simulation.integrator.tolerance"),
            std::string::npos);
  EXPECT_NE(refusal("rkmk4", {{"tolerance", 1e-6}}).find("takes none"), std::string::npos);
}

/// From t = 0.35 on, one number that the system hands out is none.
class PoisonedOscillators : public JumpingOscillators {
 public:
  explicit PoisonedOscillators(int place) : place_(place) {}
  void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                std::span<double> p) override {
    JumpingOscillators::evaluate(t, q, v, a, p);
    double* number = place_ < 2 ? &a[place_] : p.empty() ? nullptr : p.data();
    if (t > 0.35 && number) *number = std::numeric_limits<double>::quiet_NaN();
  }
  void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                        std::span<double> a, std::span<double> J) override {
    JumpingOscillators::evaluate_tangent(t, q0, s, v, a, J);
    if (t > 0.35 && place_ < 2) a[place_] = std::numeric_limits<double>::quiet_NaN();
  }

 private:
  int place_;  ///< an acceleration, or the power
};

TEST(Integrator, FailsOnWhatIsNotANumberWhereverItStands) {
  for (const auto& [name, entry] : integrators()) {
    if (!entry.make_for_tree) continue;
    for (const double adaptive : {0.0, 1e-6}) {
      if (adaptive > 0 && name != "gauss-legendre") continue;
      for (int place = 0; place < 3; ++place) {
        PoisonedOscillators system(place);
        IntegratorOptions options;
        if (adaptive > 0) options["adaptive"] = adaptive;
        auto integrator = make_tree_integrator(name, options, system, JumpingOscillators::start());
        bool failed = false;
        try {
          for (int i = 0; i < 8; ++i) integrator->step(0.1);
        } catch (const StepFailure&) {
          failed = true;
        }
        const TreeState& state = integrator->state();
        EXPECT_TRUE(failed) << name << " " << place;
        EXPECT_LT(state.time, 0.41) << name << " " << place;
        EXPECT_TRUE(std::isfinite(max_abs(state.q) + max_abs(state.v) + max_abs(state.z))) << name << place;
      }
    }
  }
}

}  // namespace
}  // namespace torsor
