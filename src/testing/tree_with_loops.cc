#include "testing/tree_with_loops.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "testing/gragg_bulirsch_stoer.h"
#include "torsor/base/norm.h"
#include "torsor/model/initial.h"
#include "torsor/tree/configuration.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/scalars.h"

namespace torsor::testing {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kRankTolerance = 1e-10;

bool is_loop_joint(const Model& model, int joint) {
  for (const int loop : model.topology().loop_joints)
    if (loop == joint) return true;
  return false;
}

/// What is left of a model when its loops are cut and its servos let go.
Model tree_of(const Model& model) {
  ModelDescription d;
  d.name = model.name();
  d.dimension = model.dimension();
  d.gravity = model.gravity();
  d.bodies = model.bodies();
  d.points = model.points();
  d.tendons = model.tendons();
  d.joint_springs = model.joint_springs();
  d.loads = model.loads();
  d.actuators = model.actuators();
  std::vector<int> index(model.joints().size(), -1);
  for (std::size_t j = 0; j < index.size(); ++j) {
    if (is_loop_joint(model, static_cast<int>(j))) continue;
    index[j] = static_cast<int>(d.joints.size());
    d.joints.push_back(model.joints()[j]);
    Joint& joint = d.joints.back();
    joint.reference.reset();
    if (d.dimension == 2 && joint.type == JointType::prismatic) {
      // The model has turned the axis to z; a description wants it in the plane, and the frames still tell
      // where.
      joint.axis = -transpose_times(matrix(joint.in_parent.rotation), Vec3<double>{0, 0, 1});
      joint.axis.z = 0;
      for (SO3<double>* frame : {&joint.in_parent.rotation, &joint.in_child.rotation}) {
        const SO3<double> in_plane = *frame * inverse(axis_frame(joint.axis));
        const double length = std::hypot(in_plane.w, in_plane.z);
        *frame = {in_plane.w / length, 0, 0, in_plane.z / length};
      }
    }
  }
  const auto renumber = [&](int& joint) {
    if (index[joint] < 0) throw std::invalid_argument("an element acts in a joint that closes a loop");
    joint = index[joint];
  };
  for (JointSpring& spring : d.joint_springs) renumber(spring.joint);
  for (Actuator& actuator : d.actuators) renumber(actuator.joint);
  return Model(d);
}

/// The entries of the tree's joints in a vector of all joints.
std::vector<double> of_tree(const Model& model, const std::vector<double>& all, bool rates) {
  std::vector<double> result;
  for (int j = 0; j < static_cast<int>(model.joints().size()); ++j) {
    if (is_loop_joint(model, j)) continue;
    const JointType type = model.joints()[j].type;
    const int first = rates ? model.rate_offset(j) : model.coordinate_offset(j);
    const int count = rates ? rate_count(type, model.dimension()) : coordinate_count(type, model.dimension());
    result.insert(result.end(), all.begin() + first, all.begin() + first + count);
  }
  return result;
}

/// The conditions of a loop joint on X, the pose of K in J, and their rates under the body-fixed twist V.
template <class S>
void add_loop_rows(JointType type, const Pose<S>& X, const Twist<S>& V, std::vector<S>& value,
                   std::vector<S>& rate) {
  const Vec3<S> velocity = X.R * V.linear;
  const auto keep = [&](const S& x, const S& xd) {
    value.push_back(x);
    rate.push_back(xd);
  };
  const auto column_rate = [&](const Vec3<double>& axis) {
    return X.R * cross(V.angular, Vec3<S>{S(axis.x), S(axis.y), S(axis.z)});
  };
  const bool slides = type == JointType::prismatic || type == JointType::cylindrical;
  if (type != JointType::planar) {
    keep(X.p.x, velocity.x);
    keep(X.p.y, velocity.y);
  }
  if (!slides) keep(X.p.z, velocity.z);
  if (type == JointType::spherical) return;
  if (type == JointType::universal) {
    keep(X.R.xy, column_rate({0, 1, 0}).x);
    return;
  }
  const Vec3<S> z_rate = column_rate({0, 0, 1});
  keep(X.R.xz, z_rate.x);
  keep(X.R.yz, z_rate.y);
  if (type == JointType::prismatic || type == JointType::fixed) keep(X.R.yx, column_rate({1, 0, 0}).y);
}

/// Solves A x = b for the shortest x where rows repeat each other.
Vector shortest(const Matrix& A, const Vector& b) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(kRankTolerance);
  return decomposition.compute(A).solve(b);
}

}  // namespace

TreeWithLoops::TreeWithLoops(const Model& model)
    : TreeWithLoops(model, initial_coordinates(model), initial_rates(model)) {}

TreeWithLoops::TreeWithLoops(const Model& model, const std::vector<double>& q, const std::vector<double>& qd)
    : model_(tree_of(model)),
      system_(model_),
      mass_workspace_(system_.tree()),
      q_(of_tree(model, q, false)),
      qd_(of_tree(model, qd, true)) {
  const Tree& tree = system_.tree();
  const auto node = [&](int body) { return body == kWorld ? 0 : tree.body_node[body]; };
  const auto in_node = [&](int body) { return body == kWorld ? Pose<double>{} : tree.X_NB[body]; };
  for (const int j : model.topology().loop_joints) {
    const Joint& joint = model.joints()[j];
    if (joint.type == JointType::helical) throw std::invalid_argument("a helical joint closes a loop");
    const Pose<double> z_to_axis{matrix(axis_frame(joint.axis)), {}};
    loops_.push_back({joint.type, node(joint.parent), node(joint.child),
                      in_node(joint.parent) * pose(joint.in_parent) * z_to_axis,
                      in_node(joint.child) * pose(joint.in_child) * z_to_axis});
  }
  for (const Servo& servo : model.servos()) {
    if (servo.joint || servo.follows.contains("roll"))
      throw std::invalid_argument("a servo leads a joint or an orientation in space");
    const int body = servo.point ? servo.point->body : *servo.body;
    const Vec3<double> p_B = servo.point ? servo.point->p_B : Vec3<double>{};
    for (const auto& [name, program] : servo.follows) {
      const int axis = name == "x" ? 0 : name == "y" ? 1 : name == "z" ? 2 : 3;
      outputs_.push_back({node(body), act(in_node(body), p_B), axis, in_node(body), program});
    }
    servo_actuators_.insert(servo_actuators_.end(), servo.actuators.begin(), servo.actuators.end());
  }
  project();
}

template <class S>
void TreeWithLoops::rows(std::span<const Pose<S>> X_WN, std::span<const Twist<S>> V_N, std::vector<S>& value,
                         std::vector<S>& rate) const {
  value.clear();
  rate.clear();
  for (const Loop& loop : loops_) {
    const Pose<S> X_JK = inverse(X_WN[loop.parent] * loop.X_PJ) * (X_WN[loop.child] * loop.X_CK);
    const Twist<S> V_J = to_child(loop.X_PJ, V_N[loop.parent]), V_K = to_child(loop.X_CK, V_N[loop.child]);
    const Twist<S> V_J_at_K = to_child(X_JK, V_J);
    add_loop_rows<S>(loop.type, X_JK, {V_K.angular - V_J_at_K.angular, V_K.linear - V_J_at_K.linear}, value,
                     rate);
  }
  for (const Output& output : outputs_) {
    const Pose<S>& X = X_WN[output.node];
    const Twist<S>& V = V_N[output.node];
    if (output.axis == 3) {
      using std::atan2;
      const Mat3<S> R = X.R * output.X_NB.R;
      value.push_back(atan2(R.yx, R.xx));
      rate.push_back((X.R * V.angular).z);
      continue;
    }
    const Vec3<S> p{S(output.p.x), S(output.p.y), S(output.p.z)};
    value.push_back((X.R * p + X.p)[output.axis]);
    rate.push_back((X.R * (V.linear + cross(V.angular, p)))[output.axis]);
  }
}

TreeWithLoops::Constraints TreeWithLoops::constraints(double t, std::span<const double> q,
                                                      std::span<const double> v) const {
  const Tree& tree = system_.tree();
  std::vector<Pose<double>> X(tree.size());
  std::vector<Twist<double>> V(tree.size());
  std::vector<double> value, rate, unused, unit(tree.rate_count);
  forward_kinematics<double>(tree, q, v, X, V);
  rows<double>(X, V, value, rate);
  const int count = static_cast<int>(value.size());
  Constraints c{Vector::Map(value.data(), count), Vector::Map(rate.data(), count), Vector(count),
                Matrix(count, tree.rate_count)};
  for (int j = 0; j < tree.rate_count; ++j) {
    unit[j] = 1;
    forward_kinematics<double>(tree, q, unit, X, V);
    rows<double>(X, V, unused, rate);
    c.G.col(j) = Vector::Map(rate.data(), count);
    unit[j] = 0;
  }
  // gamma: the rate of G v while v stays.
  std::vector<Dual1> q0(q.begin(), q.end()), v0(v.begin(), v.end()), increment(v.size()), q1(q.size());
  for (std::size_t j = 0; j < v.size(); ++j) increment[j] = Dual1(0.0, {v[j]});
  retract<Dual1>(tree, q0, increment, q1);
  std::vector<Pose<Dual1>> moving_X(tree.size());
  std::vector<Twist<Dual1>> moving_V(tree.size());
  std::vector<Dual1> moving_value, moving_rate;
  forward_kinematics<Dual1>(tree, q1, v0, moving_X, moving_V);
  rows<Dual1>(moving_X, moving_V, moving_value, moving_rate);
  for (int i = 0; i < count; ++i) c.gamma[i] = moving_rate[i].tangent[0];
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Jet target = outputs_[i].program.evaluate(t);
    const auto row = count - static_cast<Eigen::Index>(outputs_.size() - i);
    c.value[row] -= target.value;
    c.rate[row] -= target.rate;
    c.gamma[row] -= target.acceleration;
  }
  return c;
}

Eigen::MatrixXd TreeWithLoops::masses(std::span<const double> q) {
  const int n = system_.rate_count();
  Matrix M(n, n);
  mass_matrix<double>(system_.tree(), mass_workspace_, q, {M.data(), static_cast<std::size_t>(n * n)});
  return M;
}

TreeWithLoops::Accelerations TreeWithLoops::accelerations(double t, std::span<const double> q,
                                                          std::span<const double> v) {
  const int n = system_.rate_count();
  Vector a(n);
  system_.evaluate(t, q, v, {a.data(), static_cast<std::size_t>(n)}, {});
  if (loops_.empty() && outputs_.empty()) return {a, {}};
  const Constraints c = constraints(t, q, v);
  const auto loop_rows = c.G.rows() - static_cast<Eigen::Index>(outputs_.size());
  const auto effort_count = static_cast<Eigen::Index>(servo_actuators_.size());
  Matrix forces = Matrix::Zero(n, loop_rows + effort_count);  // (1): G^T of the loops, B of the servos
  forces.leftCols(loop_rows) = c.G.topRows(loop_rows).transpose();
  for (Eigen::Index i = 0; i < effort_count; ++i) {
    forces(system_.elements().actuators()[servo_actuators_[i]].rate, loop_rows + i) = 1;
  }
  const Matrix response = masses(q).llt().solve(forces);
  const Vector multipliers = shortest(c.G * response, -(c.G * a + c.gamma));
  return {a + response * multipliers, multipliers.tail(effort_count)};
}

void TreeWithLoops::project() {
  if (loops_.empty() && outputs_.empty()) return;
  const Tree& tree = system_.tree();
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Constraints c = constraints(time_, q_, qd_);
    const double error = max_abs(c.value);
    if (error < 1e-15 || (error < 1e-13 && error >= last)) break;
    last = error;
    const Matrix response = masses(q_).llt().solve(c.G.transpose());
    const Vector increment = -response * shortest(c.G * response, c.value);
    const std::vector<double> from = q_;
    retract<double>(tree, from, {increment.data(), qd_.size()}, q_);
  }
  const Constraints c = constraints(time_, q_, qd_);
  const Matrix response = masses(q_).llt().solve(c.G.transpose());
  Vector::Map(qd_.data(), static_cast<Eigen::Index>(qd_.size())) -=
      response * shortest(c.G * response, c.rate);
}

void TreeWithLoops::advance(double duration, int basic_steps) {
  const double start = time_, H = duration / basic_steps;
  const std::size_t n = qd_.size();
  for (int step = 0; step < basic_steps; ++step) {
    time_ = start + step * H;
    std::vector<double> q(q_.size()), y(2 * n);  // y: increment from the step's start, rates
    std::copy(qd_.begin(), qd_.end(), y.begin() + static_cast<std::ptrdiff_t>(n));
    const auto f = [&](double t, const std::vector<double>& z) {
      const std::span<const double> xi(z.data(), n), v(z.data() + n, n);
      std::vector<double> dz(2 * n);
      system_.retract(q_, xi, q);
      system_.chart_rate(xi, v, {dz.data(), n});
      const Vector a = accelerations(t, q, v).a;
      std::copy(a.begin(), a.end(), dz.begin() + static_cast<std::ptrdiff_t>(n));
      return dz;
    };
    y = gragg_bulirsch_stoer<double>(f, y, time_, time_ + H, 1);
    system_.retract(q_, {y.data(), n}, q);
    q_ = q;
    std::copy(y.begin() + static_cast<std::ptrdiff_t>(n), y.end(), qd_.begin());
    normalize(system_.tree(), q_);
    time_ = start + (step + 1) * H;
    project();
  }
}

double TreeWithLoops::position_error() {
  const Vector value = constraints(time_, q_, qd_).value;
  return max_abs(value);
}

Observation TreeWithLoops::observe() {
  const Tree& tree = system_.tree();
  std::vector<Pose<double>> X(tree.size());
  std::vector<Twist<double>> V(tree.size());
  forward_kinematics<double>(tree, q_, qd_, X, V);
  Observation o;
  o.time = time_;
  o.kinetic = kinetic_energy<double>(tree, V);
  o.gravity = gravity_potential<double>(tree, X);
  o.elastic = system_.elements().potential<double>({tree, time_, q_, qd_, X, V});
  const Wrench<double> h = momentum<double>(tree, X, V);
  o.angular_momentum = h.moment;
  o.linear_momentum = h.force;
  o.position_error = position_error();
  for (std::size_t b = 0; b < model_.bodies().size(); ++b) {
    const int node = tree.body_node[b];
    const Pose<double> X_WB = X[node] * tree.X_NB[b];
    const Vec3<double> com = act(tree.X_NB[b], model_.bodies()[b].com);
    BodyObservation body;
    body.com = act(X[node], com);
    body.rotation = so3_from_matrix(X_WB.R);
    body.angle = model_.dimension() == 2 ? std::atan2(X_WB.R.yx, X_WB.R.xx) : 0;
    body.velocity = X[node].R * (V[node].linear + cross(V[node].angular, com));
    body.angular_velocity = X[node].R * V[node].angular;
    o.bodies.push_back(body);
  }
  for (const Actuator& actuator : model_.actuators()) o.efforts.push_back(actuator.effort.value(time_));
  const Vector efforts = accelerations(time_, q_, qd_).efforts;
  for (std::size_t i = 0; i < servo_actuators_.size(); ++i)
    o.efforts[servo_actuators_[i]] = efforts[static_cast<Eigen::Index>(i)];
  return o;
}

}  // namespace torsor::testing
