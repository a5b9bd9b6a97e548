#pragma once
// Mechanisms with loops of every kind of joint, and motions of theirs: what tests of independent rates run on.

#include <Eigen/Core>
#include <random>
#include <string>
#include <vector>

#include "testing/random_elements.h"
#include "torsor/evaluation/reduced_mechanism.h"

namespace torsor {

struct LoopCase {
  std::string name;
  ModelDescription description;
};

/// In the plane and in space, with gravity, assembled by themselves.
std::vector<LoopCase> linkages();
std::vector<LoopCase> redundant_linkages();
std::vector<LoopCase> with_elements(std::vector<LoopCase> all, Damping damping);
std::vector<LoopCase> joined(std::vector<LoopCase> a, std::vector<LoopCase> b);
/// In every joint that can have one, loop joints too.
void add_springs(ModelDescription& d, double damping);

struct Moving {
  ReducedConfiguration at;
  ReducedMotion motion;
};
/// Somewhere near the start, with any rates, accelerations and further efforts.
Moving random_motion(const ReducedMechanism& mechanism, std::mt19937& random);

Eigen::VectorXd random_numbers(int count, std::mt19937& random);
/// Largest difference over the largest entry, or 1.
double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace torsor
