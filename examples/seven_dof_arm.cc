// What a model-based controller asks of a seven-joint arm, in the order of docs/dynamics.md.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/tree/coriolis_matrix.h"
#include "torsor/tree/forward_dynamics_derivatives.h"
#include "torsor/tree/higher_order_kinematics.h"
#include "torsor/tree/inverse_dynamics.h"
#include "torsor/tree/linearisation.h"
#include "torsor/tree/mass_matrix.h"
#include "torsor/tree/regressor.h"
#include "torsor/tree/time_derivatives.h"

using namespace torsor;
using Numbers = std::vector<double>;

int main(int argc, char** argv) {
  const Model model = load_model(argc > 1 ? argv[1] : "models/seven_dof_arm.yaml");
  const Tree tree = make_tree(model);  // immutable; shared by all that follows
  const int n = tree.rate_count;
  const Numbers q{0, 0.5, 0, 1.4, 0, 0.8, 0}, qd{0.2, -0.3, 0.4, 0.5, -0.2, 0.1, 0.3}, rest(n);

  // Efforts for a wanted acceleration: computed torque.
  InverseDynamicsWorkspace<double> inverse(tree);
  const Numbers qdd(n, 0.5);
  Numbers effort(n);
  inverse_dynamics<double>(tree, inverse, q, qd, qdd, {}, effort);
  fmt::print("effort [N m]            {:9.4f}\n", fmt::join(effort, " "));

  // The equations of motion term by term: M qdd + C qd + g.
  MassMatrixWorkspace<double> mass(tree);
  CoriolisWorkspace<double> coriolis(tree);
  Numbers M(n * n), C(n * n), gravity(n), sum(n);
  mass_matrix<double>(tree, mass, q, M);
  coriolis_matrix<double>(tree, coriolis, q, qd, C);
  inverse_dynamics<double>(tree, inverse, q, rest, rest, {}, gravity);
  double mismatch = 0;
  for (int i = 0; i < n; ++i) {
    sum[i] = gravity[i];
    for (int j = 0; j < n; ++j) sum[i] += M[i * n + j] * qdd[j] + C[i * n + j] * qd[j];
    mismatch = larger(mismatch, std::abs(sum[i] - effort[i]));
  }
  fmt::print("M qdd + C qd + g        {:9.4f}\n", fmt::join(sum, " "));

  // How the accelerations depend on the state: what a trajectory optimiser needs in every iteration.
  ForwardDynamicsDerivativesWorkspace derivatives(tree);
  Numbers a(n), by_q(n * n), by_qd(n * n), by_effort(n * n);
  forward_dynamics_derivatives(tree, derivatives, q, qd, effort, a, by_q, by_qd, by_effort);
  fmt::print("d qdd_1 / dq            {:9.4f}\n", fmt::join(by_q.begin(), by_q.begin() + n, " "));

  // Rates of the efforts along a motion: what an elastic actuator must follow.
  InverseDynamicsRatesWorkspace rates(tree);
  const Numbers jerk(n, -1), snap(n, 2);
  Numbers Q(n), Q_rate(n), Q_acceleration(n);
  inverse_dynamics_rates(tree, rates, q, qd, qdd, jerk, snap, Q, Q_rate, Q_acceleration);
  fmt::print("d effort / dt [N m/s]   {:9.4f}\n", fmt::join(Q_rate, " "));

  // Twist, acceleration and jerk of the flange in hybrid representation.
  std::vector<Pose<double>> X_WN(tree.size());
  std::vector<Twist<double>> screws(n);
  node_poses<double>(tree, q, X_WN);
  spatial_joint_screws<double>(tree, X_WN, screws);
  const int flange = tree.body_node[model.body_index("link7")];
  const TwistDerivatives<double> motion =
      twist_derivatives(tree, X_WN, screws, qd, qdd, jerk, flange, Representation::hybrid);
  const Vec3<double>& v = motion.acceleration.linear;
  fmt::print("flange acceleration     {:9.4f} {:9.4f} {:9.4f} m/s^2\n", v.x, v.y, v.z);

  // Efforts are linear in masses, first moments and tensors: identification.
  RegressorWorkspace<double> regressor(tree);
  Numbers Y(n * kInertialParameters * model.bodies().size());
  inverse_dynamics_regressor<double>(tree, regressor, q, qd, qdd, Y);
  fmt::print("regressor               {} x {}\n", n, Y.size() / n);

  // Small motions about the pose that the efforts hold.
  LinearisationWorkspace workspace(tree);
  Linearisation linear(tree);
  linearise(tree, workspace, q, rest, gravity, linear);
  fmt::print("eigenvalues [1/s]      ");
  for (const Mode& mode : modes(linear.A))
    fmt::print(" {:.3f}{:+.3f}i", mode.eigenvalue.real(), mode.eigenvalue.imag());
  fmt::print("\n");
  return mismatch < 1e-12 * 100 ? 0 : 1;
}
