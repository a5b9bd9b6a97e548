#pragma once
// The conditions of joints in the twists of bodies, where each joint meets two of them: in joint coordinates a loop
// meets all joints on its way, so that large mechanisms get dense matrices, and errors grow from link to link.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "torsor/assembly/loop_conditions.h"

namespace torsor {

/// Rows on the twists of one or two bodies, each about its centre of mass as (angular, linear / length) in world
/// axes, of which those that live in the plane (live_rows).
struct BodyRows {
  std::array<int, 2> bodies{kWorld, kWorld};
  std::array<Eigen::MatrixXd, 2> parts;  ///< rows x live rows; of the ground: nothing

  int count() const { return static_cast<int>(parts[bodies[0] == kWorld ? 1 : 0].rows()); }
  Eigen::VectorXd times(const Eigen::VectorXd& twists) const;
  /// sum += rows^T factors
  void add_transposed(const Eigen::VectorXd& factors, Eigen::VectorXd& sum) const;
};

/// A joint: the motions that it forbids, and its own rates. Where a loop gapes, as LoopConditions has it.
struct JointInBodies {
  BodyRows blocked, free;

  BodyRows all() const;
};
/// Of all joints of the model.
std::vector<JointInBodies> joints_in_bodies(const TreeMotion& tree, double length);

/// The mean distance between two joints of a body: in units of that a joint's rows are of the same size, however
/// large the whole is.
double typical_length(const TreeMotion& tree);

/// The twists V of least |squares V|^2 / 2 + V^T masses V / 2 - pull . V under conditions V = values. The squares
/// and masses of all bodies are to be positive definite; of conditions that contradict each other a compromise
/// holds.
struct BodyProblem {
  int bodies = 0, dimension = 2;
  std::vector<BodyRows> squares;
  std::vector<Eigen::MatrixXd> masses;  ///< by body, or none
  std::vector<BodyRows> conditions;
  Eigen::VectorXd pull, values;  ///< each empty if it is zero

  int width() const { return dimension == 2 ? 3 : 6; }
};
/// Linear in the bodies of a chain. Empty where a pivot vanishes.
std::optional<Eigen::VectorXd> solve(const BodyProblem& problem);

/// Whether a model is so large that this is the quicker way, and has nothing but joints.
bool pays_in_bodies(const Model& model, int rates);

/// The rates nearest to `wanted` of those joints of the tree that move (`moves`, by joint of the model), for which
/// rows of `conditions` are `values` and the others rest; both by rates of all joints. Empty where that fails.
std::optional<std::vector<double>> nearest_rates(const Model& model, const std::vector<JointInBodies>& joints,
                                                 const std::vector<bool>& moves,
                                                 const std::vector<double>& wanted,
                                                 const std::vector<BodyRows>& conditions,
                                                 const Eigen::VectorXd& values);

}  // namespace torsor
