// One body that turns: a free one against Jacobi's elliptic functions, symmetrical tops against their
// reduction to one degree of freedom, and what each integrator keeps of the two momenta of a top.

#include <gtest/gtest.h>

#include <cmath>

#include "testing/body_rotations.h"
#include "testing/runs.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

using namespace testing;

Model gallery_model(const std::string& name) {
  return load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
}

BodyRotation rotation_of(const Observation& o) {
  const BodyObservation& body = o.bodies[0];
  return {body.rotation, transpose_times(matrix(body.rotation), body.angular_velocity)};
}

/// Angle between the two [rad], and the difference of angular velocities over their size.
double apart(const BodyRotation& a, const BodyRotation& b) {
  return larger(norm(log(inverse(a.rotation) * b.rotation)),
                norm(a.angular_rate - b.angular_rate) / norm(b.angular_rate));
}

/// The top of a model file: a body on a spherical joint at the origin.
LagrangeTop top_of(const Model& model) {
  const Body& body = model.bodies()[0];
  const double I[3] = {body.inertia.xx, body.inertia.yy, body.inertia.zz};
  LagrangeTop top;
  for (int i = 0; i < 3; ++i) {
    if (body.com[i] != 0) top.axis = i;
  }
  const double distance = body.com[top.axis];
  top.along = I[top.axis];
  top.across = I[(top.axis + 1) % 3] + body.mass * distance * distance;
  top.weight_moment = -body.mass * model.gravity().z * distance;
  return top;
}

const StepperChoice kDopri5{"joint", "dopri5", {}, 1e-13};
const StepperChoice kGaussLegendre{"joint", "gauss-legendre", {{"stages", 3.0}}, 0};
const StepperChoice kVariational{"joint", "variational", {}, 0};
const StepperChoice kEnergyMomentum{"rotationless", "energy-momentum", {}, 0};

/// About the first, near the middle and about the last axis, forwards and backwards; the last is the
/// gallery's, which turns over and over close to the separatrix.
TEST(TumblingBody, FollowsEllipticFunctions) {
  for (const Vec3<double>& rate :
       {Vec3<double>{3, 1, 0.5}, {0.5, -2, 1.2}, {-0.4, 1, 3}, {-2, 0.3, -1}, {0.01, 6, 0}}) {
    ModelDescription d = parse_description(read_source(std::string(TORSOR_MODELS) + "/free_body.yaml"));
    d.initial.bodies["tumbler"].angular_velocity = rate;
    const Record record = run(Model(d), kDopri5, 0.05, 10);
    const Record gauss = run(Model(d), kGaussLegendre, 0.005, 10);
    const BodyRotation exact = tumble({0.1, 0.2, 0.28}, rotation_of(record.observations.front()), 10, 400);
    EXPECT_LE(apart(rotation_of(record.observations.back()), exact),
              1e-10);  // measured 6e-13, the last 1.0e-11
    EXPECT_LE(apart(rotation_of(gauss.observations.back()), exact), 1e-12);  // measured 7.6e-14
  }
}

TEST(TumblingBody, IsReachedWithOrderTwo) {
  const Model model = gallery_model("free_body");
  for (const StepperChoice& choice : {kVariational, kEnergyMomentum}) {
    std::vector<double> steps, errors;
    for (int k = 0; k < 4; ++k) {
      steps.push_back(0.002 / (1 << k));
      const Record record = run(model, choice, steps.back(), 3);
      const BodyRotation exact = tumble({0.1, 0.2, 0.28}, rotation_of(record.observations.front()), 3, 200);
      errors.push_back(apart(rotation_of(record.observations.back()), exact));
    }
    EXPECT_NEAR(fitted_order(steps, errors), 2, 0.05) << choice.integrator;  // measured 2.0000
  }
}

TEST(References, OfTheTopAgree) {
  const Model model = gallery_model("disc_top");
  const BodyRotation start = rotation_of(run(model, kDopri5, 0.01, 0.01).observations.front());
  EXPECT_LE(apart(spin(top_of(model), start, 10, 400), turn(top_of(model), start, 10, 1000)),
            1e-13);  // measured 1e-14
}

struct Whirl {
  const char* model;
  double step, duration;
};

/// Precession, nutation and spin. The top of the literature passes the vertical within 1e-6 rad, where Euler
/// angles fail.
TEST(Tops, FollowEulersEquations) {
  for (const Whirl& top : {Whirl{"disc_top", 0.002, 10}, Whirl{"heavy_top", 0.0005, 2}}) {
    SCOPED_TRACE(top.model);
    const Model model = gallery_model(top.model);
    const Record record = run(model, kDopri5, 0.01, top.duration);
    const BodyRotation start = rotation_of(record.observations.front());
    const BodyRotation exact = turn(top_of(model), start, top.duration, 2000);
    EXPECT_LE(apart(rotation_of(record.observations.back()), exact), 1e-10);  // measured 2.1e-11, 1.0e-11
    const Record gauss = run(model, kGaussLegendre, top.step, top.duration);
    EXPECT_LE(apart(rotation_of(gauss.observations.back()), exact), 1e-9);  // measured 3.9e-13, 2.6e-10
    for (const StepperChoice& choice : {kVariational, kEnergyMomentum}) {
      std::vector<double> steps, errors;
      for (int k = 0; k < 4; ++k) {
        steps.push_back(top.step / (1 << k));
        errors.push_back(
            apart(rotation_of(run(model, choice, steps.back(), top.duration).observations.back()), exact));
      }
      // variational: 2.3e-5 and 1.1e-4 with the last step; energy-momentum: 7.2e-5 and 2.2e-3
      EXPECT_NEAR(fitted_order(steps, errors), 2, 0.05) << choice.integrator;  // measured 2.000 within 4e-4
    }
  }
}

/// Largest relative deviation of the momenta about the vertical and about the figure axis.
struct Kept {
  double vertical = 0, figure = 0;
};
Kept kept(const Model& model, const StepperChoice& choice, double step, long steps) {
  const LagrangeTop top = top_of(model);
  const auto stepper = make_stepper(model, choice);
  Observation now = stepper->make_observation();
  stepper->observe(now);
  const auto figure = [&] { return top.along * rotation_of(now).angular_rate[top.axis]; };
  const double vertical0 = now.angular_momentum.z, figure0 = figure();
  Kept result;
  for (long i = 0; i < steps; ++i) {
    stepper->step(step);
    stepper->observe(now);
    result.vertical = larger(result.vertical, std::abs(now.angular_momentum.z / vertical0 - 1));
    result.figure = larger(result.figure, std::abs(figure() / figure0 - 1));
  }
  return result;
}

/// Both are momenta of symmetries of the discrete Lagrangian.
TEST(Tops, KeepBothMomentaByTheVariationalIntegrator) {
  const Kept errors = kept(gallery_model("disc_top"), kVariational, 0.01, 100000);
  EXPECT_LE(errors.vertical, 1e-12);  // measured 6.8e-14
  EXPECT_LE(errors.figure, 1e-12);    // measured 2.4e-14
}

/// omega_3' = 0 is linear and kept by any Runge-Kutta method; the vertical momentum is cubic in quaternion
/// and rates, and kept as well as the steps resolve the motion.
TEST(Tops, KeepBothMomentaByGaussLegendreWhereStepsResolveThem) {
  const auto three = [](double step, long steps) {
    return kept(gallery_model("disc_top"), kGaussLegendre, step, steps);
  };
  const Kept fine = three(0.001, 100000), coarse = three(0.01, 100000);
  EXPECT_LE(fine.vertical, 1e-12);   // measured 7.8e-15
  EXPECT_LE(fine.figure, 1e-12);     // measured 1.3e-15
  EXPECT_LE(coarse.vertical, 1e-9);  // measured 6.5e-11
  EXPECT_LE(coarse.figure, 1e-12);   // measured 1.7e-14
}

/// The symmetry of the world is that of energy-momentum; the one of the body is not, since the middle of a
/// step is no rotation: its momentum swings with h^2 and does not drift.
TEST(Tops, KeepTheVerticalMomentumByEnergyMomentum) {
  const Model model = gallery_model("disc_top");
  const Kept errors = kept(model, kEnergyMomentum, 0.01, 100000);
  EXPECT_LE(errors.vertical, 1e-12);  // measured 3.1e-14
  const double brief = kept(model, kEnergyMomentum, 0.01, 1000).figure;
  EXPECT_LE(errors.figure, 1.2 * brief);                                          // measured 3.8e-4, either
  EXPECT_NEAR(brief / kept(model, kEnergyMomentum, 0.005, 2000).figure, 4, 0.2);  // measured 4.01
}

}  // namespace
}  // namespace torsor
