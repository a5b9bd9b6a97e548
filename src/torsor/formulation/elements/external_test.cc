#include "torsor/formulation/elements/external.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "testing/numbers.h"
#include "testing/random_elements.h"
#include "testing/random_models.h"
#include "torsor/formulation/joint/joint.h"
#include "torsor/formulation/rotationless/rotationless.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

/// An actuator on every rate and loads at every centre of mass, all constant.
ModelDescription driven(ModelDescription d, const ExternalInput& input) {
  const Model model(d);
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int joint = static_cast<int>(j), first = model.rate_offset(joint);
    for (int i = first; i < model.rate_offset(joint + 1); ++i) {
      d.actuators.push_back({"rate" + std::to_string(i), joint, i - first, Program(input.efforts[i])});
    }
  }
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Wrench<double>& F = input.wrenches[b];
    const Point at{"", static_cast<int>(b), model.bodies()[b].com};
    const std::string name = std::to_string(b);
    d.loads.push_back({"force" + name, Load::Kind::force, at, false, {F.force.x, F.force.y, F.force.z}});
    d.loads.push_back({"moment" + name, Load::Kind::moment, at, false, {F.moment.x, F.moment.y, F.moment.z}});
  }
  return d;
}

struct Motion {
  std::vector<double> accelerations;
  double work = 0;  ///< of all sources in a step of 1 s
};

Motion on_tree(const Model& model, std::shared_ptr<const ExternalInput> input, const std::vector<double>& q,
               const std::vector<double>& qd) {
  JointSystem system(model, std::move(input));
  Motion motion{std::vector<double>(system.rate_count())};
  std::vector<double> power(system.flow_count());
  system.evaluate(0, q, qd, motion.accelerations, power);
  motion.work = std::accumulate(power.begin(), power.end(), 0.0);
  return motion;
}

Motion in_directors(const Model& model, std::shared_ptr<const ExternalInput> input,
                    const std::vector<double>& q, const std::vector<double>& qd) {
  const ConstrainedMechanism mechanism = make_rotationless(model, 0, std::move(input));
  ConstrainedSystem& system = *mechanism.system;
  Motion motion{std::vector<double>(system.coordinate_count())};
  std::vector<double> x(motion.accelerations), v(x), w(x), angles(system.angle_count());
  std::vector<double> unknowns(system.unknown_count()), z(system.flow_count());
  mechanism.observer->start(model, q, qd, x, v, angles);
  EXPECT_TRUE(system.accelerate(0, x, v, angles, unknowns, motion.accelerations));
  ConstrainedPoint point;
  point.x_a = point.x_b = x;
  point.velocity = v;
  point.w = w;
  point.angles = angles;
  point.kappa = point.force_gain = 1;
  system.add_flows(point, unknowns, 1, z);
  motion.work = std::accumulate(z.begin(), z.end(), 0.0);
  return motion;
}

TEST(ExternalInput, ActsAndWorksAsConstantActuatorsAndLoadsDo) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (const int dimension : {2, 3}) {
      ModelDescription d = dimension == 2 ? random_planar_tree(4, seed) : random_tree(7, seed);
      SCOPED_TRACE(d.name);
      const Model bare(d);
      std::mt19937 random(seed);
      const auto input = make_external_input(bare);
      input->efforts = random_vector(bare.rate_count(), random);
      for (Wrench<double>& F : input->wrenches) {
        const std::vector<double> r = random_vector(6, random);
        F = dimension == 2 ? Wrench<double>{{0, 0, r[2]}, {r[3], r[4], 0}}
                           : Wrench<double>{{r[0], r[1], r[2]}, {r[3], r[4], r[5]}};
      }
      const Model loaded(driven(d, *input));
      const std::vector<double> q = initial_coordinates(bare), qd = random_vector(bare.rate_count(), random);
      for (const auto run : {on_tree, in_directors}) {
        const Motion here = run(bare, input, q, qd), there = run(loaded, nullptr, q, qd);
        EXPECT_LE(relative_error(here.accelerations, there.accelerations), 1e-11);  // measured below 1e-13
        EXPECT_NEAR(here.work, there.work, 1e-12 * (1 + std::abs(there.work)));
      }
    }
  }
}

TEST(ExternalInput, IsOneSourceOfItsOwn) {
  const Model model(random_tree(4, 1));
  const JointSystem without(model), with(model, SystemInput(make_external_input(model)));
  EXPECT_EQ(with.flow_count(), without.flow_count() + 1);
  EXPECT_EQ(with.elements().sources.back(), "external");
}

}  // namespace
}  // namespace torsor
