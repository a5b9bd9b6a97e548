#pragma once
// Closing the loops from a guess: Gauss-Newton with the shortest step in the rates of the tree's joints.

#include <Eigen/Core>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// What must not change while loops close.
struct Held {
  explicit Held(const Model& model) : joints(model.joints().size()), bodies(model.bodies().size()) {}

  std::vector<bool> joints;  ///< tree joints and loop joints that keep the coordinates of the guess
  std::vector<bool> bodies;  ///< those that keep the part of their pose that `initial.bodies` gives
};

struct Closing {
  std::vector<double> q;  ///< of all joints; those of loop joints are as in the guess
  double residual = 0;    ///< angles, and lengths in units of the mechanism's size
  bool closed() const { return residual <= 1e-10; }
};

/// Moves the joints of loops until the loops are closed down to rounding. From a guess that leads nowhere (a
/// singular position, a local minimum) it starts again near it, `starts` times in all, the same at every
/// call; the nearest to closed is what it returns.
Closing close_loops(const Model& model, const std::vector<double>& guess, const Held& held, int starts);

/// Those of loop joints in q become what the poses of the tree say, with the full turns of the guess.
void set_loop_coordinates(const Model& model, const std::vector<double>& guess, std::vector<double>& q);

int joint_of_rate(const Model& model, int rate);
bool is_angular(const Model& model, int rate);  ///< in rad/s, otherwise m/s

/// q after the tree's joints moved by `increment`, one entry for each of `rates` (indices in qd).
std::vector<double> moved(const Model& model, const std::vector<double>& q, const std::vector<int>& rates,
                          const Eigen::VectorXd& increment);
/// The increment of the tree's joints from q0 to q1, by rates of all joints; zero for loop joints.
std::vector<double> difference(const Model& model, const std::vector<double>& q0,
                               const std::vector<double>& q1);

/// Where the joints of the tree lie in vectors of all joints: tree/ leaves loop joints out.
struct TreePart {
  explicit TreePart(const Model& model);
  std::vector<double> coordinates(const std::vector<double>& all) const;

  std::vector<int> q, v;
};

}  // namespace torsor
