#include "torsor/evaluation/coordinate_metric.h"

#include "torsor/assembly/close_loops.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/numerics/dense.h"
#include "torsor/tree/kinematics.h"

namespace torsor {

Eigen::VectorXd rate_scales(const ReducedMechanism& mechanism, double length) {
  Eigen::VectorXd scales(mechanism.rate_count());
  for (int i = 0; i < mechanism.rate_count(); ++i) {
    scales[i] = is_angular(mechanism.model(), i) ? 1 : 1 / length;
  }
  return scales;
}

Eigen::MatrixXd coordinate_metric(const ReducedMechanism& mechanism, const ReducedConfiguration& at) {
  const Eigen::MatrixXd scaled = rate_scales(mechanism, at.length).asDiagonal() * at.N;
  return product(scaled.transpose(), scaled);
}

double largest_motion(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                      const Eigen::VectorXd& du) {
  return max_abs(
      Eigen::VectorXd(rate_scales(mechanism, at.length).cwiseProduct(Eigen::VectorXd(product(at.N, du)))));
}

ReducedConfiguration moved_as_far(const ReducedMechanism& mechanism, const ReducedConfiguration& from,
                                  Eigen::VectorXd du) {
  for (int halvings = 0; halvings < 6; ++halvings, du /= 2) {
    try {
      return mechanism.moved(from, du);
    } catch (const ModelError&) {
      // Loops that do not close so far away.
    }
  }
  return from;
}

bool stand_alike(const ReducedMechanism& mechanism, std::span<const double> q, std::span<const double> other,
                 double length, double tolerance) {
  const Tree& tree = mechanism.tree();
  std::vector<Pose<double>> X(tree.size()), Y(tree.size());
  node_poses<double>(tree, q, X);
  node_poses<double>(tree, other, Y);
  for (int k = 0; k < static_cast<int>(tree.size()); ++k) {
    if (!(norm(X[k].p - Y[k].p) <= tolerance * length)) return false;
    const Mat3<double> apart = transpose(X[k].R) * Y[k].R;
    const double square = 2 * (3 - apart.xx - apart.yy - apart.zz);  // |R - 1|^2 = 8 sin^2(angle / 2)
    if (!(square <= 2 * tolerance * tolerance)) return false;
  }
  return true;
}

Eigen::VectorXd SpreadNumbers::next(int count) {
  Eigen::VectorXd numbers(count);
  for (double& number : numbers) {
    state_ = 6364136223846793005ULL * state_ + 1442695040888963407ULL;  // Knuth's MMIX
    number = static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1;
  }
  return numbers;
}

}  // namespace torsor
