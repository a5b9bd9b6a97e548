#include "torsor/integrator/generalized_alpha.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/runs.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

std::unique_ptr<Stepper> stepper_for(const Model& model, double rho) {
  return make_stepper(
      model, {.formulation = "rotationless", .integrator = "generalized-alpha", .options = {{"rho", rho}}});
}

Record run(const ModelDescription& description, double rho, double step, double duration,
           int record_every = 1000000) {
  const Model model(description);
  return simulate(*stepper_for(model, rho),
                  {.step = step, .duration = duration, .record_every = record_every});
}

Record run_energy_momentum(const ModelDescription& description, double step, double duration) {
  const Model model(description);
  const auto stepper =
      make_stepper(model, {.formulation = "rotationless", .integrator = "energy-momentum", .options = {}});
  return simulate(*stepper, {.step = step, .duration = duration, .record_every = 1000000});
}

ModelDescription double_pendulum() {
  ModelDescription d = reference::three_link_arm();
  d.name = "double pendulum";
  d.bodies.resize(2);
  d.joints.resize(2);
  d.initial = {};
  return d;
}

/// Driven by an effort that rises to 2 N m and is gone at once at 0.5 s.
ModelDescription jerked_pendulum() {
  ModelDescription d = double_pendulum();
  d.name = "jerked pendulum";
  d.actuators = {{"motor", 0, 0, make_hat(2, 0.5, 0.5)}};
  return d;
}

ModelDescription falling_four_bar() {
  ModelDescription d = reference::four_bar(0.5, 1.5, 1, 1.5);
  d.gravity = {0, -9.81, 0};
  d.initial.joints = {{"drive", {kPi / 2}}, {"crank_pin", {-1.3}}, {"pivot", {kPi / 2}}};
  d.initial.rates = {{"drive", {2}}};
  d.initial.assemble = true;
  return d;
}

/// models/double_four_bar.yaml: twice a turn through a singular position.
ModelDescription double_four_bar() {
  ModelDescription d = reference::parallel_four_bars(2);
  d.gravity = {0, -9.81, 0};
  for (const Joint& joint : d.joints) {
    const bool top = joint.name.starts_with("top");
    d.initial.joints[joint.name] = {top ? -kPi / 2 : kPi / 2};
    d.initial.rates[joint.name] = {top ? 1.0 : -1.0};
  }
  return d;
}

/// Of positions and velocities.
double order(const ModelDescription& description, double rho, const Observation& reference, double step,
             double duration) {
  std::vector<double> steps, errors;
  for (int k = 0; k < 3; ++k) {
    steps.push_back(step / (1 << k));
    const Record record = run(description, rho, steps.back(), duration);
    EXPECT_FALSE(record.failure.has_value());
    EXPECT_LE(*record.ledger.position_max, 1e-12);  // measured 9e-16
    errors.push_back(testing::distance(record.observations.back(), reference));
  }
  return testing::fitted_order(steps, errors);
}

TEST(GeneralizedAlpha, OrderTwoOnTrees) {
  for (const ModelDescription& d :
       {double_pendulum(), jerked_pendulum(), reference::driven_arm(), reference::free_tree()}) {
    const Observation reference = testing::run(d, "dopri5", 1, 1, 1e-12).observations.back();
    for (double rho : {0.0, 0.5, 0.9, 1.0}) {
      EXPECT_NEAR(order(d, rho, reference, 0.01, 1), 2, 0.1)  // measured 1.98 to 2.00
          << d.name << ", rho " << rho;
    }
  }
}

TEST(GeneralizedAlpha, OrderTwoOnALoop) {
  const ModelDescription d = falling_four_bar();
  const Observation reference = run_energy_momentum(d, 2e-5, 0.5).observations.back();
  for (double rho : {0.0, 0.5, 0.9, 1.0}) {
    EXPECT_NEAR(order(d, rho, reference, 0.002, 0.5), 2, 0.1) << "rho " << rho;  // measured 2.00
  }
}

/// A uniform rod of 1 m and 1 kg on a hinge by its six coordinates (phi, d_1, d_2) and all five multipliers,
/// those inside the body too, with the total coordinates as unknowns: (1)-(3) as they are printed.
class RodWithAllMultipliers {
 public:
  RodWithAllMultipliers() {
    x_ << 0.5, 0, 1, 0, 0, 1;
    mass_ << 1, 1, 1.0 / 24, 1.0 / 24, 1.0 / 24, 1.0 / 24;
    a_ = accelerations_ = (Vector() << 0, -0.75 * 9.81, 0, -1.5 * 9.81, 1.5 * 9.81, 0).finished();
  }
  Eigen::Vector2d step(double h, double rho) {  ///< the centre of mass after it
    const double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    const double gamma = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const Vector gravity = (Vector() << 0, -9.81, 0, 0, 0, 0).finished();
    const double slope = (1 - alpha_m) / ((1 - alpha_f) * beta * h * h);  // of x'' by x
    Vector x = x_ + h * v_, a, accelerations;
    for (int i = 0; i < 20; ++i) {
      a = ((x - x_) / (h * h) - v_ / h - (0.5 - beta) * a_) / beta;
      accelerations = ((1 - alpha_m) * a + alpha_m * a_ - alpha_f * accelerations_) / (1 - alpha_f);
      Eigen::Matrix<double, 5, 6> G = Eigen::Matrix<double, 5, 6>::Zero();
      G.block<1, 2>(0, 2) = G.block<1, 2>(2, 4) = x.segment<2>(2).transpose();
      G.block<1, 2>(1, 4) = G.block<1, 2>(2, 2) = x.segment<2>(4).transpose();
      for (int k = 0; k < 2; ++k) {
        G(3 + k, k) = 1;
        G(3 + k, 2 + k) = -0.5;
      }
      Eigen::VectorXd r(11);
      r.head(6) = mass_.cwiseProduct(accelerations - gravity) + G.transpose() * lambda_;
      const Eigen::Vector2d d_1 = x.segment<2>(2), d_2 = x.segment<2>(4);
      r.segment<3>(6) << 0.5 * (d_1.dot(d_1) - 1), 0.5 * (d_2.dot(d_2) - 1), d_1.dot(d_2);
      r.tail(2) = x.head(2) - 0.5 * d_1;
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(11, 11);
      K.diagonal().head(6) = slope * mass_;
      for (int k = 0; k < 2; ++k) {
        K(2 + k, 2 + k) += lambda_[0];
        K(4 + k, 4 + k) += lambda_[1];
        K(2 + k, 4 + k) = K(4 + k, 2 + k) = lambda_[2];
      }
      K.topRightCorner(6, 5) = G.transpose();
      K.bottomLeftCorner(5, 6) = G;
      const Eigen::VectorXd change = K.partialPivLu().solve(r);
      x -= change.head(6);
      lambda_ -= change.tail(5);
    }
    v_ += h * ((1 - gamma) * a_ + gamma * a);
    a_ = a;
    accelerations_ = accelerations;
    x_ = x;
    return x_.head(2);
  }

 private:
  using Vector = Eigen::Matrix<double, 6, 1>;
  Vector x_, v_ = Vector::Zero(), mass_, a_, accelerations_;
  Eigen::Matrix<double, 5, 1> lambda_ = Eigen::Matrix<double, 5, 1>::Zero();
};

TEST(GeneralizedAlpha, IncrementsInTheChartGiveTheStepsOfTheFullSetOfMultipliers) {
  for (double rho : {0.0, 0.5, 0.9}) {
    const Record record = run(reference::pendulum(), rho, 0.02, 2, 1);
    RodWithAllMultipliers rod;
    double largest = 0;
    for (std::size_t i = 1; i < record.observations.size(); ++i) {
      const Eigen::Vector2d expected = rod.step(0.02, rho);
      const Vec3<double> com = record.observations[i].bodies[0].com;
      largest = larger({largest, std::abs(com.x - expected.x()), std::abs(com.y - expected.y())});
    }
    EXPECT_LE(largest, 1e-13) << "rho " << rho;  // measured 9e-15
  }
}

/// A mass on a spring along a guide, at 1600 periods a step: the three roots of the amplification matrix meet
/// at -rho, so that positions obey (E + rho)^3 x = 0 with the shift E.
TEST(GeneralizedAlpha, LeavesRhoOfStiffModes) {
  ModelDescription d;
  d.name = "mass on a spring";
  d.dimension = 2;
  d.bodies = {reference::pendulum().bodies[0]};
  Joint guide = reference::pendulum().joints[0];
  guide.type = JointType::prismatic;
  guide.axis = {1, 0, 0};
  d.joints = {guide};
  JointSpring spring;
  spring.name = "spring";
  spring.stiffness = {1e8};
  d.joint_springs = {spring};
  d.initial.joints = {{guide.name, {0.01}}};
  for (double rho : {0.0, 0.3, 0.6, 0.9, 1.0}) {
    const Record record = run(d, rho, 1, 12, 1);
    const auto stretch = [&](int n) { return record.observations[n].joints[0].position[0]; };
    EXPECT_GT(std::abs(stretch(2)), 0.002);
    for (int n = 1; n <= 9; ++n) {
      EXPECT_NEAR(stretch(n + 3) + 3 * rho * stretch(n + 2) + 3 * rho * rho * stretch(n + 1) +
                      rho * rho * rho * stretch(n),
                  0, 1e-8)  // measured 3e-10
          << "rho " << rho << ", step " << n;
    }
  }
}

/// Another program's generalized-alpha errs by 0.114 J on this benchmark.
TEST(GeneralizedAlpha, TakesEnergyFromADoubleFourBar) {
  struct Case {
    double rho, largest, last;
  };
  for (const Case& c : {Case{0, 1.6, -0.8}, {0.5, 0.23, -0.03}, {0.9, 0.13, -0.0003}}) {
    const Ledger ledger = run(double_four_bar(), c.rho, 0.01, 10).ledger;
    EXPECT_EQ(ledger.time, 10);
    EXPECT_LE(ledger.energy_max_error, c.largest);                   // measured 1.55, 0.226, 0.125 J
    EXPECT_LE(ledger.energy_final - ledger.energy_initial, c.last);  // measured -0.90, -0.035, -0.00036 J
    EXPECT_LE(*ledger.position_max, 1e-12);                          // measured 9e-16
  }
}

/// Without damping, what constraints excite grows in nonlinear motion, until a step fails.
TEST(GeneralizedAlpha, AFailedStepLeavesTheLastGoodState) {
  const Model model(falling_four_bar());
  const auto stepper = stepper_for(model, 1);
  Observation before = stepper->make_observation(), after = before;
  bool failed = false;
  for (int i = 0; i < 1000 && !failed; ++i) {
    stepper->observe(before);
    try {
      stepper->step(0.01);
    } catch (const StepFailure& failure) {
      failed = true;
      EXPECT_FALSE(failure.advice.empty());
      EXPECT_EQ(failure.time, before.time);
    }
  }
  ASSERT_TRUE(failed);  // measured at 2 s
  stepper->observe(after);
  EXPECT_EQ(after.time, before.time);
  EXPECT_EQ(after.total(), before.total());
  EXPECT_LE(testing::distance(after, before), 1e-15);  // measured 2e-17
  stepper->step(0.001);
  EXPECT_GT(stepper->time(), before.time);
}

std::string refusal(const char* formulation, double rho) {
  const Model model(reference::pendulum());
  try {
    make_stepper(model,
                 {.formulation = formulation, .integrator = "generalized-alpha", .options = {{"rho", rho}}});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(GeneralizedAlpha, RhoIsAFraction) {
  for (const char* formulation : {"joint", "rotationless"}) {
    EXPECT_EQ(refusal(formulation, 0), "");
    EXPECT_EQ(refusal(formulation, 1), "");
    EXPECT_NE(refusal(formulation, 1.1).find("simulation.integrator.rho"), std::string::npos);
    EXPECT_NE(refusal(formulation, -0.1).find("a number from 0 to 1"), std::string::npos);
  }
}

}  // namespace
}  // namespace torsor
