#include "torsor/model/model.h"

#include <algorithm>
#include <set>

#include "torsor/model/check.h"
#include "torsor/model/controlled_chain.h"
#include "torsor/model/initial.h"
#include "torsor/model/massless_motion.h"
#include "torsor/model/validate.h"

namespace torsor {
namespace {

/// Every body must hang on a joint: those that no joint carries float from their reference pose.
void add_free_joints(ModelDescription& d) {
  std::vector<bool> carried(d.bodies.size(), false);
  for (const Joint& joint : d.joints) carried[joint.child] = true;
  if (std::find(carried.begin(), carried.end(), false) == carried.end()) return;
  std::set<std::string> names;
  for (const Joint& joint : d.joints) names.insert(joint.name);
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    if (carried[b]) continue;
    const Body& body = d.bodies[b];
    require(!names.count(body.name), "joints." + body.name,
            "another name, since the free joint of that body bears it", in_quotes(body.name));
    Joint joint;
    joint.name = body.name;
    joint.type = JointType::free;
    joint.child = static_cast<int>(b);
    joint.in_parent = body.pose.value_or(SE3<double>{});
    joint.implicit = true;
    d.joints.push_back(joint);
  }
}

template <class Named>
int index_of(const std::vector<Named>& all, const std::string& name, const std::string& group,
             const std::string& noun) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int>(i);
  }
  const std::vector<std::string> names = names_of(all);
  throw ModelError(group, noun + " (one of " + listed(names) + ")", did_you_mean(name, names));
}

}  // namespace

Model::Model(ModelDescription description) : d_(std::move(description)) {
  validate_mechanism(d_);
  add_free_joints(d_);
  topology_ = make_topology(d_.joints, static_cast<int>(d_.bodies.size()), d_.dimension);
  validate_elements(d_);
  validate_initial(d_, topology_);

  coordinate_offset_.reserve(d_.joints.size() + 1);
  rate_offset_.reserve(d_.joints.size() + 1);
  coordinate_offset_.push_back(0);
  rate_offset_.push_back(0);
  for (const Joint& joint : d_.joints) {
    coordinate_offset_.push_back(coordinate_offset_.back() +
                                 torsor::coordinate_count(joint.type, d_.dimension));
    rate_offset_.push_back(rate_offset_.back() + torsor::rate_count(joint.type, d_.dimension));
  }
  const std::vector<double> q = initial_coordinates(*this);  // a pose out of reach is a fault of the file
  initial_rates(*this, q);
  require_feasible_controllers(*this);
  require_massive_motions(*this);
}

Model Model::with_initial(InitialState initial) const {
  Model other = *this;
  other.d_.initial = std::move(initial);
  validate_initial(other.d_, topology_);
  initial_rates(other, initial_coordinates(other));
  return other;
}

Model Model::with_period(double period) const {
  Model other = *this;
  const auto sampled = [](const Controller& controller) { return controller.is_sampled(); };
  const bool all = std::none_of(d_.controllers.begin(), d_.controllers.end(), sampled);
  for (Controller& controller : other.d_.controllers) {
    if (all || controller.is_sampled()) controller.period = period;
  }
  return other;
}

Model Model::with_efforts(const std::map<int, double>& efforts) const {
  Model other = *this;
  for (const auto& [actuator, effort] : efforts) other.d_.actuators[actuator].effort = Program(effort);
  return other;
}

Model Model::with_resting_muscles() const {
  Model other = *this;
  for (Tendon& tendon : other.d_.tendons) {
    if (tendon.muscle) tendon.muscle->initial.reset();
  }
  return other;
}

int Model::joint_index(const std::string& name) const {
  return index_of(d_.joints, name, "joints", "a joint");
}

int Model::body_index(const std::string& name) const {
  return name == "world" ? kWorld : index_of(d_.bodies, name, "bodies", "a body or `world`");
}

}  // namespace torsor
