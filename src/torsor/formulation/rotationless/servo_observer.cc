#include <Eigen/Core>
#include <cmath>

#include "torsor/formulation/rotationless/constraints.h"
#include "torsor/formulation/rotationless/observer.h"
#include "torsor/numerics/rank.h"

namespace torsor {

/// S_ss - S_sl S_ll^-1 S_ls over the independent loop rows, with the sign of outputs by efforts.
template <int D>
std::vector<double> RotationlessServoObserver<D>::held_schur() const {
  const int n = work_.kkt.border_size(), servos = n - work_.mechanism.loop_count;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> S(work_.kkt.schur().data(), n, n);
  RowMajor map = S.bottomRightCorner(servos, servos);
  if (work_.mechanism.loop_count > 0) {
    const Eigen::MatrixXd loops = S.topLeftCorner(work_.mechanism.loop_count, work_.mechanism.loop_count);
    map -= S.bottomLeftCorner(servos, work_.mechanism.loop_count) *
           least_squares(loops, S.topRightCorner(work_.mechanism.loop_count, servos));
  }
  return {map.data(), map.data() + map.size()};
}

/// Of the border's rows of servos on the right: force^2 / mass + moment^2 / inertia, body by body. The
/// inertia is taken as alike about all axes: a scale is wanted.
template <int D>
std::vector<double> RotationlessServoObserver<D>::free_mobilities() {
  std::vector<double> mobilities;
  for (int row = work_.mechanism.loop_count; row < work_.kkt.border_size(); ++row) {
    double total = 0;
    for (int node : work_.pattern.border[row]) {
      const double* entry = border_entry(work_, false, row, node);
      double force = 0, moment = 0, inertia = 0;
      for (int i = 0; i < D; ++i) force += entry[i] * entry[i];
      for (int i = D; i < kWidth<D>; ++i) moment += entry[i] * entry[i];
      for (double E : work_.mechanism.frames.E[node]) inertia += E;
      total += force / work_.mechanism.frames.mass[node];
      if (inertia > 0) total += moment / inertia;
    }
    mobilities.push_back(total);
  }
  return mobilities;
}

template <int D>
ServoMaps RotationlessServoObserver<D>::servo_maps(double t, std::span<const double> x,
                                                   std::span<const double> angles) {
  const std::vector<double> zero(work_.mechanism.coordinate_count());
  const ConstrainedPoint point = state_point(work_, t, x, zero, angles);
  const std::vector<double> no_unknowns(work_.unknown_count());
  std::fill(work_.bare_w.begin(), work_.bare_w.end(), 0.0);
  set_residual(work_, point, no_unknowns, work_.r);
  ServoMaps maps;
  if (!set_servo_shares(work_, work_.view(point, {}))) return {};
  if (!factorise_bare(work_, t)) return {};
  maps.outputs_by_efforts = held_schur();
  if (!factorise_bare(work_, t, ServoSide::outputs, ServoSide::outputs)) return {};
  maps.outputs = held_schur();
  maps.free_outputs = free_mobilities();
  if (!factorise_bare(work_, t, ServoSide::efforts, ServoSide::efforts)) return {};
  maps.efforts = held_schur();
  maps.free_efforts = free_mobilities();
  return maps;
}

template <int D>
std::vector<OutputMotion> RotationlessServoObserver<D>::outputs(double t, std::span<const double> x,
                                                                std::span<const double> v,
                                                                std::span<const double> angles) {
  load_configuration(x, work_.X.right);
  load_configuration(v, work_.X.velocity);
  std::vector<OutputMotion> motions;
  for (const ServoOutput<D>& output : work_.outputs) {
    motions.push_back(output.motion(work_.X.right, work_.X.velocity, t, angles));
  }
  return motions;
}

template class RotationlessServoObserver<2>;
template class RotationlessServoObserver<3>;

}  // namespace torsor
