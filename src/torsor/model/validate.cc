#include "torsor/model/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "torsor/base/norm.h"
#include "torsor/model/check.h"

namespace torsor {
namespace {

/// In 2D only the moment about z counts; a tensor with nothing else is that of mass spread evenly in the
/// plane, E = diag(J/2, J/2, 0).
void validate_planar_inertia(Body& body, const Key& key) {
  Sym3<double>& J = body.inertia;
  if (J.xx == 0 && J.yy == 0 && J.xy == 0) J.xx = J.yy = J.zz / 2;
  require(J.xz == 0 && J.yz == 0 && std::abs(J.xx + J.yy - J.zz) <= 1e-9 * std::abs(J.zz), key,
          "the inertia of a flat body, Ixx + Iyy = Izz, since dimension is 2",
          [&] { return fmt::format("Ixx = {}, Iyy = {}, Izz = {}", shown(J.xx), shown(J.yy), shown(J.zz)); });
}

void validate_body(Body& body, int dimension) {
  const Key key = Key("bodies.") + body.name;
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    const Key shape = body.shapes.size() == 1 ? key + ".shape" : (key + ".shapes").at(i);
    validate(body.shapes[i], shape.text());
    require_pose(body.shapes[i].pose, 3, shape + ".pose");
  }
  // Most bodies without mass are slips, and make the mass matrix singular.
  body.idealised ? require_nonnegative(body.mass, key + ".mass") : require_positive(body.mass, key + ".mass");
  require_vector(body.com, dimension, key + ".com");
  const Sym3<double>& J = body.inertia;
  for (const double entry : {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz}) require_finite(entry, key + ".inertia");
  if (dimension == 2) validate_planar_inertia(body, key + ".inertia");
  const std::string fault = body.idealised ? "" : inertia_fault(body.mass, body.inertia);
  require(fault.empty(), key + ".inertia",
          "the inertia of a rigid body: principal moments >= 0, none above the sum of the other two", fault);
  if (body.pose) require_pose(*body.pose, dimension, key + ".pose");
}

Vec3<double> unit(const Vec3<double>& v, const Key& key) {
  require_vector(v, 3, key);
  const double largest = larger({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  require(largest > 0, key, "an axis of some length", [&] { return shown(v); });
  const Vec3<double> scaled = (1 / largest) * v;  // lengths whose squares overflow or vanish
  require_vector(scaled, 3, key);
  return (1 / norm(scaled)) * scaled;
}

void validate_planar_joint(const Joint& joint, const Vec3<double>& axis, const Key& key,
                           const Key& axis_key) {
  require(
      joint_type_row(joint.type).in_plane, key + ".type",
      [] { return "one of " + listed(joint_type_names(2)) + ", since dimension is 2"; }, name_of(joint.type));
  if (only_slides(joint.type)) {
    require(axis.z == 0, axis_key, "an axis in the plane, since dimension is 2", [&] { return shown(axis); });
  } else if (has_axis(joint.type)) {
    require(axis.x == 0 && axis.y == 0, axis_key, "the axis z, since dimension is 2",
            [&] { return shown(axis); });
  }
}

/// The pose of a body on which a joint is given in the world.
SE3<double> reference_pose(const ModelDescription& description, int body, const Joint& joint) {
  if (body == kWorld) return {};
  const Body& on = description.bodies[body];
  require(
      on.pose.has_value(), Key("bodies.") + on.name + ".pose",
      [&] { return fmt::format("a pose, since joint {} is given by its reference", in_quotes(joint.name)); },
      "none");
  return *on.pose;
}

/// Frames J and K coincide in the reference configuration, with z along the axis.
void resolve_reference(const ModelDescription& description, Joint& joint, const Vec3<double>& axis) {
  const SE3<double> X_WJ{has_axis(joint.type) ? axis_frame(axis) : SO3<double>{}, joint.reference->point};
  joint.in_parent = inverse(reference_pose(description, joint.parent, joint)) * X_WJ;
  joint.in_child = inverse(reference_pose(description, joint.child, joint)) * X_WJ;
}

void turn_to_axis(Joint& joint, const Vec3<double>& axis) {
  const SO3<double> turn = axis_frame(axis);
  joint.in_parent.rotation = normalized(joint.in_parent.rotation * turn);
  joint.in_child.rotation = normalized(joint.in_child.rotation * turn);
}

void validate_armature(const Joint& joint, int dimension, const Key& key) {
  if (joint.armature.empty()) return;
  const std::size_t rates = rate_count(joint.type, dimension);
  require(joint.armature.size() == rates, key,
          fmt::format("{} values, one for each rate of the joint", rates),
          std::to_string(joint.armature.size()));
  for (const double a : joint.armature) require_nonnegative(a, key);
}

void validate_joint(const ModelDescription& description, Joint& joint) {
  const Key key = Key("joints.") + joint.name;
  const int body_count = static_cast<int>(description.bodies.size());
  require(joint.parent >= kWorld && joint.parent < body_count, key + ".parent", "a body or `world`",
          std::to_string(joint.parent));
  require(joint.child != kWorld, key + ".child", "a body; `world` can only be a parent", "'world'");
  require(joint.child >= 0 && joint.child < body_count, key + ".child", "a body",
          std::to_string(joint.child));
  require_finite(joint.pitch, key + ".pitch");
  require(has_pitch(joint.type) == (joint.pitch != 0), key + ".pitch",
          has_pitch(joint.type) ? "a pitch other than 0" : "no pitch but at a helical joint",
          [&] { return shown(joint.pitch); });
  validate_armature(joint, description.dimension, key + ".armature");

  const Key axis_key = joint.reference ? key + ".reference.axis" : key + ".axis";
  Vec3<double> axis = joint.reference ? joint.reference->axis : joint.axis;
  if (has_axis(joint.type)) {
    axis = unit(axis, axis_key);
  } else {
    require(
        joint.reference || joint.axis == Vec3<double>{0, 0, 1}, axis_key,
        [&] { return fmt::format("no axis at a {} joint", name_of(joint.type)); },
        [&] { return shown(axis); });
  }
  if (description.dimension == 2) validate_planar_joint(joint, axis, key, axis_key);
  if (joint.reference) {
    require_vector(joint.reference->point, description.dimension, key + ".reference.point");
    resolve_reference(description, joint, axis);
  } else {
    require_pose(joint.in_parent, description.dimension, key + ".in_parent");
    require_pose(joint.in_child, description.dimension, key + ".in_child");
    if (has_axis(joint.type)) turn_to_axis(joint, axis);
  }
  joint.axis = {0, 0, 1};
}

/// Each repeats what the others say, and finding out which takes the cube of their number.
void validate_joints_between(const ModelDescription& description) {
  constexpr int kMostBetween = 64;
  if (description.joints.size() <= kMostBetween) return;
  std::map<std::pair<int, int>, int> between;
  for (const Joint& joint : description.joints) {
    const int count = ++between[std::minmax(joint.parent, joint.child)];
    require(
        count <= kMostBetween, Key("joints.") + joint.name,
        [&] { return fmt::format("at most {} joints between the same two bodies", kMostBetween); }, "more");
  }
}

void validate_settings(const SimulationSettings& settings) {
  if (settings.step) require_positive(*settings.step, "simulation.step");
  if (settings.duration) require_nonnegative(*settings.duration, "simulation.duration");
  if (settings.tolerance) require_positive(*settings.tolerance, "simulation.tolerance");
  require(settings.record_every >= 1, "simulation.record_every", "a whole number >= 1",
          std::to_string(settings.record_every));
  for (const auto& [name, value] : settings.integrator_options) {
    if (const double* number = std::get_if<double>(&value)) {
      require_finite(*number, "simulation.integrator." + name);
    }
  }
}

}  // namespace

void validate_mechanism(ModelDescription& d) {
  require(d.dimension == 2 || d.dimension == 3, "dimension", "2 or 3", std::to_string(d.dimension));
  require_vector(d.gravity, d.dimension, "gravity");
  require(!d.bodies.empty(), "bodies", "at least one body", "none");
  require_names(d.bodies, "bodies");
  require_names(d.joints, "joints");
  for (Body& body : d.bodies) validate_body(body, d.dimension);
  for (Joint& joint : d.joints) validate_joint(d, joint);
  validate_joints_between(d);
  validate_settings(d.simulation);
}

}  // namespace torsor
