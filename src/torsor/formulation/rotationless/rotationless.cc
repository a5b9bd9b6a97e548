#include "torsor/formulation/rotationless/rotationless.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/norm.h"
#include "torsor/formulation/rotationless/chart.hpp"
#include "torsor/formulation/rotationless/constraints.hpp"
#include "torsor/formulation/rotationless/controllers.hpp"
#include "torsor/formulation/rotationless/flows.hpp"
#include "torsor/formulation/rotationless/forces.hpp"
#include "torsor/formulation/rotationless/observation.hpp"
#include "torsor/formulation/rotationless/servos.hpp"
#include "torsor/formulation/rotationless/tangent.hpp"
#include "torsor/formulation/rotationless/weak_form.h"

namespace torsor {
template <int D>
int Rotationless<D>::loop_row_count(const Model& model, const RotationlessJoints<D>& joints) {
  int count = 0;
  for (int joint : model.topology().loop_joints) count += joints.rows[joint].count();
  return count;
}

template <int D>
KktPattern Rotationless<D>::pattern(const Model& model) const {
  KktPattern pattern;
  const auto node_parent = [&](int node) { return node == ground_ ? -1 : node; };
  for (int body : model.topology().order) {
    const JointRows<D>& rows = joints_.rows[model.topology().carrier[body]];
    pattern.nodes.push_back({node_parent(rows.parent), rows.count()});
  }
  const auto couple = [&](int a, int b) {
    if (a == b || a == ground_ || b == ground_) return;
    pattern.couplings.emplace_back(a, b);
  };
  for (const auto& tendon : elements_.tendons) {
    for (const Arm<D>& a : tendon.path) {
      for (const Arm<D>& b : tendon.path) couple(a.node, b.node);
    }
  }
  for (const auto& weight : elements_.carried_weights) couple(weight.carrier, weight.node);
  for (const auto& carried : elements_.carried_tendons) {
    for (const Arm<D>& via : elements_.tendons[carried.tendon].path) {
      for (int carrier : carried.carriers) couple(carrier, via.node);
    }
  }
  const auto touch = [&](std::vector<int>& bodies, int node) {
    if (node == ground_ || std::find(bodies.begin(), bodies.end(), node) != bodies.end()) return;
    bodies.push_back(node);
  };
  for (int joint : model.topology().loop_joints) {
    const JointRows<D>& rows = joints_.rows[joint];
    couple(rows.child, rows.parent);
    for (int row = 0; row < rows.count(); ++row) {
      touch(pattern.border.emplace_back(), rows.child);
      touch(pattern.border.back(), rows.parent);
    }
  }
  const std::size_t first = pattern.border.size();
  for (const auto& output : elements_.outputs) {
    std::vector<int>& bodies = pattern.border.emplace_back();
    switch (output.kind) {
      case Elements::Output::Kind::component:
        touch(bodies, output.point.node);
        break;
      case Elements::Output::Kind::coordinate:
        touch(bodies, output.measure.child);
        touch(bodies, output.measure.parent);
        break;
      case Elements::Output::Kind::orientation:
        touch(bodies, output.axes[0].node);
        break;
    }
  }
  for (const auto& effort : elements_.efforts) {
    if (effort.servo < 0) continue;
    const JointRows<D>& rows = joints_.rows[effort.joint];
    touch(pattern.border[first + effort.servo], rows.child);
    touch(pattern.border[first + effort.servo], rows.parent);
  }
  return pattern;
}

template <int D>
typename Rotationless<D>::PlacedRows Rotationless<D>::placed(const JointRows<D>& rows, int unknown,
                                                             int border) {
  const int first = static_cast<int>(products_.size());
  products_.insert(products_.end(), rows.products.begin(), rows.products.end());
  int screw = -1;
  if (rows.screw) {
    screw = static_cast<int>(screws_.size());
    screws_.push_back({*rows.screw, {}});
  }
  return {rows.joint,
          rows.child,
          rows.parent,
          unknown,
          border,
          rows.coincident,
          first,
          static_cast<int>(rows.products.size()),
          screw,
          rows.child_point,
          rows.parent_point};
}

template <int D>
void Rotationless<D>::place_rows(const Model& model) {
  for (int body : model.topology().order) {
    const JointRows<D>& rows = joints_.rows[model.topology().carrier[body]];
    tree_rows_.push_back(placed(rows, kkt_.offset(rows.child) + kWidth<D>, -1));
  }
  int border = 0;
  for (int joint : model.topology().loop_joints) {
    const JointRows<D>& rows = joints_.rows[joint];
    loop_rows_.push_back(placed(rows, kkt_.size() + border, border));
    border += rows.count();
  }
}

template <int D>
double Rotationless<D>::longest_lever() const {
  double longest = 0;
  for (const JointRows<D>& rows : joints_.rows) {
    for (const Arm<D>* arm : {&rows.child_point, &rows.parent_point}) {
      double square = 0;
      for (double beta : arm->beta) square += beta * beta;
      longest = larger(longest, std::sqrt(square));
    }
  }
  return longest > 0 ? longest : 1;
}

/// Of the rows of the loop joints: lengths in units of the mechanism's, products of directions as they are.
template <int D>
std::vector<double> loop_units(const Model& model, const RotationlessJoints<D>& joints, double length) {
  std::vector<double> units;
  for (const int joint : model.topology().loop_joints) {
    const JointRows<D>& rows = joints.rows[joint];
    if (rows.coincident) units.insert(units.end(), D, length);
    for (const Product<D>& product : rows.products) units.push_back(product.child.t != 0 ? length : 1);
    if (rows.screw) units.push_back(length);
  }
  return units;
}

template <int D>
Rotationless<D>::Rotationless(const Model& model, int loop_rank)
    : frames_(make_node_frames<D>(model)),
      joints_(make_rotationless_joints<D>(model, frames_)),
      elements_(make_rotationless_elements<D>(model, frames_, joints_)),
      ground_(frames_.ground),
      length_(longest_lever()),
      loop_rank_(loop_rank),
      loop_count_(loop_row_count(model, joints_)),
      pattern_(pattern(model)),
      kkt_(pattern_),
      border_rank_(loop_units(model, joints_, length_)) {
  for (int i = 0; i < D; ++i) gravity_[i] = model.gravity()[i];
  place_rows(model);
  const std::size_t nodes = ground_ + 1;
  for (Configuration<D>* X : {&start_, &left_, &right_, &counted_}) X->assign(nodes, ground_directors<D>());
  for (Configuration<D>* X : {&velocity_, &w_}) X->resize(nodes);
  forces_.resize(nodes);
  joint_forces_.resize(joints_.rows.size());
  for (const Joint& joint : model.joints()) {
    R_DK_.push_back(transpose(frames_.X_BD[joint.child].R) * matrix(joint.in_child.rotation));
  }
  spring_pairs_.resize(elements_.springs.size());
  effort_pairs_.resize(elements_.efforts.size());
  hold_pairs_.resize(elements_.coordinate_holds.size());
  tendon_pairs_.resize(elements_.tendons.size());
  std::size_t longest_path = 0;
  for (auto& tendon : elements_.tendons) {
    longest_path = std::max(longest_path, tendon.path.size());
    tendon.first_segment = stretches_.size();
    stretches_.resize(stretches_.size() + tendon.path.size() - 1);
  }
  pull_.resize(longest_path);
  lengthening_.resize(longest_path);
  pull_by_place_.resize(longest_path * longest_path);
  path_left_.resize(longest_path);
  path_right_.resize(longest_path);
  scratch_.resize(std::max(unknown_count(), loop_count_ * loop_count_));
  scratch_accelerations_.resize(unknown_count());
  bare_w_.resize(coordinate_count());
  basis_.resize(static_cast<std::size_t>(kkt_.border_size()) * kkt_.border_size());
}

template <int D>
void Rotationless<D>::solve(std::span<double> r) {
  kkt_.solve(r.first(kkt_.size()), r.subspan(kkt_.size()));
}

template <int D>
ConstrainedPoint Rotationless<D>::state_point(double t, std::span<const double> x, std::span<const double> v,
                                              std::span<const double> angles) const {
  ConstrainedPoint point;
  point.time = point.end_time = t;
  point.x_a = point.x_b = x;
  point.angles = angles;
  point.velocity = v;
  point.w = bare_w_;
  point.kappa = 1;
  point.force_gain = 1;
  return point;
}

/// Masses and constraints of joints alone; the pair has been loaded.
template <int D>
void Rotationless<D>::assemble_bare() {
  kkt_.clear();
  add_bodies(1, false);
  for (const PlacedRows& rows : tree_rows_) put_rows(rows);
  for (const PlacedRows& rows : loop_rows_) put_rows(rows);
}

template <int D>
bool Rotationless<D>::factorise_bare(double t, ServoSide left, ServoSide right) {
  assemble_bare();
  put_servos(t, left, right);
  return kkt_.factorise();
}

template <int D>
void Rotationless<D>::set_momenta(std::span<double> r) {
  std::fill(r.begin(), r.end(), 0.0);
  for (int node = 0; node < ground_; ++node) {
    forces_[node].force = -frames_.mass[node] * velocity_[node].phi;
    for (int k = 0; k < D; ++k) forces_[node].on_directors[k] = -frames_.E[node][k] * velocity_[node].d[k];
    forces_[node].moment = SpinD<D>{};
  }
  collect(r);
}

template <int D>
void Rotationless<D>::set_rates(std::span<const double> r, std::span<double> v) const {
  for (int node = 0; node < ground_; ++node) {
    const double* eta = &r[kkt_.offset(node)];
    double* out = &v[static_cast<std::size_t>(kCoordinates<D>) * node];
    for (int i = 0; i < D; ++i) *out++ = -eta[i];
    const SpinD<D> turn = spin_of<D>(eta);
    for (int k = 0; k < D; ++k) {
      const VecD<D> rate = -1.0 * spun(turn, right_[node].d[k]);
      for (int i = 0; i < D; ++i) *out++ = rate[i];
    }
  }
}

/// With the twists eta of the bodies, v -> P eta, and without servos:
///   P^T M (P eta - v) = -G^T nu,   G P eta = 0. (1)
template <int D>
void Rotationless<D>::project_rates(std::span<const double> x, std::span<const double> angles,
                                    std::span<const double> v, std::span<double> projected) {
  std::copy(v.begin(), v.end(), projected.begin());
  const ConstrainedPoint point = state_point(0, x, v, angles);
  load_pair(point);
  set_screws(point);
  const std::span<double> r = scratch_accelerations_;
  set_momenta(r);
  assemble_bare();
  for (int row = loop_count_; row < kkt_.border_size(); ++row) kkt_.corner(row, row) = 1;
  if (!kkt_.factorise()) return;
  if (loop_rank_ < loop_count_) keep_rank(loop_rank_);
  if (!kkt_.factorise_border()) return;
  solve(r);
  set_rates(r, projected);
}

template <int D>
void Rotationless<D>::set_screws(const ConstrainedPoint& point) {
  for (PlacedScrew& screw : screws_) screw.pair = pair_of(screw.law.angle, point);
}

template <int D>
int Rotationless<D>::keep_rank(int loop_rank) {
  const int border = kkt_.border_size(), servos = border - loop_count_;
  for (int i = 0; i < loop_count_; ++i) {
    for (int j = 0; j < loop_count_; ++j) scratch_[i * loop_count_ + j] = kkt_.schur()[i * border + j];
  }
  border_rank_.decompose(std::span(scratch_).first(loop_count_ * loop_count_), -1);
  if (loop_rank < 0) loop_rank = border_rank_.rank(kSingular);
  const std::span<const double> loops = border_rank_.basis(loop_rank);
  const int rank = loop_rank + servos;
  std::fill(basis_.begin(), basis_.end(), 0.0);
  for (int i = 0; i < loop_count_; ++i) {
    for (int j = 0; j < loop_rank; ++j) basis_[i * rank + j] = loops[i * loop_rank + j];
  }
  for (int i = 0; i < servos; ++i) basis_[(loop_count_ + i) * rank + loop_rank + i] = 1;
  kkt_.set_border_basis(std::span(basis_).first(static_cast<std::size_t>(border) * rank), rank);
  return loop_rank;
}

/// After factorise_bare(). False in a singular position, where only what is left of the loops is kept; `usable`
/// tells whether that can be solved.
template <int D>
bool Rotationless<D>::factorise_loops(bool& usable) {
  if (loop_rank_ < loop_count_) keep_rank(loop_rank_);
  usable = kkt_.factorise_border();
  if (usable && kkt_.border_pivot_ratio() > kSingular) return true;
  const int rank = keep_rank(-1);
  usable = kkt_.factorise_border();
  return usable && rank == loop_rank_;
}

template <int D>
double Rotationless<D>::begin_step(double time, std::span<const double> x, std::span<const double> v,
                                   std::span<const double> angles) {
  if (loop_count_ == 0) return 1;
  const ConstrainedPoint point = state_point(time, x, v, angles);
  load_pair(point);
  set_screws(point);
  if (!factorise_bare(time)) return 0;
  if (loop_rank_ == loop_count_) return kkt_.factorise_border() ? kkt_.border_pivot_ratio() : 0;
  keep_rank(loop_rank_);
  return loop_rank_ > 0 ? border_rank_.relative_eigenvalue(loop_rank_ - 1) : 1;
}

template <int D>
bool Rotationless<D>::accelerate(double t, std::span<const double> x, std::span<const double> v,
                                 std::span<const double> angles, std::span<double> unknowns,
                                 std::span<double> a) {
  ConstrainedPoint point = state_point(t, x, v, angles);
  load(x, left_);
  load(v, velocity_);
  // d'' = alpha x d + Omega x d': the second part is known.
  for (int node = 0; node < ground_; ++node) {
    const SpinD<D> spin = spin_rate(node);
    double* out = &bare_w_[static_cast<std::size_t>(kCoordinates<D>) * node];
    std::fill_n(out, D, 0.0);
    for (int k = 0; k < D; ++k) {
      const VecD<D> bend = spun(spin, velocity_[node].d[k]);
      for (int i = 0; i < D; ++i) out[D * (k + 1) + i] = bend[i];
    }
  }
  std::fill(unknowns.begin(), unknowns.end(), 0.0);
  point.w = bare_w_;
  residual(point, unknowns, scratch_accelerations_);
  const std::span<double> r = scratch_accelerations_;
  for (const PlacedRows& rows : tree_rows_) set_constraint_accelerations(rows, angles, r);
  for (const PlacedRows& rows : loop_rows_) set_constraint_accelerations(rows, angles, r);
  for (std::size_t j = 0; j < elements_.outputs.size(); ++j) {
    r[servo_unknown(static_cast<int>(j))] = output_acceleration_error(elements_.outputs[j], t, angles);
  }
  std::fill(a.begin(), a.end(), 0.0);
  if (!factorise_bare(t)) return false;
  bool usable = false;
  const bool regular = factorise_loops(usable);
  if (usable) solve(r);
  if (loop_rank_ == loop_count_) kkt_.set_border_basis({}, kkt_.border_size());
  if (!usable) return false;
  for (std::size_t i = 0; i < unknowns.size(); ++i) unknowns[i] = -r[i];
  for (int node = 0; node < ground_; ++node) {
    const double* eta = &unknowns[kkt_.offset(node)];
    const std::size_t at = static_cast<std::size_t>(kCoordinates<D>) * node;
    const SpinD<D> alpha = spin_of<D>(eta);
    for (int i = 0; i < D; ++i) a[at + i] = eta[i];
    for (int k = 0; k < D; ++k) {
      const VecD<D> turn = spun(alpha, right_[node].d[k]);
      for (int i = 0; i < D; ++i) a[at + D * (k + 1) + i] = turn[i] + bare_w_[at + D * (k + 1) + i];
    }
  }
  return regular;
}

template <int D>
std::unique_ptr<WeakForm> Rotationless<D>::make_weak_form(const GalerkinBasis& basis) {
  return std::make_unique<RotationlessWeakForm<D>>(*this, basis);
}

template class Rotationless<2>;
template class Rotationless<3>;

std::unique_ptr<ConstrainedMechanism> make_rotationless(const Model& model, int loop_rank) {
  if (model.dimension() == 2) return std::make_unique<Rotationless<2>>(model, loop_rank);
  return std::make_unique<Rotationless<3>>(model, loop_rank);
}

}  // namespace torsor
