#include "torsor/formulation/cartesian/cartesian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/linkages.h"
#include "testing/models.h"
#include "testing/numbers.h"
#include "testing/random_planar_links.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

ModelDescription random_arm(unsigned seed) {
  ModelDescription d = random_planar_links(8, seed);
  add_every_element(d, seed);
  return d;
}

/// A mechanism in both coordinates, and one step of length h from a random state.
struct Probe {
  explicit Probe(const ModelDescription& description, unsigned seed = 1)
      : model(description),
        system(model),
        observer(system),
        full(model, 0),
        full_observer(full.work()),
        x_R(full.coordinate_count()),
        v_R(x_R.size()) {
    for (std::vector<double>* of : {&x, &v, &dx, &x_b, &w, &velocity}) of->resize(system.coordinate_count());
    for (std::vector<double>* of : {&dx_R, &x_b_R, &w_R, &velocity_R}) of->resize(x_R.size());
    angles.resize(system.angle_count());
    angles_R.resize(system.angle_count());
    std::mt19937 random(seed);
    q = random_vector(model.coordinate_count(), random);
    qd = random_vector(model.rate_count(), random);
    for (double& angle : q) angle *= 5;
    observer.start(model, q, qd, x, v, angles);
    full_observer.start(model, q, qd, x_R, v_R, angles_R);
  }
  static ConstrainedPoint point_of(std::span<const double> a, std::span<const double> b,
                                   std::span<const double> angles, std::span<const double> w,
                                   std::span<const double> velocity, double kappa) {
    ConstrainedPoint point;
    point.time = 0.3 + 0.5 * h;
    point.end_time = 0.3 + h;
    point.start_time = kappa == 1 ? point.end_time : 0.3;
    point.x_a = kappa == 1 ? b : a;
    point.x_b = b;
    point.angles = angles;
    point.w = w;
    point.velocity = velocity;
    point.velocity_gain = 1 / h;
    point.kappa = kappa;
    point.force_gain = 0.5 * h * h;
    return point;
  }
  ConstrainedPoint point_at(std::span<const double> unknowns, double kappa) {
    system.retract(x, unknowns, dx, x_b);
    for (std::size_t i = 0; i < dx.size(); ++i) {
      w[i] = dx[i] - h * v[i];
      velocity[i] = dx[i] / h;
    }
    return point_of(x, x_b, angles, w, velocity, kappa);
  }
  ConstrainedPoint full_point_at(std::span<const double> unknowns, double kappa) {
    full.retract(x_R, unknowns, dx_R, x_b_R);
    for (std::size_t i = 0; i < dx_R.size(); ++i) {
      w_R[i] = dx_R[i] - h * v_R[i];
      velocity_R[i] = dx_R[i] / h;
    }
    return point_of(x_R, x_b_R, angles_R, w_R, velocity_R, kappa);
  }
  /// Sizes of Newton's corrections, each with a fresh tangent.
  static std::vector<double> newton(ConstrainedSystem& of, std::vector<double>& unknowns, auto&& point_at) {
    std::vector<double> sizes, r(unknowns.size());
    for (int i = 0; i < 8; ++i) {
      const ConstrainedPoint point = point_at(unknowns);
      of.residual(point, unknowns, r);
      EXPECT_TRUE(of.factorise(point, unknowns));
      of.solve(r);
      of.correct(r, unknowns);
      sizes.push_back(of.size(r));
    }
    return sizes;
  }

  static constexpr double h = 0.01;
  Model model;
  Cartesian system;
  CartesianObserver observer;
  Rotationless<2> full;
  RotationlessObserver<2> full_observer;
  std::vector<double> q, qd, x, v, angles, x_R, v_R, angles_R;
  std::vector<double> dx, x_b, w, velocity, dx_R, x_b_R, w_R, velocity_R;
};

TEST(Cartesian, TwoCoordinatesAndOneUnknownALink) {
  const Cartesian arm{Model(reference::three_link_arm())};
  EXPECT_EQ(arm.coordinate_count(), 6);
  EXPECT_EQ(arm.unknown_count(), 3);
}

TEST(Cartesian, EmbeddedStateIsThatOfDirectors) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Probe probe(random_arm(seed), seed);
    std::vector<double> x_R(probe.x_R.size()), v_R(x_R.size()), x(probe.x.size());
    probe.system.embedding().embed(probe.x, x_R);
    probe.system.embedding().embed_rates(probe.v, v_R);
    EXPECT_LT(relative_error(x_R, probe.x_R), 3e-14);                // measured 3e-15
    EXPECT_LT(relative_error(v_R, probe.v_R), 1e-12);                // measured 3e-14
    EXPECT_LT(relative_error(probe.angles, probe.angles_R), 3e-14);  // measured 1.2e-15
    probe.system.embedding().coordinates_of(x_R, x);
    EXPECT_EQ(x, probe.x);
  }
}

TEST(Cartesian, EveryIncrementKeepsTheLengths) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Probe probe(random_arm(seed), seed);
    std::mt19937 random(seed);
    const std::vector<double> unknowns = random_vector(probe.system.unknown_count(), random);
    probe.point_at(unknowns, 0.5);
    EXPECT_LT(probe.observer.position_error(probe.x_b, probe.angles), 1e-13);  // measured 7e-15
    probe.system.embedding().embed(probe.x_b, probe.x_b_R);
    EXPECT_LT(probe.full_observer.position_error(probe.x_b_R, probe.angles), 2e-13);  // measured 2e-14
  }
}

/// (2) of cartesian.h: the work of what Rotationless leaves, on displacements that turn every link.
TEST(Cartesian, ResidualIsTheWorkOnTurnsOfTheLinks) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const double kappa : {0.5, 1.0}) {
      Probe probe(random_arm(seed), seed);
      const int n = probe.system.unknown_count();
      std::mt19937 random(seed);
      std::vector<double> unknowns = random_vector(n, random), r(n), way = random_vector(n, random);
      for (double& turn : unknowns) turn *= 0.1;
      const ConstrainedPoint point = probe.point_at(unknowns, kappa);
      probe.system.residual(point, unknowns, r);

      // The same point in directors, without multipliers.
      std::vector<double> start_R(probe.x_R.size()), of_full(probe.full.unknown_count()),
          zero(of_full.size());
      ConstrainedPoint inner = point;
      probe.system.embedding().embed(point.x_a, start_R);
      probe.system.embedding().embed(point.x_b, probe.x_b_R);
      probe.system.embedding().embed_rates(point.w, probe.w_R);
      probe.system.embedding().embed_rates(point.velocity, probe.velocity_R);
      inner.x_a = start_R;
      inner.x_b = probe.x_b_R;
      inner.w = probe.w_R;
      inner.velocity = probe.velocity_R;
      probe.full.residual(inner, zero, of_full);

      double work = 0, by_turns = 0, scale = 0;
      std::vector<Vec2<double>> u(n), turned(n);  // displacements of centres of mass, of xi
      std::vector<double> left(probe.x.size());
      for (std::size_t i = 0; i < left.size(); ++i) {
        left[i] = (1 - kappa) * point.x_a[i] + kappa * point.x_b[i];
      }
      std::vector<double> left_R(probe.x_R.size());
      probe.system.embedding().embed(left, left_R);
      for (int i = 0; i < n; ++i) {
        const CartesianLink& link = probe.system.embedding().links()[i];
        const Vec2<double> d{left_R[6 * i + 2], left_R[6 * i + 3]};
        // xi = d_1 / director, as complex numbers.
        const double square = dot(link.director, link.director);
        const Vec2<double> xi = (1 / square) * scaled_rotation({link.director.x, -link.director.y}, d);
        turned[i] = way[i] * perp(xi);
        u[i] = turned[i];
        if (link.parent >= 0) u[i] += u[link.parent] + scaled_rotation(link.beyond, turned[link.parent]);
        const double* on = &of_full[5 * i];  // force, moment, then two multipliers
        work += on[0] * u[i].x + on[1] * u[i].y + on[2] * way[i];
        scale += std::abs(on[0] * u[i].x) + std::abs(on[1] * u[i].y) + std::abs(on[2] * way[i]);
        by_turns += r[i] * way[i];
      }
      EXPECT_NEAR(work, by_turns, 3e-14 * scale);  // measured 2e-15
    }
  }
}

/// Corrections of Newton's method shrink quadratically, and the step is that of directors.
TEST(Cartesian, StepIsThatOfDirectors) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    for (const double kappa : {0.5, 1.0}) {
      Probe probe(random_arm(seed), seed);
      std::vector<double> unknowns(probe.system.unknown_count()), of_full(probe.full.unknown_count());
      probe.system.set_increments(probe.x, probe.v, probe.h, unknowns);
      probe.full.set_increments(probe.x_R, probe.v_R, probe.h, of_full);
      const auto sizes =
          Probe::newton(probe.system, unknowns, [&](const auto& at) { return probe.point_at(at, kappa); });
      Probe::newton(probe.full, of_full, [&](const auto& at) { return probe.full_point_at(at, kappa); });
      EXPECT_LT(sizes[3], 3e-12);  // measured 5e-13, with stiff tendons over joints
      probe.point_at(unknowns, kappa);
      probe.full_point_at(of_full, kappa);
      std::vector<double> dx_R(probe.dx_R.size());
      probe.system.embedding().embed_rates(probe.dx, dx_R);
      EXPECT_LT(relative_error(dx_R, probe.dx_R), 1e-12);  // measured 6e-14
    }
  }
}

TEST(Cartesian, AccelerationsAndReactionsAreThoseOfDirectors) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Probe probe(random_arm(seed), seed);
    std::vector<double> unknowns(probe.system.unknown_count()), of_full(probe.full.unknown_count());
    std::vector<double> a(probe.x.size()), a_R(probe.x_R.size()), embedded(a_R.size());
    ASSERT_TRUE(probe.system.accelerate(0.3, probe.x, probe.v, probe.angles, unknowns, a));
    ASSERT_TRUE(probe.full.accelerate(0.3, probe.x_R, probe.v_R, probe.angles_R, of_full, a_R));
    probe.system.embedding().embed_rates(a, embedded);
    EXPECT_LT(relative_error(embedded, a_R), 1e-12);  // measured 2e-14
    std::vector<Wrench<double>> here(probe.model.joints().size()), there(here.size());
    probe.observer.reactions(0.3, probe.x, probe.v, probe.angles, unknowns, here);
    probe.full_observer.reactions(0.3, probe.x_R, probe.v_R, probe.angles_R, of_full, there);
    double largest = 0, apart = 0;
    for (std::size_t j = 0; j < here.size(); ++j) {
      largest = larger({largest, norm(there[j].force), norm(there[j].moment)});
      apart = larger({apart, norm(here[j].force - there[j].force), norm(here[j].moment - there[j].moment)});
    }
    EXPECT_LT(apart, 1e-13 * largest);  // measured 6e-15
  }
}

TEST(Cartesian, SettlingTakesOutWhatHasBeenAddedToLengths) {
  Probe probe(random_arm(3));
  std::mt19937 random(5);
  const std::vector<double> noise = random_vector(static_cast<int>(probe.x.size()), random);
  for (std::size_t i = 0; i < noise.size(); ++i) probe.x[i] += 1e-9 * noise[i];
  probe.system.settle(probe.x, {}, probe.angles);
  EXPECT_LT(probe.observer.position_error(probe.x, probe.angles), 2e-15);  // measured 1.1e-16
}

void expect_refusal(const ModelDescription& description, const std::string& part) {
  try {
    Cartesian system{Model(description)};
    ADD_FAILURE() << "no error about " << part;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "simulation.formulation");
    EXPECT_NE((error.expected + error.found).find(part), std::string::npos) << error.what();
    EXPECT_NE(error.expected.find("'rotationless'"), std::string::npos);
  }
}

TEST(Cartesian, RefusesWhatItsCoordinatesDoNotDescribe) {
  expect_refusal(reference::spherical_chain(2), "dimension 3");
  ModelDescription sliding = reference::three_link_arm();
  sliding.joints[1].type = JointType::prismatic;
  sliding.joints[1].axis = {1, 0, 0};
  expect_refusal(sliding, "'prismatic'");
  expect_refusal(reference::four_bar(0.5, 1, 1, 1), "rocker_pin");
  ModelDescription centred = reference::three_link_arm();
  centred.bodies[1].com = {};
  expect_refusal(centred, "link2");
}

/// Rounding of positions grows by L/l - 1 from link to link.
TEST(Cartesian, RefusesChainsWhoseDirectionsDrownInRounding) {
  ModelDescription d = reference::three_link_arm();
  for (int i = 3; i < 40; ++i) {
    d.bodies.push_back(d.bodies[0]);
    d.bodies.back().name = "link" + std::to_string(i + 1);
    d.joints.push_back(d.joints[1]);
    d.joints.back().name = "joint" + std::to_string(i + 1);
    d.joints.back().parent = i - 1;
    d.joints.back().child = i;
  }
  EXPECT_NO_THROW(Cartesian{Model(d)});
  for (Body& body : d.bodies) body.com = {0.3, 0, 0};
  expect_refusal(d, "rounding");
}

}  // namespace
}  // namespace torsor
