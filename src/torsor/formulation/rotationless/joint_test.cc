#include "torsor/formulation/rotationless/joint.h"

#include <gtest/gtest.h>

#include <numbers>

#include "testing/random_elements.h"
#include "testing/rotationless_probe.h"
#include "torsor/lie/inertia.h"

namespace torsor {
namespace {

using testing::Probe, testing::State, testing::increments;

/// Two bodies with skew frames, the second on the first by the joint in question.
ModelDescription pair_of_bodies(JointType type, int dimension, unsigned seed) {
  ModelDescription d = dimension == 2 ? random_planar_tree(2, seed, 0.0) : random_tree(2, seed, 0.0);
  d.joints[0].type = JointType::free;
  d.joints[0].axis = {0, 0, 1};
  Joint& joint = d.joints[1];
  joint.type = type;
  joint.pitch = has_pitch(type) ? 0.3 : 0;
  joint.axis = {0, 0, 1};
  if (has_axis(type) && dimension == 3) joint.axis = {0.3, -0.5, 0.7};
  if (only_slides(type) && dimension == 2) joint.axis = {0.6, -0.8, 0};
  return d;
}

template <int D>
Configuration<D> configuration(std::span<const double> x) {
  Configuration<D> X;
  for (std::size_t at = 0; at < x.size();) {
    Directors<D>& body = X.emplace_back();
    for (int i = 0; i < D; ++i) body.phi[i] = x[at++];
    for (VecD<D>& d : body.d) {
      for (int i = 0; i < D; ++i) d[i] = x[at++];
    }
  }
  X.push_back(ground_directors<D>());
  return X;
}

/// Two states of a model, what leads from one to the other, and the means of both.
template <int D>
struct Pair {
  Pair(Probe& probe, const std::vector<double>& q_a, const std::vector<double>& q_b,
       const std::vector<double>& qd)
      : state(probe.state_at(q_a, qd)),
        a(configuration<D>(state.x)),
        b(configuration<D>(probe.state_at(q_b, qd).x)),
        V(configuration<D>(state.v)),
        left(a) {
    V.back() = Directors<D>{};
    const State end = probe.state_at(q_b, qd);
    for (std::size_t node = 0; node + 1 < a.size(); ++node) {
      const std::vector<double> eta =
          increments(D, &state.x[kCoordinates<D> * node], &end.x[kCoordinates<D> * node]);
      std::copy(eta.begin(), eta.end(), step.emplace_back().begin());
      left[node].phi = 0.5 * (a[node].phi + b[node].phi);
      for (int i = 0; i < D; ++i) left[node].d[i] = 0.5 * (a[node].d[i] + b[node].d[i]);
    }
    step.push_back(Row<D>{});
  }
  double along(const PairRow<D>& row, int child, int parent) const {
    double sum = 0;
    for (int i = 0; i < kWidth<D>; ++i)
      sum += row.child[i] * step[child][i] + row.parent[i] * step[parent][i];
    return sum;
  }

  State state;
  Configuration<D> a, b, V, left;
  std::vector<Row<D>> step;
};

template <int D>
void expect_rows_hold(const JointRows<D>& rows, const Configuration<D>& X) {
  if (rows.coincident) {
    EXPECT_LE(norm(value_at(rows.child_point, X) + value_at(rows.parent_point, X)),
              1e-14);  // measured 1.4e-15
  }
  for (const Product<D>& product : rows.products)
    EXPECT_NEAR(value_at(product, X), 0, 2e-14);  // measured 3e-15
}

template <int D>
void expect_joint_laws(JointType type, unsigned seed) {
  Probe probe(pair_of_bodies(type, D, seed));
  const Model& model = probe.model;
  const NodeFrames<D> frames = make_node_frames<D>(model);
  const RotationlessJoints<D> joints = make_rotationless_joints<D>(model, frames);
  const JointRows<D>& rows = joints.rows[1];
  EXPECT_EQ(rows.count(), kWidth<D> - rate_count(type, D));

  std::mt19937 random(seed);
  const State from = probe.random_state(random);
  // Turns of up to 2.7 rad.
  const State to = probe.state_near(from, 1.0, random);
  const Pair<D> pair(probe, from.q, to.q, from.qd);
  expect_rows_hold<D>(rows, pair.a);
  expect_rows_hold<D>(rows, pair.b);
  for (const Product<D>& product : rows.products) {
    PairRow<D> row;
    add_gradient(product, pair.left, 1.0, row);
    EXPECT_NEAR(pair.along(row, rows.child, rows.parent), 0, 1e-13);  // measured 3e-15
    EXPECT_NEAR(rate_at(product, pair.a, pair.V), 0, 1e-13);          // measured 9e-15
  }

  const std::vector<Measure<D>>& coordinates = joints.coordinates[1];
  const bool open = components(type, D).quaternions > 0;
  ASSERT_EQ(coordinates.size(), open ? 0 : rate_count(type, D));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const Measure<D>& measure = coordinates[i];
    const int at = model.coordinate_offset(1) + static_cast<int>(i);
    const double last = measure.angle < 0 ? 0 : from.q[at];
    const MeasuredPair measured = measured_pair(measure, pair.a, pair.b, last, 0.5);
    EXPECT_NEAR(measured.a, from.q[at], 2e-14);  // measured 6e-15
    EXPECT_NEAR(measured.b, to.q[at], 4e-14);    // measured 7e-15
    const PairRow<D> row = discrete_gradient(measure, measured, pair.left);
    EXPECT_NEAR(pair.along(row, measure.child, measure.parent), measured.b - measured.a,
                1e-13);                                      // measured 6e-15
    if (D == 2 && has_twist_rates(type) && i > 0) continue;  // rates along the child's axes
    const MeasuredPair here = measured_pair(measure, pair.a, pair.a, last, 1.0);
    EXPECT_NEAR(rate_at(measure, here, pair.a, pair.V), from.qd[model.rate_offset(1) + i],
                1e-13);  // measured 7e-15
  }
}

TEST(RotationlessJoint, RowsAndCoordinatesOfEveryType) {
  for (const auto& [type, name, in_plane, parts] : kJointTypes) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(std::string(name) + ", seed " + std::to_string(seed));
      if (in_plane) expect_joint_laws<2>(type, seed);
      expect_joint_laws<3>(type, seed);
    }
  }
}

/// Angles count on over many turns, also past those where the constraint (28) of Uhlar and Betsch is
/// singular, 3 pi/4 + k pi, and past half turns, where the arc tangent jumps.
template <int D>
void expect_angles_count(JointType type) {
  Probe probe(pair_of_bodies(type, D, 3));
  const NodeFrames<D> frames = make_node_frames<D>(probe.model);
  const Measure<D> measure = make_rotationless_joints<D>(probe.model, frames).coordinates[1][0];
  std::mt19937 random(1);
  const State start = probe.random_state(random);
  const int at = probe.model.coordinate_offset(1);
  constexpr double kStep = std::numbers::pi / 8;
  std::vector<double> q = start.q;
  q[at] = -6 * std::numbers::pi;
  for (int i = 0; i < 96; ++i) {
    std::vector<double> next = q;
    next[at] += kStep;
    const Pair<D> pair(probe, q, next, start.qd);
    const MeasuredPair measured = measured_pair(measure, pair.a, pair.b, q[at], 0.5);
    EXPECT_NEAR(measured.a, q[at], 1e-13);     // measured 2e-15
    EXPECT_NEAR(measured.b, next[at], 1e-13);  // measured 2e-15
    const PairRow<D> row = discrete_gradient(measure, measured, pair.left);
    EXPECT_NEAR(pair.along(row, measure.child, measure.parent), kStep, 1e-13);  // measured 2e-15
    q = next;
  }
}

TEST(RotationlessJoint, AnglesCountOverManyTurns) {
  expect_angles_count<2>(JointType::revolute);
  expect_angles_count<2>(JointType::planar);
  for (const JointType type : {JointType::revolute, JointType::helical, JointType::cylindrical,
                               JointType::universal, JointType::planar}) {
    SCOPED_TRACE(name_of(type));
    expect_angles_count<3>(type);
  }
}

/// R diag(E) R^T is the Euler tensor about the centre of mass, for any body: skew, flat, a rod, a point.
TEST(RotationlessJoint, DirectorsAreAxesOfTheEulerTensor) {
  ModelDescription d = random_tree(5, 4);
  d.bodies[1].inertia = {0.1, 0.3, 0.4, 0.05, 0, 0};  // flat in z
  d.bodies[2].inertia = {0, 0.2, 0.2, 0, 0, 0};       // a rod along x
  const Vec3<double> along{0.48, 0.6, 0.64};
  d.bodies[3].inertia =
      diagonal(0.3) - 0.3 * Sym3<double>{along.x * along.x, along.y * along.y, along.z * along.z,
                                         along.x * along.y, along.x * along.z, along.y * along.z};
  const Model model(d);
  const NodeFrames<3> frames = make_node_frames<3>(model);
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const Mat3<double>& R = frames.X_BD[b].R;
    const std::array<double, 3>& values = frames.E[frames.node_of[b]];
    EXPECT_EQ(frames.X_BD[b].p.x, d.bodies[b].com.x);
    Mat3<double> sum{};
    const Vec3<double> columns[3] = {{R.xx, R.yx, R.zx}, {R.xy, R.yy, R.zy}, {R.xz, R.yz, R.zz}};
    for (int k = 0; k < 3; ++k) {
      EXPECT_GE(values[k], 0);
      sum = sum + values[k] * outer(columns[k], columns[k]);
      EXPECT_NEAR(dot(columns[k], columns[k]), 1, 1e-14);
    }
    const Sym3<double> E = euler_tensor(model.bodies()[b].inertia);
    const double expected[9] = {E.xx, E.xy, E.xz, E.xy, E.yy, E.yz, E.xz, E.yz, E.zz};
    const double found[9] = {sum.xx, sum.xy, sum.xz, sum.yx, sum.yy, sum.yz, sum.zx, sum.zy, sum.zz};
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);  // measured 9e-16
    EXPECT_NEAR(dot(cross(columns[0], columns[1]), columns[2]), 1, 1e-14);
  }
}

}  // namespace
}  // namespace torsor
