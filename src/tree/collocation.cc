#include "tree/collocation.h"

#include <array>
#include <cassert>
#include <cmath>

#include "tree/configuration.hpp"

namespace torsor {
namespace {

SO3<double> operator-(const SO3<double>& a, const SO3<double>& b) {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}
SO3<double> reciprocal(const SO3<double>& q) {
  const double scale = 1 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {scale * q.w, -scale * q.x, -scale * q.y, -scale * q.z};
}

struct Step {
  double h;
  std::span<const double> a, b, q0, V;
  std::span<double> Q, dq;
  int stages, coordinates, rates;
  std::array<SO3<double>, kMostStages * kMostStages> G;  ///< coefficients of (2)
  std::array<SO3<double>, kMostStages> X;
  std::array<Vec3<double>, kMostStages> slope;
};

void solve_line(Step& step, int q, int v) {
  double end = 0;
  for (int i = 0; i < step.stages; ++i) {
    double sum = 0;
    for (int j = 0; j < step.stages; ++j) sum += step.a[i * step.stages + j] * step.V[j * step.rates + v];
    step.Q[i * step.coordinates + q] = step.q0[q] + step.h * sum;
    end += step.b[i] * step.V[i * step.rates + v];
  }
  step.dq[q] = step.h * end;
}

void solve_quaternion(Step& step, int q, int v) {
  const int s = step.stages;
  const auto G = [&](int j, int i) -> SO3<double>& { return step.G[j * s + i]; };
  for (int j = 0; j < s; ++j) {
    const Vec3<double> omega = vector(step.V.data() + j * step.rates + v);
    for (int i = 0; i < s; ++i) {
      const double factor = -0.5 * step.h * step.a[i * s + j];
      G(j, i) = {i == j ? 1.0 : 0.0, factor * omega.x, factor * omega.y, factor * omega.z};  // (2)
    }
  }
  // Columns are the equations sum_j X_j G_ji = 1; X stands on the left, so factors come from the right.
  for (int i = 0; i < s; ++i) step.X[i] = {1, 0, 0, 0};
  for (int p = 0; p < s; ++p) {
    const SO3<double> inverse_pivot = reciprocal(G(p, p));
    for (int i = p + 1; i < s; ++i) {
      const SO3<double> factor = inverse_pivot * G(p, i);
      for (int j = p + 1; j < s; ++j) G(j, i) = G(j, i) - G(j, p) * factor;
      step.X[i] = step.X[i] - step.X[p] * factor;
    }
    G(p, p) = inverse_pivot;
  }
  for (int p = s - 1; p >= 0; --p) {
    for (int j = p + 1; j < s; ++j) step.X[p] = step.X[p] - step.X[j] * G(j, p);
    step.X[p] = step.X[p] * G(p, p);
  }

  const SO3<double> start = quaternion(step.q0.data() + q);
  SO3<double> turn{0, 0, 0, 0};
  for (int j = 0; j < s; ++j) {
    store(normalized(start * step.X[j]), step.Q.data() + j * step.coordinates + q);
    const double weight = 0.5 * step.h * step.b[j];
    const double* omega = step.V.data() + j * step.rates + v;
    const SO3<double> slope =
        step.X[j] * SO3<double>{0, weight * omega[0], weight * omega[1], weight * omega[2]};
    turn = {turn.w + slope.w, turn.x + slope.x, turn.y + slope.y, turn.z + slope.z};
  }
  store(start * turn, step.dq.data() + q);  // (1)
}

void solve_plane(Step& step, const TreeNode& node) {
  for (int j = 0; j < step.stages; ++j) {
    const double angle = step.Q[j * step.coordinates + node.q];
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double* v = step.V.data() + j * step.rates + node.v;
    step.slope[j] = {cosine * v[1] - sine * v[2], sine * v[1] + cosine * v[2], 0};
  }
  for (int k = 0; k < 2; ++k) {
    double end = 0;
    for (int i = 0; i < step.stages; ++i) {
      double sum = 0;
      for (int j = 0; j < step.stages; ++j) sum += step.a[i * step.stages + j] * step.slope[j][k];
      step.Q[i * step.coordinates + node.q + 1 + k] = step.q0[node.q + 1 + k] + step.h * sum;
      end += step.b[i] * step.slope[i][k];
    }
    step.dq[node.q + 1 + k] = step.h * end;
  }
}

void solve_position(Step& step, const TreeNode& node) {
  for (int j = 0; j < step.stages; ++j) {
    const SO3<double> rotation = quaternion<double>(step.Q.data() + j * step.coordinates + node.q);
    step.slope[j] = act(rotation, vector(step.V.data() + j * step.rates + node.v + 3));
  }
  Vec3<double> end;
  const Vec3<double> start = vector(step.q0.data() + node.q + 4);
  for (int i = 0; i < step.stages; ++i) {
    Vec3<double> sum;
    for (int j = 0; j < step.stages; ++j) sum += step.a[i * step.stages + j] * step.slope[j];
    store<double>(start + step.h * sum, step.Q.data() + i * step.coordinates + node.q + 4);
    end += step.b[i] * step.slope[i];
  }
  store<double>(step.h * end, step.dq.data() + node.q + 4);
}

}  // namespace

void collocate(const Tree& tree, double h, std::span<const double> a, std::span<const double> b,
               std::span<const double> q0, std::span<const double> V, std::span<double> Q,
               std::span<double> dq) {
  assert(b.size() <= kMostStages);
  Step step{h,  a,  b, q0, V, Q, dq, static_cast<int>(b.size()), tree.coordinate_count, tree.rate_count,
            {}, {}, {}};
  for (const TreeNode& node : tree.nodes) {
    switch (node.joint) {
      case NodeJoint::fixed:
        break;
      case NodeJoint::revolute:
      case NodeJoint::prismatic:
      case NodeJoint::helical:
        solve_line(step, node.q, node.v);
        break;
      case NodeJoint::spherical:
        solve_quaternion(step, node.q, node.v);
        break;
      case NodeJoint::planar:
        solve_line(step, node.q, node.v);
        solve_plane(step, node);
        break;
      case NodeJoint::free:
        solve_quaternion(step, node.q, node.v);
        solve_position(step, node);
        break;
    }
  }
}

}  // namespace torsor
