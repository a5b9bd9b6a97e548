// The stiffness of a point by the springs, tendons, bushings, touched stops and own potentials of the model.

#include "torsor/assembly/close_loops.h"
#include "torsor/evaluation/evaluate.h"

namespace torsor {
namespace {

/// The model with nothing but what is elastic.
Model elastic_part(const Model& model) {
  ModelDescription d;
  d.name = model.name();
  d.dimension = model.dimension();
  d.bodies = model.bodies();
  d.joints = model.joints();
  d.tendons = model.tendons();
  d.joint_springs = model.joint_springs();
  d.stops = model.elements().stops;
  d.bushings = model.elements().bushings;
  d.laws = model.elements().laws;
  d.point_laws = model.elements().point_laws;
  const auto keep_potentials = [](auto& laws) {
    for (auto& law : laws) {
      law.force = {};
      law.dissipates = false;
    }
    std::erase_if(laws, [](const auto& law) { return !law.potential; });
  };
  keep_potentials(d.laws);
  keep_potentials(d.point_laws);
  d.couplings = model.couplings();
  return Model(d);
}

}  // namespace

std::optional<PointStiffness> Evaluation::point_stiffness(const Point& point) const {
  const int n = static_cast<int>(independent_.size()), d = model_.dimension();
  JointState rest = state_;
  rest.actuators.clear();
  // The same rates are independent without the actuators.
  for (const int rate : independent_) {
    const int j = joint_of_rate(model_, rate);
    if (is_reduced_ && (rest.independent.empty() || rest.independent.back() != j))
      rest.independent.push_back(j);
  }
  for (std::vector<double>* list : {&rest.qd, &rest.qdd}) list->assign(tree_.rate_count, 0.0);
  const std::vector<double> by_q = Evaluation(elastic_part(model_), rest).inverse_dynamics_derivatives().by_q;
  Matrix K(n, n), J(d, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) K(i, j) = 0.5 * (by_q[i * n + j] + by_q[j * n + i]);
  }
  const std::vector<Vec3<double>> columns = jacobian(point);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < d; ++i) J(i, j) = columns[j][i];
  }
  return torsor::point_stiffness(J, K);
}

}  // namespace torsor
