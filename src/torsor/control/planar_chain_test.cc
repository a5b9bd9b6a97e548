#include "torsor/control/planar_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "testing/numbers.h"

namespace torsor {
namespace {

struct Case {
  PlanarChain chain;
  PlanarImpedance law;
  std::vector<double> angles, rates;
};

Case random_case(int links, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Case made;
  for (int i = 0; i < links; ++i) {
    made.chain.links.push_back({between(0.5, 1.5), between(0.2, 1), between(-1, 1), between(0.5, 2),
                                between(1, 5), between(0, 0.3), between(0.1, 0.4)});
    made.angles.push_back(between(-3, 3));
    made.rates.push_back(between(-2, 2));
  }
  made.chain.gravity = {between(-1, 1), between(-10, -5)};
  made.chain.ground_fastening = 0.4;
  const double shear = between(-5, 5), drag = between(-1, 1);
  made.law = {{{between(10, 50), shear}, {shear, between(10, 50)}},
              {{between(2, 9), drag}, {drag, between(2, 9)}},
              {between(-1, 1), between(-1, 1)},
              {between(-1, 1), between(-1, 1)},
              seed % 2 == 0,
              seed % 3 == 0};
  return made;
}

TEST(PlanarChain, TorquesByAnglesAndByLinksAreTheSame) {
  for (const int links : {1, 2, 3, 7, 30}) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      const Case c = random_case(links, seed);
      const std::vector<double> x = link_coordinates(c.chain, c.angles);
      const std::vector<double> v = link_velocities(c.chain, c.angles, c.rates);
      const std::vector<double> by_angles = impedance_by_angles(c.chain, c.law, c.angles, c.rates);
      const std::vector<double> by_links = impedance_by_links(c.chain, c.law, x, v);
      // Measured 5e-12 with 30 links, whose centres of mass subtract, 9e-15 with 7 or fewer.
      EXPECT_LE(relative_error(by_angles, by_links), links > 7 ? 1e-10 : 1e-12);
    }
  }
}

/// F . x' = tau . phi' for every motion: (39) and (46).
TEST(PlanarChain, ForcesOnLinksDoTheWorkOfTheTorques) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Case c = random_case(4, seed);
    const std::vector<double> x = link_coordinates(c.chain, c.angles);
    const std::vector<double> v = link_velocities(c.chain, c.angles, c.rates);
    const std::vector<double> tau = impedance_by_angles(c.chain, c.law, c.angles, c.rates);
    const std::vector<double> F = impedance_link_forces(c.chain, c.law, x, v);
    double of_links = 0, of_joints = 0, size = 0;
    for (std::size_t i = 0; i < F.size(); ++i) of_links += F[i] * v[i], size += std::abs(F[i] * v[i]);
    for (std::size_t i = 0; i < tau.size(); ++i) of_joints += tau[i] * c.rates[i];
    EXPECT_LE(std::abs(of_links - of_joints), 1e-13 * size);  // measured 1e-15 of it
  }
}

/// Compensations are the derivatives of the energies, written here anew by positions of points.
TEST(PlanarChain, CompensationsAreGradients) {
  const auto energy = [](const PlanarChain& chain, const std::vector<double>& angles) {
    const std::vector<double> x = link_coordinates(chain, angles);
    double V = 0, angle = 0, px = 0, py = chain.ground_fastening, X = 0, Y = 0;
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
      const PlanarLink& link = chain.links[i];
      V -= link.mass * (chain.gravity.x * x[2 * i] + chain.gravity.y * x[2 * i + 1]);
      angle += angles[i];
      X += link.length * std::cos(angle);
      Y += link.length * std::sin(angle);
      const double ex = X - link.fastening * std::sin(angle), ey = Y + link.fastening * std::cos(angle);
      const double stretch = std::hypot(ex - px, ey - py) - link.spring_rest;
      V += 0.5 * link.spring_stiffness * stretch * stretch;
      px = ex, py = ey;
    }
    return V;
  };
  for (unsigned seed = 0; seed < 20; ++seed) {
    Case c = random_case(4, seed);
    c.law = {};
    c.law.compensate_gravity = c.law.compensate_springs = true;
    const std::vector<double> tau = impedance_by_angles(c.chain, c.law, c.angles, c.rates);
    std::vector<double> expected;
    for (std::size_t i = 0; i < tau.size(); ++i) {
      const auto at = [&](double shift) {
        std::vector<double> angles = c.angles;
        angles[i] += shift;
        return energy(c.chain, angles);
      };
      constexpr double e = 1e-3;
      expected.push_back((8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e));
    }
    EXPECT_LE(relative_error(tau, expected), 1e-10);  // measured 7e-13
  }
}

}  // namespace
}  // namespace torsor
