#include "model/check.h"
#include "model/validate.h"

namespace torsor {
namespace {

/// Brings the quaternion of a spherical or free joint to unit length.
void validate_coordinates(const Joint& joint, std::vector<double>& q, int dimension, const std::string& key) {
  const int expected = coordinate_count(joint.type, dimension);
  require(static_cast<int>(q.size()) == expected, key,
          fmt::format("{} number{} for a {} joint", expected, expected == 1 ? "" : "s", name_of(joint.type)),
          std::to_string(q.size()));
  for (const double value : q) require_finite(value, key);
  const bool has_quaternion =
      joint.type == JointType::spherical || (joint.type == JointType::free && dimension == 3);
  if (!has_quaternion) return;
  SO3<double> rotation{q[0], q[1], q[2], q[3]};
  require_rotation(rotation, 3, key);
  q[0] = rotation.w, q[1] = rotation.x, q[2] = rotation.y, q[3] = rotation.z;
}

void validate_rates(const Joint& joint, const std::vector<double>& qd, int dimension,
                    const std::string& key) {
  const int expected = rate_count(joint.type, dimension);
  require(static_cast<int>(qd.size()) == expected, key,
          fmt::format("{} rate{} for a {} joint", expected, expected == 1 ? "" : "s", name_of(joint.type)),
          std::to_string(qd.size()));
  for (const double value : qd) require_finite(value, key);
}

/// The member with that name, or ModelError with the nearest one.
template <class Named>
const Named& find_named(const std::vector<Named>& all, const std::string& name, const std::string& group,
                        const std::string& noun) {
  for (const Named& one : all) {
    if (one.name == name) return one;
  }
  throw ModelError(group + "." + name, noun, did_you_mean(name, names_of(all)));
}

void validate_body_state(InitialBody& body, int dimension, const std::string& key) {
  if (body.position) require_vector(*body.position, dimension, key + ".position");
  if (body.rotation) require_rotation(*body.rotation, dimension, key + ".rotation");
  if (body.velocity) require_vector(*body.velocity, dimension, key + ".velocity");
  if (!body.angular_velocity) return;
  const Vec3<double>& omega = *body.angular_velocity;
  require_vector(omega, 3, key + ".angular_velocity");
  require(dimension == 3 || (omega.x == 0 && omega.y == 0), key + ".angular_velocity",
          "an angular velocity about z, since dimension is 2", shown(omega));
}

/// A body may be placed by its pose or by the joint that carries it, not by both.
void refuse_double(const ModelDescription& d, const std::string& name, const InitialBody& state) {
  for (const Joint& joint : d.joints) {
    if (d.bodies[joint.child].name != name) continue;
    const std::string key = "initial.bodies." + name;
    require(!(state.position || state.rotation) || !d.initial.joints.count(joint.name), key,
            "no pose, since initial.joints gives the joint that carries the body", in_quotes(joint.name));
    require(!(state.velocity || state.angular_velocity) || !d.initial.rates.count(joint.name), key,
            "no velocity, since initial.rates gives the joint that carries the body", in_quotes(joint.name));
    return;  // the first joint of a body carries it
  }
}

}  // namespace

void validate_initial(ModelDescription& d) {
  for (auto& [name, q] : d.initial.joints) {
    const Joint& joint = find_named(d.joints, name, "initial.joints", "a joint");
    validate_coordinates(joint, q, d.dimension, "initial.joints." + name);
  }
  for (auto& [name, qd] : d.initial.rates) {
    const Joint& joint = find_named(d.joints, name, "initial.rates", "a joint");
    validate_rates(joint, qd, d.dimension, "initial.rates." + name);
  }
  for (auto& [name, body] : d.initial.bodies) {
    find_named(d.bodies, name, "initial.bodies", "a body");
    validate_body_state(body, d.dimension, "initial.bodies." + name);
    refuse_double(d, name, body);
  }
}

}  // namespace torsor
