#include <cmath>
#include <set>

#include "torsor/model/element_checks.h"
#include "torsor/model/validate.h"

namespace torsor {
namespace {

void validate_spring(const ModelDescription& d, JointSpring& spring) {
  const Key key = Key("joint_springs.") + spring.name;
  const Joint& joint = joint_of(d, spring.joint, key);
  const bool turns = components(joint.type, d.dimension).quaternions > 0;
  if (spring.law == SpringLaw::angle) {
    require(has_plain_coordinates(joint.type), key + ".law",
            turns ? "the law log or euler321 for a spherical or free joint"
                  : "a joint with coordinates of its own",
            [&] { return fmt::format("angle on a {} joint", name_of(joint.type)); });
  } else {
    require(turns, key + ".law", "the law angle, or a spherical or free joint in 3D",
            fmt::format("{} on a {} joint", spring.law == SpringLaw::log ? "log" : "euler321",
                        name_of(joint.type)));
  }
  const bool angle = spring.law == SpringLaw::angle;
  const int count = angle ? rate_count(joint.type, d.dimension) : 3;
  const bool same_unit = !angle || has_one_unit(joint.type);
  fit_nonnegative(spring.stiffness, count, same_unit, key + ".stiffness");
  fit_nonnegative(spring.damping, count, same_unit, key + ".damping");
  fit(spring.rest, angle ? count : 0, false, key + ".rest");
  for (const double value : spring.rest) require_finite(value, key + ".rest");
  require_rotation(spring.rest_rotation, 3, key + ".rest");
  if (spring.law != SpringLaw::log) return;
  const Vec3<double> k{spring.stiffness[0], spring.stiffness[1], spring.stiffness[2]};
  require(k.x == k.y && k.y == k.z, key + ".stiffness", "three equal numbers, since the law is log",
          shown(k));
}

/// The joint of an element that acts on its coordinates, one by one.
const Joint& plain_joint(const ModelDescription& d, int index, std::size_t given, const std::string& section,
                         const std::string& name, const char* what) {
  const Joint& joint = joint_of(d, index, section + "." + name);
  const std::string key = "joints." + joint.name + "." + what;
  require(has_plain_coordinates(joint.type), key, "a joint whose coordinates are angles and displacements",
          fmt::format("the {} joint {}", name_of(joint.type), in_quotes(joint.name)));
  const int count = rate_count(joint.type, d.dimension);
  require(static_cast<int>(given) == count, key,
          fmt::format("one for each of {} coordinate{}", count, count == 1 ? "" : "s"),
          std::to_string(given));
  return joint;
}

/// The tendon on which one entry acts.
const Tendon& limited_tendon(const ModelDescription& d, int tendon, std::size_t given, const char* section,
                             const std::string& name) {
  const std::string key = std::string(section) + "." + name;
  require(tendon >= 0 && tendon < static_cast<int>(d.tendons.size()), key + ".tendon", "a tendon",
          std::to_string(tendon));
  require(given == 1, key, "one for the length of the tendon", std::to_string(given));
  return d.tendons[tendon];
}

void validate_stop(const ModelDescription& d, const JointStop& stop) {
  const std::string key =
      (stop.tendon
           ? "tendons." + limited_tendon(d, *stop.tendon, stop.ranges.size(), "stops", stop.name).name
           : "joints." + plain_joint(d, stop.joint, stop.ranges.size(), "stops", stop.name, "range").name) +
      ".range";
  for (const JointStop::Range& range : stop.ranges) {
    require(range.lower < range.upper, key, "a lower bound below the upper one",
            fmt::format("[{}, {}]", shown(range.lower), shown(range.upper)));
    if (range.is_bounded()) require_positive(range.stiffness, key + ".stiffness");
    require_nonnegative(range.damping, key + ".damping");
  }
}

void validate_friction(const ModelDescription& d, const JointFriction& friction) {
  const auto& [name, joint, laws, tendon] = friction;
  const std::string key =
      (tendon ? "tendons." + limited_tendon(d, *tendon, laws.size(), "friction", name).name
              : "joints." + plain_joint(d, joint, laws.size(), "friction", name, "friction").name) +
      ".friction";
  for (const FrictionLaw& law : friction.laws) {
    require_nonnegative(law.coulomb, key + ".coulomb");
    require_nonnegative(law.viscous, key + ".viscous");
    require_nonnegative(law.breakaway, key + ".stribeck.static");
    require_positive(law.stribeck_velocity, key + ".stribeck.velocity");
    require_positive(law.smooth_velocity, key + ".velocity");
  }
}

void validate_bushing(const ModelDescription& d, Bushing& bushing) {
  const std::string key = "bushings." + bushing.name;
  const int body_count = static_cast<int>(d.bodies.size());
  require(bushing.parent >= kWorld && bushing.parent < body_count, key + ".parent", "a body or `world`",
          std::to_string(bushing.parent));
  require(bushing.child >= kWorld && bushing.child < body_count, key + ".child", "a body or `world`",
          std::to_string(bushing.child));
  require(bushing.parent != bushing.child, key + ".child", "a body other than the parent", "the same");
  require_pose(bushing.in_parent, d.dimension, key + ".in_parent");
  require_pose(bushing.in_child, d.dimension, key + ".in_child");
  for (const auto& [six, name] :
       {std::pair(&bushing.stiffness, ".stiffness"), {&bushing.damping, ".damping"}}) {
    for (int i = 0; i < 3; ++i) {
      require_nonnegative(six->translation[i], key + name + ".translation");
      require_nonnegative(six->rotation[i], key + name + ".rotation");
    }
    if (d.dimension == 3) continue;
    require(six->translation.z == 0, key + name + ".translation", "two numbers, since dimension is 2",
            shown(six->translation));
    require(six->rotation.x == 0 && six->rotation.y == 0, key + name + ".rotation",
            "one number, since dimension is 2", shown(six->rotation));
  }
}

void validate_load(const ModelDescription& d, const Load& load) {
  const std::string key = "loads." + load.name;
  validate_point(d, load.at, key);
  require(load.at.body != kWorld, key + ".body", "a body that can move", "'world'");
  const bool force = load.kind == Load::Kind::force;
  const std::string what = key + (force ? ".force" : ".moment");
  for (const Program& component : load.components) require_finite(component.value(0), what);
  if (d.dimension == 3) return;
  require(!force || load.components[2].vanishes(), what, "a force in the plane, since dimension is 2",
          "a component along z");
  require(force || (load.components[0].vanishes() && load.components[1].vanishes()), what,
          "a moment about z, since dimension is 2", "a component in the plane");
}

void validate_actuator(const ModelDescription& d, const Actuator& actuator) {
  const std::string key = "actuators." + actuator.name;
  require_finite(actuator.effort.value(0), key + ".effort");
  if (actuator.limits) {
    const auto [low, high] = *actuator.limits;
    require(std::isfinite(low) && std::isfinite(high) && low < high, key + ".limits",
            "two numbers, the lower first", fmt::format("{:.6g}, {:.6g}", low, high));
  }
  if (actuator.tendon) {
    require(*actuator.tendon >= 0 && *actuator.tendon < static_cast<int>(d.tendons.size()), key + ".tendon",
            "a tendon", std::to_string(*actuator.tendon));
    return;
  }
  const Joint& joint = joint_of(d, actuator.joint, key);
  const int rates = rate_count(joint.type, d.dimension);
  require(rates > 0, key + ".joint", "a joint that can move",
          fmt::format("the fixed joint {}", in_quotes(joint.name)));
  require(actuator.coordinate >= 0 && actuator.coordinate < rates, key + ".coordinate",
          fmt::format("a rate of the {} joint, 0 to {}", name_of(joint.type), rates - 1),
          std::to_string(actuator.coordinate));
}

void validate_coupling(const ModelDescription& d, const Coupling& coupling) {
  const std::string key = "couplings." + coupling.name;
  validate_terms(d, coupling.terms, 2, key);
  require_finite(coupling.offset, key + ".offset");
}

template <class Law>
void require_functions(const Law& law, const std::string& key) {
  require(law.potential || law.force, key, "a potential or a force", "none");
  require(law.force || !law.dissipates, key + ".dissipates", "a force that dissipates", "a potential alone");
}

void validate_law(const ModelDescription& d, const PointLaw& law) {
  const std::string key = "point_laws." + law.name;
  require_functions(law, key);
  validate_point(d, law.at, key + ".point");
  require(law.at.body != kWorld, key + ".point", "a point of a body that can move", "one on the ground");
}

void validate_law(const ModelDescription& d, const OwnLaw& law) {
  const std::string key = "laws." + law.name;
  require_functions(law, key);
  if (law.tendon) {
    require(*law.tendon >= 0 && *law.tendon < static_cast<int>(d.tendons.size()), key + ".tendon", "a tendon",
            std::to_string(*law.tendon));
    return;
  }
  const Joint& joint = joint_of(d, law.joint, key);
  require(has_plain_coordinates(joint.type), key + ".joint",
          "a joint whose coordinates are angles and displacements",
          fmt::format("the {} joint {}", name_of(joint.type), in_quotes(joint.name)));
  const int count = rate_count(joint.type, d.dimension);
  require(law.coordinate >= 0 && law.coordinate < count, key + ".coordinate",
          fmt::format("an index below {} for a {} joint", count, name_of(joint.type)),
          std::to_string(law.coordinate));
}

/// Of an element that describes itself.
struct FieldCheck {
  const ModelDescription& d;
  Key key;

  void body(const char* name, int body) const {
    require(body >= 0 && body < static_cast<int>(d.bodies.size()), key + "." + name, "a body that can move",
            body == kWorld ? "'world'" : std::to_string(body));
  }
  void body_or_point(const char* name, const char* point_name, int on,
                     const std::optional<Point>& point) const {
    body(point ? point_name : name, on);
    if (!point) return;
    validate_point(d, *point, key + "." + point_name);
    require(point->body == on, key + "." + point_name, "a point of the body", "one of another");
  }
  void nonnegative(const char* name, const char*, double value) const {
    require_nonnegative(value, key + "." + name);
  }
};

/// What goes along a tendon keeps a matrix for every two of its points, with centres and axes of wraps among these.
void require_few_pairs(const ModelDescription& d) {
  constexpr double kMostPairs = 5e6;  // 32 B each in the plane, 72 B in space
  const auto compensating = std::count_if(d.controllers.begin(), d.controllers.end(),
                                          [](const Controller& one) { return one.compensate_springs; });
  std::vector<double> users(d.tendons.size(), 1 + static_cast<double>(compensating));
  const auto count = [&](const auto& elements) {
    for (const auto& element : elements)
      if (element.tendon) users.at(static_cast<std::size_t>(*element.tendon)) += 1;
  };
  count(d.stops);
  count(d.friction);
  count(d.actuators);
  count(d.laws);
  for (const JointStop& stop : d.stops) {  // each bound is an element
    if (!stop.tendon) continue;
    const JointStop::Range& range = stop.ranges[0];
    if (std::isfinite(range.lower) && std::isfinite(range.upper)) users[*stop.tendon] += 1;
  }
  double pairs = 0;
  for (std::size_t i = 0; i < d.tendons.size(); ++i) {
    const Tendon& tendon = d.tendons[i];
    const auto points = static_cast<double>(tendon.path.size() + (1 + d.dimension) * tendon.wraps.size());
    pairs += (users[i] + (tendon.muscle ? 1 : 0)) * points * points;
  }
  require(pairs <= kMostPairs, "tendons",
          fmt::format("at most {:g} pairs of points of a tendon, summed over all tendons and once more for "
                      "each element that acts along one",
                      kMostPairs),
          fmt::format("{:.0f}", pairs));
}

}  // namespace

void validate_elements(ModelDescription& d) {
  require_names(d.points, "points");
  for_each_kind(d, [&](const char* section, auto& list) {
    require_names(list, section);
    for (auto& element : list) {
      const FieldCheck check{d, Key(section) + "." + element.name};
      if constexpr (requires { element.describe(check); }) element.describe(check);
    }
  });
  for (const Point& point : d.points) validate_point(d, point, Key("points.") + point.name);
  for (const Tendon& tendon : d.tendons) validate_tendon(d, tendon);
  for (JointSpring& spring : d.joint_springs) validate_spring(d, spring);
  for (const JointStop& stop : d.stops) validate_stop(d, stop);
  for (const JointFriction& friction : d.friction) validate_friction(d, friction);
  for (Bushing& bushing : d.bushings) validate_bushing(d, bushing);
  for (const Load& load : d.loads) validate_load(d, load);
  for (const Actuator& actuator : d.actuators) validate_actuator(d, actuator);
  for (Controller& controller : d.controllers) validate_controller(d, controller);
  std::set<int> driven;
  for (const Servo& servo : d.servos) validate_servo(d, servo, driven);
  constexpr std::size_t kMostCouplings = 500;  // their equations are solved as a dense matrix
  require(d.couplings.size() <= kMostCouplings, "couplings",
          fmt::format("at most {} couplings", kMostCouplings), std::to_string(d.couplings.size()));
  for (const Coupling& coupling : d.couplings) validate_coupling(d, coupling);
  for (const OwnLaw& law : d.laws) validate_law(d, law);
  for (const PointLaw& law : d.point_laws) validate_law(d, law);
  require_few_pairs(d);
}

}  // namespace torsor
