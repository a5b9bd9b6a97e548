// The stiffness of a point by the springs, tendons, bushings, touched stops and own potentials of the model.

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
  for (OwnLaw& law : d.laws) {
    law.force = {};
    law.dissipates = false;
  }
  std::erase_if(d.laws, [](const OwnLaw& law) { return !law.potential; });
  return Model(d);
}

}  // namespace

std::optional<PointStiffness> Evaluation::point_stiffness(const Point& point) const {
  const int n = tree_.rate_count, d = model_.dimension();
  JointState rest = state_;
  rest.qd.assign(n, 0.0);
  const Model elastic = elastic_part(model_);
  const std::vector<double> forces_by_q = Evaluation(elastic, rest).element_force_derivatives().by_q;
  Matrix K(n, n), J(d, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) K(i, j) = -0.5 * (forces_by_q[i * n + j] + forces_by_q[j * n + i]);
  }
  const std::vector<Twist<double>> columns = jacobian(Representation::hybrid, point.body);
  const Vec3<double> arm = X_WB_[point.body].R * point.p_B;
  for (int j = 0; j < n; ++j) {
    const Vec3<double> velocity = columns[j].linear + cross(columns[j].angular, arm);
    for (int i = 0; i < d; ++i) J(i, j) = velocity[i];
  }
  return torsor::point_stiffness(J, K);
}

}  // namespace torsor
