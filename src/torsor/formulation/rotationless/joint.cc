#include "torsor/formulation/rotationless/joint.h"

#include <algorithm>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/lie/inertia.h"
#include "torsor/lie/pose.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

/// Axes of the Euler tensor; the body's own where they are principal already.
template <int D>
Mat3<double> axes_of(const Sym3<double>& E, std::array<double, D>& values) {
  Eigen::Matrix<double, D, D> tensor;
  const double entry[3][3] = {{E.xx, E.xy, E.xz}, {E.xy, E.yy, E.yz}, {E.xz, E.yz, E.zz}};
  double sideways = 0, largest = 0;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) {
      tensor(i, j) = entry[i][j];
      if (i != j) sideways = larger(sideways, std::abs(entry[i][j]));
      largest = larger(largest, std::abs(entry[i][j]));
    }
  }
  Eigen::Matrix<double, D, D> axes = Eigen::Matrix<double, D, D>::Identity();
  if (sideways > 1e-15 * largest) axes = principal_axes<D>(tensor).vectors;
  const Eigen::Matrix<double, D, D> turned = axes.transpose() * tensor * axes;
  // A flat body has a value of zero, which may come out as a rounding below it.
  for (int i = 0; i < D; ++i) values[i] = std::max(turned(i, i), 0.0);
  if constexpr (D == 2) {
    return {axes(0, 0), axes(0, 1), 0, axes(1, 0), axes(1, 1), 0, 0, 0, 1};
  } else {
    return {axes(0, 0), axes(0, 1), axes(0, 2), axes(1, 0), axes(1, 1),
            axes(1, 2), axes(2, 0), axes(2, 1), axes(2, 2)};
  }
}

template <int D>
class JointCompiler {
 public:
  JointCompiler(const Model& model, const NodeFrames<D>& frames) : model_(model), frames_(frames) {}

  void add(int index) {
    joint_ = &model_.joints()[index];
    rows_ = JointRows<D>{};
    rows_.joint = index;
    rows_.child = frames_.node(joint_->child);
    rows_.parent = frames_.node(joint_->parent);
    coordinates_.clear();
    set_axes();
    compile();
    add_rotors();
    all.rows.push_back(rows_);
    all.coordinates.push_back(coordinates_);
  }

  void add_body_angles() {
    for (std::size_t node = 0; node < frames_.mass.size(); ++node) all.body_angles.push_back({});
    for (std::size_t body = 0; body < frames_.node_of.size(); ++body) {
      rows_ = JointRows<D>{};
      rows_.child = frames_.node_of[body];
      rows_.parent = frames_.ground;
      const Vec3<double> x{1, 0, 0}, y{0, 1, 0};
      a_ = {frames_.direction(kWorld, x), frames_.direction(kWorld, y), {}};
      b_ = {frames_.direction(static_cast<int>(body), x), frames_.direction(static_cast<int>(body), y), {}};
      all.body_angles[rows_.child] = turn_about(2);
    }
  }

  RotationlessJoints<D> all;

 private:
  void set_axes() {
    const Pose<double> J = pose(joint_->in_parent), K = pose(joint_->in_child);
    const Vec3<double> unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
      a_[i] = frames_.direction(joint_->parent, J.R * unit[i]);
      b_[i] = frames_.direction(joint_->child, K.R * unit[i]);
    }
    rows_.child_point = frames_.point(joint_->child, K.p);
    rows_.parent_point = negated(frames_.point(joint_->parent, J.p));
    // In the plane the axis of a slide is z of the joint frames; its normal in the plane takes the place of x.
    second_ = 1;
    if (D == 3 || !only_slides(joint_->type)) return;
    second_ = 2;
    const Vec3<double> z{0, 0, 1};
    a_[0] = frames_.direction(joint_->parent, cross(J.R * unit[2], z));
    b_[0] = frames_.direction(joint_->child, cross(K.R * unit[2], z));
  }

  Arm<D> nothing(const Arm<D>& like) const { return {like.node, 0, {}}; }
  Product<D> aligned(int a, int b, double weight = 1) const { return {b_[b], nothing(a_[a]), a_[a], weight}; }
  Product<D> along(int a) const { return {rows_.child_point, rows_.parent_point, a_[a], 1}; }

  Measure<D> measure(int angle) const { return {rows_.child, rows_.parent, angle, {}, {}, {}}; }
  /// The plane spanned by the other two axes of both sides turns.
  Measure<D> turn_about(int axis) {
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    Measure<D> turn = measure(all.angle_count++);
    turn.sine = {aligned(y, x, 0.5), aligned(x, y, -0.5)};
    turn.cosine = {aligned(x, x, 0.5), aligned(y, y, 0.5)};
    return turn;
  }
  Measure<D> slide_along(int axis) const {
    Measure<D> slide = measure(-1);
    slide.displacement = along(axis);
    return slide;
  }

  /// Points coincide; or they differ along the axes of slides alone.
  void constrain_points(const std::vector<int>& slides) {
    rows_.coincident = slides.empty();
    if (rows_.coincident) return;
    for (const int axis : D == 2 ? std::vector<int>{0, second_} : std::vector<int>{0, 1, 2}) {
      const bool slides_along = std::find(slides.begin(), slides.end(), axis) != slides.end();
      if (!slides_along) rows_.products.push_back(along(axis));
    }
  }
  /// All axes aligned; or that of one turn; or that of a second turn normal to that of the first. The axis of
  /// a turn in the plane is its normal.
  void constrain_axes(const std::vector<int>& turns) {
    const auto require_normal = [&](int a, int b) { rows_.products.push_back(aligned(a, b)); };
    if (turns.size() == 2) return require_normal(turns[0], turns[1]);
    if (D == 2) {
      if (turns.empty()) require_normal(second_, 0);
    } else if (turns.empty()) {
      for (int i = 0; i < 3; ++i) require_normal(i, (i + 1) % 3);
    } else {
      for (int i = 1; i < 3; ++i) require_normal((turns[0] + i) % 3, turns[0]);
    }
  }
  /// Of two turns, about x of the parent and y of the child.
  void add_turns(const std::vector<int>& turns) {
    if (turns.size() == 1) coordinates_.push_back(turn_about(turns[0]));
    if (turns.size() != 2) return;
    const int x = turns[0], y = turns[1], z = 3 - x - y;
    const double hand = y == (x + 1) % 3 ? 1 : -1;
    Measure<D> first = measure(all.angle_count++), second = measure(all.angle_count++);
    first.sine = {aligned(z, y, hand)}, first.cosine = {aligned(y, y)};
    second.sine = {aligned(x, z, hand)}, second.cosine = {aligned(x, x)};
    coordinates_ = {first, second};
  }

  void compile() {
    const JointParts parts = joint_parts(joint_->type, D);
    std::vector<int> turns, slides;
    for (const JointPart& part : parts) {
      const Components own = components(part.primitive);
      if (own.rates() == 1) (own.angles > 0 ? turns : slides).push_back(part.axis);
    }
    const Primitive first = parts.begin()->primitive;
    if (first == Primitive::planar) turns = {2}, slides = {0, 1};
    if (first == Primitive::helical) slides = turns;
    if (first != Primitive::planar && first != Primitive::free) {
      constrain_points(slides);
      if (first != Primitive::spherical) constrain_axes(turns);
    }
    add_turns(turns);
    if (first == Primitive::helical) {
      rows_.screw = Screw<D>{coordinates_[0], along(turns[0]), joint_->pitch};
    } else {
      for (const int axis : slides) coordinates_.push_back(slide_along(axis));
    }
  }

  /// Of a joint without coordinates the axes of the child seen from the parent, with the Euler values of the
  /// rotors, (13), and the displacements.
  void add_rotors() {
    if (!joint_->has_armature()) return;
    const std::vector<double>& a = joint_->armature;
    const auto add = [&](const Measure<D>& coordinate, double mass) {
      if (mass != 0) all.rotors.push_back({coordinate, mass, rows_.joint});
    };
    if (!coordinates_.empty()) {
      for (std::size_t i = 0; i < coordinates_.size(); ++i) add(coordinates_[i], a[i]);
      return;
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) {
        Measure<D> product = measure(-1);
        product.displacement = aligned(i, k);
        add(product, 0.5 * (a[0] + a[1] + a[2]) - a[k]);
      }
    }
    for (std::size_t i = 3; i < a.size(); ++i) add(slide_along(static_cast<int>(i) - 3), a[i]);
  }

  const Model& model_;
  const NodeFrames<D>& frames_;
  const Joint* joint_ = nullptr;
  JointRows<D> rows_;
  std::vector<Measure<D>> coordinates_;
  std::array<Arm<D>, 3> a_, b_;  ///< axes of the joint frame on the parent and on the child
  int second_ = 1;               ///< the axis that lies in the plane beside the first
};

}  // namespace

template <int D, class S>
Arm<D> NodeFrames<D, S>::direction(int body, const Vec3<double>& n_B) const {
  const Vec3<double> n = body == kWorld ? n_B : transpose_times(X_BD[body].R, n_B);
  Arm<D> arm{node(body), 0, {}};
  for (int i = 0; i < D; ++i) arm.beta[i] = n[i];
  return arm;
}

template <int D, class S>
Arm<D> NodeFrames<D, S>::point(int body, const Vec3<double>& p_B) const {
  Arm<D> arm = direction(body, body == kWorld ? p_B : p_B - X_BD[body].p);
  arm.t = 1;
  return arm;
}

template <int D>
NodeFrames<D> make_node_frames(const Model& model) {
  NodeFrames<D> frames;
  const std::size_t count = model.bodies().size();
  frames.ground = static_cast<int>(count);
  frames.node_of.resize(count);
  frames.X_BD.resize(count);
  frames.mass.resize(count);
  frames.E.resize(count);
  for (std::size_t node = 0; node < count; ++node) {
    const int b = model.topology().order[node];
    const Body& body = model.bodies()[b];
    const std::string fault = body.idealised ? inertia_fault(body_inertia(body)) : "";
    if (!fault.empty())
      throw ModelError(
          "bodies." + body.name + ".idealised",
          "mass and inertia of a rigid body, of which its directors are made (or the formulation joint)",
          fault);
    frames.node_of[b] = static_cast<int>(node);
    frames.mass[node] = body.mass;
    frames.X_BD[b] = {axes_of<D>(euler_tensor(body.inertia), frames.E[node]), body.com};
  }
  return frames;
}

template <int D>
RotationlessJoints<D> make_rotationless_joints(const Model& model, const NodeFrames<D>& frames) {
  JointCompiler<D> compiler(model, frames);
  for (std::size_t joint = 0; joint < model.joints().size(); ++joint) compiler.add(static_cast<int>(joint));
  if (D == 2) compiler.add_body_angles();
  return compiler.all;
}

template struct NodeFrames<2>;
template struct NodeFrames<3>;
template NodeFrames<2> make_node_frames(const Model&);
template NodeFrames<3> make_node_frames(const Model&);
template RotationlessJoints<2> make_rotationless_joints(const Model&, const NodeFrames<2>&);
template RotationlessJoints<3> make_rotationless_joints(const Model&, const NodeFrames<3>&);

}  // namespace torsor
