#include "torsor/tree/higher_order_kinematics.h"

#include "torsor/base/error.h"
#include "torsor/tree/kinematics.hpp"

namespace torsor {
namespace {

/// The part of a representation that follows the body: D of the header, from the twist or its derivative.
Twist<double> frame_twist(Representation representation, const Twist<double>& V) {
  if (representation == Representation::body) return V;
  if (representation == Representation::hybrid) return {{}, V.linear};
  return {};
}

/// The screws of one chain node in the representation of node `node`, times what multiplies them.
struct Chain {
  const Tree& tree;
  std::span<const Twist<double>> J;
  const Pose<double>& X_WN;
  Representation representation;

  Twist<double> times(int j, std::span<const double> factors) const {
    Twist<double> sum{};
    const int first = tree.nodes[j].v, end = first + rate_count(tree.nodes[j].joint);
    for (int k = first; k < end; ++k) sum += factors[k] * J[k];
    return convert(Representation::spatial, representation, X_WN, sum);
  }
  int parent(int j) const { return tree.nodes[j].parent; }
};

/// Derivatives of v in world axes become those of R^T v in body axes: (R^T v)' = R^T (v' - omega x v), order
/// after order, on derivatives of v alone.
template <class Part>
void turn_to_body_axes(const HigherOrderWorkspace& workspace, const Mat3<double>& R, Part&& v) {
  for (int done = 0; done < workspace.order; ++done) {
    for (int k = workspace.order; k > done;
         --k) {  // v(k) holds derivative k - done of what is turned `done` times
      for (int m = 0; m < k - done; ++m) {
        v(k) -= workspace.binomial(k - done - 1, m) * cross(workspace.turning[m], v(k - 1 - m));
      }
    }
  }
  for (int k = 0; k <= workspace.order; ++k) v(k) = transpose_times(R, v(k));
}

/// From the spatial representation, derivatives of one node in place.
void represent_derivatives(HigherOrderWorkspace& workspace, Representation representation,
                           const Pose<double>& X_WN, Twist<double>* V) {
  if (representation == Representation::spatial) return;
  for (int k = 0; k <= workspace.order; ++k) {  // r' = v^s + omega x r, differentiated k times
    workspace.turning[k] = V[k].angular;
    V[k].linear += cross(V[k].angular, X_WN.p);
    for (int m = 0; m < k; ++m) {
      V[k].linear += workspace.binomial(k, m) * cross(V[m].angular, V[k - m - 1].linear);
    }
  }
  if (has_linear_in_body_axes(representation)) {
    turn_to_body_axes(workspace, X_WN.R, [V](int k) -> Vec3<double>& { return V[k].linear; });
  }
  if (has_angular_in_body_axes(representation)) {
    turn_to_body_axes(workspace, X_WN.R, [V](int k) -> Vec3<double>& { return V[k].angular; });
  }
}

/// Components of a twist along the screws of a node; these are orthogonal, of unit length but for the helical
/// one.
template <class Motion>
void along_screws(const TreeNode& node, Motion motion, const Twist<double>& V, double* components) {
  motion.project(node, Wrench<double>{V.angular, V.linear}, components);
  if (node.joint == Primitive::helical) components[0] /= 1 + node.pitch * node.pitch;
}

}  // namespace

TwistDerivatives<double> twist_derivatives(const Tree& tree, std::span<const Pose<double>> X_WN,
                                           std::span<const Twist<double>> J, std::span<const double> qd,
                                           std::span<const double> qdd, std::span<const double> qddd,
                                           int node, Representation representation) {
  require_size("X_WN", X_WN.size(), tree.size());
  require_size("J", J.size(), tree.rate_count);
  require_size("qd", qd.size(), tree.rate_count);
  require_size("qdd", qdd.size(), tree.rate_count);
  require_size("qddd", qddd.size(), tree.rate_count);
  if (representation == Representation::mixed) {
    const auto body = twist_derivatives(tree, X_WN, J, qd, qdd, qddd, node, Representation::body);
    const auto hybrid = twist_derivatives(tree, X_WN, J, qd, qdd, qddd, node, Representation::hybrid);
    return joined(angular_part(body), linear_part(hybrid));  // (100)
  }
  const Chain chain{tree, J, X_WN[node], representation};
  TwistDerivatives<double> sum{};
  for (int j = node; j > 0; j = chain.parent(j)) sum.twist += chain.times(j, qd);

  // From the node to the ground, so that V_j is the whole less what lies beyond j.
  const Twist<double> D = frame_twist(representation, sum.twist);
  Twist<double> V = sum.twist;
  for (int j = node; j > 0; j = chain.parent(j)) {
    const Twist<double> U = chain.times(j, qd);
    sum.acceleration += chain.times(j, qdd) + bracket(V - D, U);
    V -= U;
  }
  const Twist<double> D_rate = frame_twist(representation, sum.acceleration);
  V = sum.twist;
  Twist<double> V_rate = sum.acceleration;
  for (int j = node; j > 0; j = chain.parent(j)) {
    const Twist<double> U = chain.times(j, qd), A = chain.times(j, qdd), U_turning = bracket(V - D, U);
    sum.jerk += chain.times(j, qddd) + bracket(V - D, 2.0 * A + U_turning) + bracket(V_rate - D_rate, U);
    V -= U;
    V_rate -= A + U_turning;
  }
  return sum;
}

HigherOrderWorkspace::HigherOrderWorkspace(const Tree& tree, int highest)
    : order(highest),
      binomials((highest + 1) * (highest + 1)),
      X_WN(tree.size()),
      J(tree.rate_count * (highest + 1)),
      turning(highest + 1) {
  for (int n = 0; n <= order; ++n) {
    binomials[n * (order + 1)] = 1;
    for (int k = 1; k <= n; ++k) binomials[n * (order + 1) + k] = binomial(n, k - 1) * (n - k + 1) / k;
  }
}

void twist_derivatives(const Tree& tree, HigherOrderWorkspace& workspace, std::span<const double> q,
                       std::span<const double> rates, Representation representation,
                       std::span<Twist<double>> V) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("rates", rates.size(), std::size_t(workspace.order + 1) * tree.rate_count);
  require_size("V", V.size(), tree.nodes.size() * (workspace.order + 1));
  const int count = workspace.order + 1, n = tree.rate_count;
  node_poses<double>(tree, q, workspace.X_WN);
  for (int k = 0; k < count; ++k) V[k] = {};
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    const int screws = rate_count(node.joint);
    Twist<double> first[6];
    with_motion(node.joint, [&](auto motion) { motion.spatial_screws(node, workspace.X_WN[i], first); });
    Twist<double>* const Vi = V.data() + i * count;
    for (int k = 0; k < count; ++k) {
      Vi[k] = V[node.parent * count + k];
      for (int s = 0; s < screws; ++s) {
        Twist<double>* const J = workspace.J.data() + (node.v + s) * count;
        J[k] = k == 0 ? first[s] : Twist<double>{};
        // J' = [V_i, J], (16), differentiated k - 1 times; also for several screws of a node, all fixed in it
        for (int l = 0; l < k; ++l) J[k] += workspace.binomial(k - 1, l) * bracket(Vi[l], J[k - 1 - l]);
        // V_i = V_P + sum J qd, (109), differentiated k times
        for (int l = 0; l <= k; ++l)
          Vi[k] += (workspace.binomial(k, l) * rates[l * n + node.v + s]) * J[k - l];
      }
    }
  }
  // Only now, since the children build on the spatial derivatives.
  for (int i = 1; i < tree.size(); ++i) {
    represent_derivatives(workspace, representation, workspace.X_WN[i], V.data() + i * count);
  }
}

void joint_rates(const Tree& tree, std::span<const double> q, std::span<const Twist<double>> V_N,
                 std::span<double> qd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("V_N", V_N.size(), tree.size());
  require_size("qd", qd.size(), tree.rate_count);
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<double> X_PN = local_pose<double>(node, motion, q);
      along_screws(node, motion, V_N[i] - to_child(X_PN, V_N[node.parent]), qd.data() + node.v);
    });
  }
}

void joint_accelerations(const Tree& tree, std::span<const double> q, std::span<const Twist<double>> V_N,
                         std::span<const Twist<double>> V_N_rate, std::span<double> qdd) {
  require_size("q", q.size(), tree.coordinate_count);
  require_size("V_N", V_N.size(), tree.size());
  require_size("V_N_rate", V_N_rate.size(), tree.size());
  require_size("qdd", qdd.size(), tree.rate_count);
  for (int i = 1; i < tree.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    with_motion(node.joint, [&](auto motion) {
      const Pose<double> X_PN = local_pose<double>(node, motion, q);
      double rates[6];
      along_screws(node, motion, V_N[i] - to_child(X_PN, V_N[node.parent]), rates);
      const Twist<double> relative = motion.twist(node, rates);
      const Twist<double> rest =
          V_N_rate[i] - to_child(X_PN, V_N_rate[node.parent]) + bracket(relative, V_N[i]);  // (11)
      along_screws(node, motion, rest, qdd.data() + node.v);
    });
  }
}

}  // namespace torsor
