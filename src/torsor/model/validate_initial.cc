#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/model/check.h"
#include "torsor/model/validate.h"

namespace torsor {
namespace {

/// Brings the quaternion of a spherical or free joint to unit length.
void validate_coordinates(const Joint& joint, std::vector<double>& q, int dimension, const Key& key) {
  const int expected = coordinate_count(joint.type, dimension);
  require(
      static_cast<int>(q.size()) == expected, key,
      [&] {
        return fmt::format("{} number{} for a {} joint", expected, expected == 1 ? "" : "s",
                           name_of(joint.type));
      },
      std::to_string(q.size()));
  for (const double value : q) require_finite(value, key);
  if (components(joint.type, dimension).quaternions == 0) return;
  SO3<double> rotation{q[0], q[1], q[2], q[3]};
  require_rotation(rotation, 3, key);
  q[0] = rotation.w, q[1] = rotation.x, q[2] = rotation.y, q[3] = rotation.z;
}

void validate_rates(const Joint& joint, const std::vector<double>& qd, int dimension, const Key& key) {
  const int expected = rate_count(joint.type, dimension);
  require(
      static_cast<int>(qd.size()) == expected, key,
      [&] {
        return fmt::format("{} rate{} for a {} joint", expected, expected == 1 ? "" : "s",
                           name_of(joint.type));
      },
      std::to_string(qd.size()));
  for (const double value : qd) require_finite(value, key);
}

/// Indices by name, and ModelError with the nearest one for any other name.
template <class Named>
class Directory {
 public:
  Directory(const std::vector<Named>& all, const char* noun) : all_(all), noun_(noun) {
    sorted_.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) sorted_.emplace_back(all[i].name, i);
    std::sort(sorted_.begin(), sorted_.end());
  }
  std::size_t find(const std::string& name, const Key& group) const {
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), Row(name, 0));
    if (found != sorted_.end() && found->first == name) return found->second;
    throw ModelError((group + "." + name).text(), noun_, did_you_mean(name, names_of(all_)));
  }

 private:
  using Row = std::pair<std::string_view, std::size_t>;
  const std::vector<Named>& all_;
  const char* noun_;
  std::vector<Row> sorted_;
};

void validate_body_state(InitialBody& body, int dimension, const Key& key) {
  if (body.position) require_vector(*body.position, dimension, key + ".position");
  if (body.rotation) require_rotation(*body.rotation, dimension, key + ".rotation");
  if (body.velocity) require_vector(*body.velocity, dimension, key + ".velocity");
  if (!body.angular_velocity) return;
  const Vec3<double>& omega = *body.angular_velocity;
  require_vector(omega, 3, key + ".angular_velocity");
  require(dimension == 3 || (omega.x == 0 && omega.y == 0), key + ".angular_velocity",
          "an angular velocity about z, since dimension is 2", [&] { return shown(omega); });
}

/// A body may be placed by its pose or by the joint that carries it, not by both.
void refuse_double(const InitialState& initial, const std::string& body, const std::string& carrier) {
  const Key key = Key("initial.bodies.") + body;
  const InitialBody& state = initial.bodies.at(body);
  require(!(state.position || state.rotation) || !initial.joints.count(carrier), key,
          "no pose, since initial.joints gives the joint that carries the body",
          [&] { return in_quotes(carrier); });
  require(!(state.velocity || state.angular_velocity) || !initial.rates.count(carrier), key,
          "no velocity, since initial.rates gives the joint that carries the body",
          [&] { return in_quotes(carrier); });
}

}  // namespace

void validate_initial(ModelDescription& d, const Topology& topology) {
  const Directory<Joint> joints(d.joints, "a joint");
  for (auto& [name, q] : d.initial.joints) {
    const Joint& joint = d.joints[joints.find(name, "initial.joints")];
    validate_coordinates(joint, q, d.dimension, Key("initial.joints.") + name);
  }
  for (auto& [name, qd] : d.initial.rates) {
    const Joint& joint = d.joints[joints.find(name, "initial.rates")];
    validate_rates(joint, qd, d.dimension, Key("initial.rates.") + name);
  }
  if (d.initial.bodies.empty()) return;
  const Directory<Body> bodies(d.bodies, "a body");
  for (auto& [name, state] : d.initial.bodies) {
    const std::size_t body = bodies.find(name, "initial.bodies");
    validate_body_state(state, d.dimension, "initial.bodies." + name);
    refuse_double(d.initial, name, d.joints[topology.carrier[body]].name);
  }
}

}  // namespace torsor
