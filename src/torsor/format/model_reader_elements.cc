// What acts on bodies: `points`, `tendons`, `joint_springs`, `loads`, `actuators`.

#include <algorithm>
#include <cmath>

#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

constexpr const char* kPointName = "the name of a point";
constexpr const char* kJointName = "the name of a joint";

/// A rotation that takes z to an axis.
SO3<double> with_axis(const Vec3<double>& axis) {
  const Vec3<double> z = (1 / norm(axis)) * axis, turn = cross(Vec3<double>{0, 0, 1}, z);
  const double sine = norm(turn), angle = std::atan2(sine, z.z);
  if (sine > 0) return exp_so3((angle / sine) * turn);
  return z.z > 0 ? SO3<double>{1, 0, 0, 0} : SO3<double>{0, 1, 0, 0};
}

Wrap read_wrap(const YamlView& view, const Tendon& tendon, const ModelReading& reading) {
  view.allow_keys({"between", "point", "body", "at", "circle", "cylinder", "sphere", "axis", "side"});
  Wrap wrap;
  const YamlView between = view.at("between", "two points of the path that follow one another");
  const auto ends = between.list(2, "points of the path that follow one another");
  const auto is = [&](std::size_t i, const YamlView& end) {
    return tendon.path[i].name == reading.d.points[reading.points.resolve(end)].name;
  };
  int segment = -1;
  for (std::size_t i = 0; i + 1 < tendon.path.size(); ++i) {
    const bool taken = std::any_of(tendon.wraps.begin(), tendon.wraps.end(),
                                   [&](const Wrap& other) { return other.segment == static_cast<int>(i); });
    if (segment < 0 && !taken && is(i, ends[0]) && is(i + 1, ends[1])) segment = static_cast<int>(i);
  }
  if (segment < 0)
    between.fail("two points of the path that follow one another", "others, or a wrapped segment");
  wrap.segment = segment;
  if (view.has("point") == view.has("body")) view.fail("either `point` or `body`");
  if (const auto point = view.find("point")) {
    wrap.at = reading.d.points[reading.points.resolve(*point)];
  } else {
    wrap.at.body = reading.body(view.at("body", "the name of a body, or world"));
    if (const auto at = view.find("at")) wrap.at.p_B = read_vector(*at, reading.dimension(), kLength);
  }
  const bool planar = reading.dimension() == 2;
  if (view.has("circle") + view.has("cylinder") + view.has("sphere") != 1 || view.has("circle") != planar)
    view.fail(planar ? "a `circle`" : "either `cylinder` or `sphere`");
  const char* kind = planar ? "circle" : view.has("cylinder") ? "cylinder" : "sphere";
  wrap.law.kind = planar                 ? WrapLaw::Kind::circle
                  : view.has("cylinder") ? WrapLaw::Kind::cylinder
                                         : WrapLaw::Kind::sphere;
  wrap.law.radius = view.at(kind, described(kLength)).number(kLength);
  if (const auto axis = view.find("axis")) {
    if (wrap.law.kind != WrapLaw::Kind::cylinder) axis->fail("an axis at a cylinder alone");
    wrap.rotation = with_axis(read_axis(*axis, 3));
  }
  if (const auto side = view.find("side")) {
    const Point& point = reading.d.points[reading.points.resolve(*side)];
    if (point.body != wrap.at.body) side->fail("a point on the body that is wrapped", "one on another");
    wrap.law.side = transpose_times(matrix(wrap.rotation), point.p_B - wrap.at.p_B);
  }
  return wrap;
}

/// What the length of a tendon is measured in, its tension and what it is made of.
const RateQuantities& quantities_of(const Tendon& tendon) { return tendon.is_angle ? kTurning : kSliding; }

Tendon read_tendon(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"path", "joints", "stiffness", "rest_length", "damping", "tension_only", "tension", "wrap",
                   "muscle", "range", "friction"});
  Tendon tendon;
  tendon.name = name;
  if (const auto joints = view.find("joints")) {
    for (const char* key : {"path", "wrap"})
      if (const auto other = view.find(key)) other->fail("either a `path` or `joints`", "both");
    bool has_radii = false;
    tendon.joints = read_terms(*joints, reading, &has_radii);
    if (tendon.joints.empty()) joints->fail("joints with factors other than 0");
    const CoordinateTerm& first = tendon.joints.front();
    const auto rates = rate_quantities(reading.joint(first.joint).type, reading.dimension());
    tendon.is_angle = !has_radii && first.coordinate < static_cast<int>(rates.size()) &&
                      rates[first.coordinate].coordinate.dimension == kAngle.dimension;
  } else {
    for (const YamlView& point : view.at("path", "a list of points, or `joints`").list())
      tendon.path.push_back(reading.d.points[reading.points.resolve(point)]);
  }
  const RateQuantities& of = quantities_of(tendon);
  if (const auto k = view.find("stiffness")) tendon.stiffness = k->number(of.stiffness);
  if (const auto c = view.find("damping")) tendon.damping = c->number(of.damping);
  if (const auto wraps = view.find("wrap"))
    for (const YamlView& wrap : wraps->list()) tendon.wraps.push_back(read_wrap(wrap, tendon, reading));
  if (const auto motor = view.find("tension")) tendon.tension = read_program(*motor, of.effort);
  if (const auto muscle = view.find("muscle")) tendon.muscle = read_muscle(*muscle);
  const auto rest = view.find("rest_length");
  if (rest) tendon.rest_length = read_program(*rest, of.coordinate);
  if (!rest && view.has("stiffness") && tendon.joints.empty()) view.at("rest_length", described(kLength));
  if (const auto only = view.find("tension_only")) tendon.tension_only = only->boolean();
  return tendon;
}

/// The rates a spring law acts on: all of the joint, or its rotation alone.
std::vector<RateQuantities> sprung_rates(const JointSpring& spring, const Joint& joint, int dimension) {
  if (spring.law == SpringLaw::angle) return rate_quantities(joint.type, dimension);
  return std::vector<RateQuantities>(3, kTurning);
}

std::vector<double> read_angle_rest(const YamlView& view, const std::vector<Quantity>& coordinates) {
  std::vector<double> rest;
  if (view.is_list()) {
    const auto items = view.list(coordinates.size(), "values, one for each coordinate of the joint");
    for (std::size_t i = 0; i < items.size(); ++i) rest.push_back(items[i].number(coordinates[i]));
  } else {
    for (const Quantity& quantity : coordinates) rest.push_back(view.number(quantity));
  }
  return rest;
}

JointSpring read_joint_spring(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"joint", "stiffness", "damping", "rest", "law"});
  JointSpring spring;
  spring.name = name;
  spring.joint = reading.joints.resolve(view.at("joint", kJointName));
  const Joint& joint = reading.joint(spring.joint);
  if (has_twist_rates(joint.type)) spring.law = SpringLaw::log;
  if (const auto law = view.find("law"))
    spring.law = law->choice<SpringLaw>(
        {{"angle", SpringLaw::angle}, {"log", SpringLaw::log}, {"euler321", SpringLaw::euler321}});

  const auto rates = sprung_rates(spring, joint, reading.dimension());
  spring.stiffness.assign(rates.size(), 0);
  spring.damping.assign(rates.size(), 0);
  if (const auto k = view.find("stiffness"))
    spring.stiffness = read_spread(*k, rates, &RateQuantities::stiffness);
  if (const auto c = view.find("damping")) spring.damping = read_spread(*c, rates, &RateQuantities::damping);
  if (!view.has("stiffness") && !view.has("damping")) view.at("stiffness", "a stiffness or a damping");

  const auto coordinates = coordinate_quantities(joint.type, reading.dimension());
  const auto rest = view.find("rest");
  if (spring.law == SpringLaw::angle) {
    spring.rest = rest ? read_angle_rest(*rest, coordinates) : std::vector<double>(coordinates.size(), 0);
  } else if (rest) {
    spring.rest_rotation = rest->is_list() ? unit_quaternion(*rest, rest->numbers(4, kNumber))
                                           : read_rotation(*rest, reading.dimension());
  }
  return spring;
}

Load read_load(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"point", "body", "force", "moment", "axes"});
  Load load;
  load.name = name;
  const auto force = view.find("force"), moment = view.find("moment");
  if (force.has_value() == moment.has_value())
    view.fail("either `force` (at a point) or `moment` (on a body)");
  if (view.has("point") && view.has("body")) view.fail("either `point` or `body`");
  if (force) {
    load.kind = Load::Kind::force;
    load.at = reading.d.points[reading.points.resolve(view.at("point", kPointName))];
    const auto components = force->list(reading.dimension(), "programs [N]");
    for (std::size_t i = 0; i < components.size(); ++i)
      load.components[i] = read_program(components[i], kForce);
  } else {
    load.kind = Load::Kind::moment;
    if (const auto point = view.find("point")) {
      load.at = reading.d.points[reading.points.resolve(*point)];
    } else {
      load.at.body = reading.body(view.at("body", "the name of a body"));
    }
    if (reading.dimension() == 2) {
      load.components[2] =
          read_program(moment->is_list() ? moment->list(1, "program [N m]")[0] : *moment, kMoment);
    } else {
      const auto components = moment->list(3, "programs [N m]");
      for (int i = 0; i < 3; ++i) load.components[i] = read_program(components[i], kMoment);
    }
  }
  if (const auto axes = view.find("axes"))
    load.in_body_axes = axes->choice<bool>({{"world", false}, {"body", true}});
  return load;
}

Actuator read_actuator(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"joint", "tendon", "effort", "coordinate", "limits"});
  Actuator actuator;
  actuator.name = name;
  const auto read_limits = [&](const Quantity& quantity) {
    const auto limits = view.find("limits");
    if (!limits) return;
    const std::vector<double> range = limits->numbers(2, quantity);
    actuator.limits.emplace(range[0], range[1]);
  };
  if (const auto tendon = view.find("tendon")) {
    if (view.has("joint") || view.has("coordinate")) view.fail("either `joint` or `tendon`");
    actuator.tendon = reading.tendons.resolve(*tendon);
    const Quantity& pull = quantities_of(reading.d.tendons[*actuator.tendon]).effort;
    if (const auto effort = view.find("effort")) actuator.effort = read_program(*effort, pull);
    read_limits(pull);
    return actuator;
  }
  const YamlView joint_name = view.at("joint", kJointName);
  actuator.joint = reading.joints.resolve(joint_name);
  const auto rates = rate_quantities(reading.joint(actuator.joint).type, reading.dimension());
  if (rates.empty()) joint_name.fail("a joint that moves", "the fixed joint '" + joint_name.text() + "'");
  if (const auto coordinate = view.find("coordinate"))
    actuator.coordinate = static_cast<int>(coordinate->integer(0, static_cast<long>(rates.size()) - 1));
  if (const auto effort = view.find("effort"))
    actuator.effort = read_program(*effort, rates[actuator.coordinate].effort);
  read_limits(rates[actuator.coordinate].effort);
  return actuator;
}

/// The keys of an element that describes itself, and their values.
struct FieldNames {
  std::vector<std::string> keys;

  void body(const char* key, int&) { keys.emplace_back(key); }
  void body_or_point(const char* body_key, const char* point_key, int& on, std::optional<Point>&) {
    body(body_key, on);
    keys.emplace_back(point_key);
  }
  void nonnegative(const char* key, const char*, double&) { keys.emplace_back(key); }
};
struct FieldReader {
  const YamlView& view;
  const ModelReading& reading;

  void body(const char* key, int& out) const { out = reading.body(view.at(key, "the name of a body")); }
  void body_or_point(const char* body_key, const char* point_key, int& out,
                     std::optional<Point>& point) const {
    const auto at = view.find(point_key);
    if (!at) return body(body_key, out);
    if (view.has(body_key)) view.fail("either `body` or `point`", "both");
    point = reading.d.points[reading.points.resolve(*at)];
    out = point->body;
  }
  void nonnegative(const char* key, const char* unit, double& out) const {
    static constexpr Quantity kQuantities[] = {kLength,           kMass,           kForce,
                                               kMoment,           kStiffness,      kDamping,
                                               kAngularStiffness, kAngularDamping, kQuadraticDrag};
    const auto quantity = std::find_if(std::begin(kQuantities), std::end(kQuantities),
                                       [&](const Quantity& q) { return q.unit == std::string_view(unit); });
    if (const auto value = view.find(key)) out = value->number(*quantity);
  }
};

template <class List>
constexpr bool kDescribed = requires(typename List::value_type e, FieldNames names) {
  e.describe(names);
};

}  // namespace

std::vector<std::string> described_sections() {
  std::vector<std::string> sections;
  ElementLists none;
  for_each_kind(none, [&]<class List>(const char* section, List&) {
    if constexpr (kDescribed<List>) sections.emplace_back(section);
  });
  return sections;
}

void read_described(const YamlView& file, ModelReading& reading) {
  for_each_kind(reading.d, [&]<class List>(const char* section, List& list) {
    if constexpr (kDescribed<List>) {
      const auto found = file.find(section);
      if (!found) return;
      for (const auto& [name, view] : found->named()) {
        typename List::value_type element;
        element.name = name;
        FieldNames names;
        element.describe(names);
        view.allow_keys(names.keys);
        element.describe(FieldReader{view, reading});
        list.push_back(element);
      }
    }
  });
}

void read_points(const std::string& name, const YamlView& view, ModelReading& reading) {
  view.allow_keys({"body", "at"});
  Point point{name, reading.body(view.at("body", "the name of a body, or world")), {}};
  if (const auto at = view.find("at")) point.p_B = read_vector(*at, reading.dimension(), kLength);
  reading.d.points.push_back(point);
  reading.points.add(name);
}

void read_tendons(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.tendons.push_back(read_tendon(name, view, reading));
  read_tendon_limits(view, static_cast<int>(reading.d.tendons.size()) - 1, reading);
  reading.tendons.add(name);
}

void read_joint_springs(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.joint_springs.push_back(read_joint_spring(name, view, reading));
}

void read_loads(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.loads.push_back(read_load(name, view, reading));
}

void read_actuators(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.actuators.push_back(read_actuator(name, view, reading));
  reading.actuators.add(name);
}

}  // namespace torsor
