#include "torsor/evaluation/modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/coordinate_metric.h"
#include "torsor/evaluation/muscle_states.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/model/tendon_law.h"
#include "torsor/numerics/dense.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/kinematics.h"

namespace torsor {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::VectorXcd;

constexpr double kRounding = 1e-10;  ///< share of a matrix that counts as none

/// P of (2): d/dt x = x' - [v, x], joint by joint. The odd part of dexp^-1_{-x} v is [x, v] / 2, whatever x.
MatrixXd turning(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                 const ReducedMotion& motion) {
  const int dof = at.dof(), n = mechanism.rate_count();
  MatrixXd P(dof, dof);
  std::vector<double> xi(n), forth(n), back(n);
  for (int j = 0; j < dof; ++j) {
    for (int i = 0; i < n; ++i) xi[i] = at.N(i, j) / 16;
    chart_rate<double>(mechanism.tree(), xi, motion.v, forth);
    for (double& x : xi) x = -x;
    chart_rate<double>(mechanism.tree(), xi, motion.v, back);
    for (int i = 0; i < dof; ++i) P(i, j) = 16 * (forth[at.independent[i]] - back[at.independent[i]]);
  }
  return P;
}

/// Poses and twists of nodes for rates.
struct Moving {
  std::vector<Pose<double>> X_W;
  std::vector<Twist<double>> V;

  Moving(const Tree& tree, std::span<const double> q, std::span<const double> v)
      : X_W(tree.size()), V(tree.size()) {
    forward_kinematics<double>(tree, q, v, X_W, V);
  }
};

/// Efforts of unit tensions along tendons that have motors: -dl/du.
void add_motors(const ReducedMechanism& mechanism, const ReducedConfiguration& at, MatrixXd& B,
                SmallMotions& small) {
  const Model& model = mechanism.model();
  for (std::size_t i = 0; i < model.tendons().size(); ++i) {
    if (model.tendons()[i].tension.vanishes()) continue;
    small.inputs.push_back("tendon." + model.tendons()[i].name);
    B.conservativeResize(at.dof(), B.cols() + 1);
    for (int j = 0; j < at.dof(); ++j) {
      const std::vector<double> v = mechanism.rates(at, VectorXd::Unit(at.dof(), j));
      const Moving along(mechanism.tree(), at.q, v);
      const TreeView<double> view{mechanism.tree(), small.time, at.q, v, along.X_W, along.V};
      B(j, B.cols() - 1) = -mechanism.elements().tendons()[i].path.state(view).rate;
    }
  }
}

void set_outputs(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                 const ReducedMotion& along, const ReducedLinearisation& d, SmallMotions& small) {
  const Model& model = mechanism.model();
  const int dof = at.dof(), axes = model.dimension();
  const int count = 2 * dof + 2 * axes * static_cast<int>(model.points().size());
  MatrixXd C = MatrixXd::Zero(count, small.A.rows);
  C.topLeftCorner(2 * dof, 2 * dof).setIdentity();
  for (const char* of : {"q.", "qd."}) {
    for (const int rate : at.independent) small.states.push_back(of + rate_name(model, rate));
  }
  small.outputs = small.states;
  int row = 2 * dof;
  for (const Point& point : model.points()) {
    const PointDerivatives by = mechanism.point_derivatives(at, along, d, point);
    C.block(row, 0, axes, dof) = by.position_by_u.topRows(axes);
    C.block(row + axes, 0, axes, dof) = by.velocity_by_u.topRows(axes);
    C.block(row + axes, dof, axes, dof) = by.position_by_u.topRows(axes);
    for (const char* of : {".", ".v"}) {
      for (int i = 0; i < axes; ++i) small.outputs.push_back(point.name + of + "xyz"[i]);
    }
    row += 2 * axes;
  }
  small.C = matrix(C);
  small.D_out = Matrix(count, static_cast<int>(small.inputs.size()));
}

/// Scaled to a largest entry of 1, and what bodies do for it.
void finish(const ReducedMechanism& mechanism, const ReducedConfiguration& at, const VectorXcd& x,
            SmallMotion& mode) {
  const Tree& tree = mechanism.tree();
  VectorXcd shape = at.N * x;
  const VectorXd scales = rate_scales(mechanism, at.length);
  Eigen::Index largest = 0;
  const double size = shape.cwiseAbs().cwiseProduct(scales).maxCoeff(&largest);
  if (size > 0) shape /= shape[largest] * scales[largest];
  mode.shape.assign(shape.begin(), shape.end());
  const auto half = [&](const VectorXd& v) {
    return Moving(tree, at.q, std::vector<double>(v.begin(), v.end()));
  };
  const Moving re = half(shape.real()), im = half(shape.imag());
  for (std::size_t body = 0; body < mechanism.model().bodies().size(); ++body) {
    const int node = tree.body_node[body];
    const Vec3<double> com = act(tree.X_NB[body], mechanism.model().bodies()[body].com);
    const auto motion = [&](const Moving& of) {
      const Twist<double>& V = of.V[node];
      return Twist<double>{of.X_W[node].R * V.angular, of.X_W[node].R * (V.linear + cross(V.angular, com))};
    };
    const Twist<double> a = motion(re), b = motion(im);
    Twist<std::complex<double>> both;
    for (int i = 0; i < 3; ++i) {
      both.angular[i] = {a.angular[i], b.angular[i]};
      both.linear[i] = {a.linear[i], b.linear[i]};
    }
    mode.bodies.push_back(both);
  }
}

}  // namespace

double SmallMotion::frequency() const { return std::abs(s.imag()) / (2 * std::numbers::pi); }
double SmallMotion::natural() const { return std::abs(s) / (2 * std::numbers::pi); }
double SmallMotion::damping_ratio() const { return s == 0.0 ? 0 : (0 - s.real()) / std::abs(s); }

SmallMotions small_motions(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                           const std::vector<double>& v, double t, const std::vector<double>& states) {
  const int dof = at.dof();
  if (dof == 0) throw ModelError("joints", "a mechanism that can move", "one that cannot");
  ReducedMotion motion = mechanism.rest(t);
  motion.v = v;
  motion.states = states.empty() ? mechanism.start_states(at, t) : states;
  motion = mechanism.solve(at, motion);
  const ReducedLinearisation d = mechanism.linearise(at, motion);
  SmallMotions small;
  small.time = t;
  small.q = at.q;
  small.v = motion.v;
  small.a = motion.a;
  small.independent = at.independent;
  small.length = at.length;
  small.M = matrix(d.at.M);
  small.K = matrix(d.K);
  small.D = matrix(d.D);
  for (const Actuator& actuator : mechanism.model().actuators()) small.inputs.push_back(actuator.name);
  MatrixXd inputs = d.B;
  add_motors(mechanism, at, inputs, small);
  const MuscleStates muscles = muscle_states(mechanism, at, motion);
  const int own = static_cast<int>(muscles.states.size()), size = 2 * dof + own;
  const Eigen::Index first_excitation = inputs.cols();
  small.inputs.insert(small.inputs.end(), muscles.inputs.begin(), muscles.inputs.end());
  const MatrixXd P = turning(mechanism, at, motion);

  // In mass-normal coordinates y = L^T x, and rates over a frequency of the mechanism: all entries are of one size.
  const MatrixXd L = cholesky(d.at.M);
  const auto normal = [&](const MatrixXd& X) {
    return MatrixXd(solve_lower(L, MatrixXd(solve_lower(L, X).transpose())).transpose());
  };
  const MatrixXd K = normal(d.K), D = normal(d.D);
  const auto by_mass = [&](const MatrixXd& X) { return MatrixXd(solve_transposed(L, solve_lower(L, X))); };
  MatrixXd A = MatrixXd::Zero(size, size);
  MatrixXd B = MatrixXd::Zero(size, static_cast<Eigen::Index>(small.inputs.size()));
  A.topLeftCorner(dof, dof) = P;
  A.block(0, dof, dof, dof).setIdentity();
  A.block(dof, 0, dof, dof) = -by_mass(d.K);
  A.block(dof, dof, dof, dof) = -by_mass(d.D);
  if (first_excitation > 0) B.block(dof, 0, dof, first_excitation) = by_mass(inputs);
  if (own > 0) {
    A.block(dof, 2 * dof, dof, own) = -by_mass(muscles.f_by_state);
    A.block(2 * dof, 0, own, dof) = muscles.rate_by_u;
    A.block(2 * dof, 2 * dof, own, own) = muscles.rate_by_state;
    B.block(2 * dof, first_excitation, own, muscles.rate_by_input.cols()) = muscles.rate_by_input;
  }
  small.A = matrix(A);
  small.B = matrix(B);
  set_outputs(mechanism, at, motion, d, small);
  small.states.insert(small.states.end(), muscles.states.begin(), muscles.states.end());

  const double stiffness = max_abs(K), rate = std::sqrt(std::max(stiffness, 1e-300));
  const bool resting = max_abs(v) == 0;
  small.steady = muscles.resting && max_abs(motion.a) <= 1e-9 * std::max(1.0, stiffness);
  small.symmetric = resting && own == 0 && max_abs(D) <= kRounding * rate &&
                    max_abs(MatrixXd(K - K.transpose())) <= kRounding * stiffness;
  if (small.symmetric) {
    const SymmetricEigen found = symmetric_eigen(0.5 * (K + K.transpose()));
    for (Eigen::Index i = 0; i < dof; ++i) {
      const double square = found.values[i];
      SmallMotion mode{square > 0 ? std::complex<double>(0, std::sqrt(square)) : std::sqrt(-square)};
      if (std::abs(square) <= 1e-13 * max_abs(found.values)) mode.s = 0;
      finish(mechanism, at, solve_transposed(L, found.vectors.col(i)).cast<std::complex<double>>(), mode);
      small.modes.push_back(std::move(mode));
    }
  } else {
    const double unit = std::max({rate, max_abs(D), max_abs(P)});
    MatrixXd scaled = MatrixXd::Zero(size, size);
    scaled.topLeftCorner(dof, dof) =
        product(L.transpose(), MatrixXd(solve_lower(L, P.transpose()).transpose())) / unit;
    scaled.block(0, dof, dof, dof).setIdentity();
    scaled.block(dof, 0, dof, dof) = -K / (unit * unit);
    scaled.block(dof, dof, dof, dof) = -D / unit;
    if (own > 0) {
      scaled.block(dof, 2 * dof, dof, own) = -solve_lower(L, muscles.f_by_state) / (unit * unit);
      scaled.block(2 * dof, 0, own, dof) =
          MatrixXd(solve_lower(L, MatrixXd(muscles.rate_by_u.transpose())).transpose()) / unit;
      scaled.block(2 * dof, 2 * dof, own, own) = muscles.rate_by_state / unit;
    }
    const GeneralEigen found = general_eigen(scaled);
    for (Eigen::Index i = 0; i < size; ++i) {
      const std::complex<double> s = unit * found.values[i];
      if (s.imag() < 0) continue;
      const VectorXcd y = found.vectors.col(i).head(dof);
      const MatrixXd re = solve_transposed(L, MatrixXd(y.real())),
                     im = solve_transposed(L, MatrixXd(y.imag()));
      VectorXcd x(dof);
      for (int k = 0; k < dof; ++k) x[k] = {re(k, 0), im(k, 0)};
      SmallMotion mode{s};
      finish(mechanism, at, x, mode);
      small.modes.push_back(std::move(mode));
    }
  }
  std::stable_sort(small.modes.begin(), small.modes.end(), [](const SmallMotion& a, const SmallMotion& b) {
    return a.frequency() != b.frequency() ? a.frequency() < b.frequency() : a.s.real() < b.s.real();
  });
  return small;
}

SmallMotions small_motions(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                           double t) {
  const ReducedMechanism mechanism(model);
  return small_motions(mechanism, mechanism.configure(q), v, t);
}

}  // namespace torsor
