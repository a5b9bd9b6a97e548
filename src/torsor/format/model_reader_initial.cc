// `initial` and `simulation`: where a motion starts, and how it wishes to be computed.

#include <limits>

#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

/// A body that is no joint's child has a free joint of its own name, which the Model adds.
JointType type_of(const std::string& name, const YamlView& view, const ModelReading& reading) {
  if (reading.joints.has(name)) return reading.joint(reading.joints.index(name)).type;
  if (reading.bodies.has(name)) return JointType::free;
  reading.joints.refuse(name, view);
}

void append(std::vector<double>& q, const SO3<double>& rotation) {
  q.insert(q.end(), {rotation.w, rotation.x, rotation.y, rotation.z});
}

std::vector<double> read_free(const YamlView& view, int dimension) {
  std::vector<double> q;
  if (dimension == 3) {
    const SE3<double> pose = read_pose(view, 3);
    append(q, pose.rotation);
    q.insert(q.end(), {pose.position.x, pose.position.y, pose.position.z});
    return q;
  }
  view.allow_keys({"position", "rotation"});
  const auto rotation = view.find("rotation"), position = view.find("position");
  const Vec3<double> p = position ? read_vector(*position, 2, kLength) : Vec3<double>{};
  return {rotation ? rotation->number(kAngle) : 0, p.x, p.y};
}

std::vector<double> read_flat(const YamlView& view, const std::vector<Quantity>& quantities) {
  if (quantities.size() == 1 && !view.is_list()) return {view.number(quantities[0])};
  const auto items = view.list(quantities.size(), quantities.size() == 1 ? "value" : "values");
  std::vector<double> values;
  for (std::size_t i = 0; i < items.size(); ++i) values.push_back(items[i].number(quantities[i]));
  return values;
}

std::vector<double> read_coordinates(const YamlView& view, JointType type, int dimension) {
  const Components all = components(type, dimension);
  std::vector<double> q;
  if (view.is_map() && has_twist_rates(type)) {
    if (all.lengths > 0) return read_free(view, dimension);
    append(q, read_rotation(view, 3));
    return q;
  }
  q = read_flat(view, coordinate_quantities(type, dimension));
  if (all.quaternions > 0) {
    const SO3<double> unit = unit_quaternion(view, q);
    q[0] = unit.w, q[1] = unit.x, q[2] = unit.y, q[3] = unit.z;
  }
  return q;
}

std::vector<double> read_rates(const YamlView& view, JointType type, int dimension) {
  std::vector<Quantity> quantities;
  for (const RateQuantities& rate : rate_quantities(type, dimension)) quantities.push_back(rate.rate);
  return read_flat(view, quantities);
}

InitialBody read_initial_body(const YamlView& view, int dimension) {
  view.allow_keys({"position", "rotation", "velocity", "angular_velocity"});
  InitialBody body;
  if (const auto position = view.find("position")) body.position = read_vector(*position, dimension, kLength);
  if (const auto rotation = view.find("rotation")) body.rotation = read_rotation(*rotation, dimension);
  if (const auto velocity = view.find("velocity"))
    body.velocity = read_vector(*velocity, dimension, kVelocity);
  if (const auto omega = view.find("angular_velocity"))
    body.angular_velocity = dimension == 2 ? Vec3<double>{0, 0, omega->number(kAngularVelocity)}
                                           : read_vector(*omega, 3, kAngularVelocity);
  return body;
}

void read_integrator(const YamlView& view, SimulationSettings& settings) {
  if (view.is_scalar()) {
    settings.integrator = view.text();
    return;
  }
  settings.integrator = view.at("name", "the name of an integrator").text();
  for (const auto& [key, option] : view.named()) {
    if (key == "name") continue;
    const ParsedQuantity number = parse_quantity(option.text(), kNumber);
    if (number.fault.empty()) {
      settings.integrator_options.emplace(key, number.value);
    } else {
      settings.integrator_options.emplace(key, option.text());
    }
  }
}

double read_above_zero(const YamlView& view, const Quantity& quantity) {
  const double value = view.number(quantity);
  if (!(value > 0)) view.fail(described(quantity) + " above zero");
  return value;
}

double read_duration(const YamlView& view) {
  const double value = view.number(kTime);
  if (!(value >= 0)) view.fail(described(kTime) + " of 0 s or more");
  return value;
}

/// One name, or a list of them; not empty.
std::vector<std::string> read_channels(const YamlView& view) {
  std::vector<std::string> channels;
  if (!view.is_list()) {
    channels.push_back(view.text());
  } else {
    for (const YamlView& entry : view.list()) channels.push_back(entry.text());
  }
  if (channels.empty()) view.fail("channels of the result file");
  return channels;
}

/// A number of steps, or `{steps, keep: extremes | [channel, ..]}`; `record` has been read.
void read_record_every(const YamlView& view, SimulationSettings& settings) {
  const auto steps = [](const YamlView& number) {
    return static_cast<int>(number.integer(1, std::numeric_limits<int>::max()));
  };
  if (!view.is_map()) {
    settings.record_every = steps(view);
    return;
  }
  view.allow_keys({"steps", "keep"});
  settings.record_every = steps(view.at("steps", "the number of steps between two records"));
  const auto keep = view.find("keep");
  if (!keep) return;
  settings.extremes_of = read_channels(*keep);
  if (!keep->is_list()) {
    if (settings.extremes_of != std::vector<std::string>{"extremes"})
      keep->fail("'extremes', or a list of channels whose extremes are kept");
    settings.extremes_of = settings.record;
    if (settings.extremes_of.empty()) settings.extremes_of = {"*"};
  }
}

}  // namespace

void read_initial(const YamlView& section, ModelReading& reading) {
  section.allow_keys({"joints", "rates", "bodies", "assemble"});
  InitialState& initial = reading.d.initial;
  const int dimension = reading.dimension();
  if (const auto joints = section.find("joints"))
    for (const auto& [name, view] : joints->named())
      initial.joints[name] = read_coordinates(view, type_of(name, view, reading), dimension);
  if (const auto rates = section.find("rates"))
    for (const auto& [name, view] : rates->named())
      initial.rates[name] = read_rates(view, type_of(name, view, reading), dimension);
  if (const auto bodies = section.find("bodies"))
    for (const auto& [name, view] : bodies->named()) {
      if (!reading.bodies.has(name)) reading.bodies.refuse(name, view);
      initial.bodies[name] = read_initial_body(view, dimension);
    }
  if (const auto assemble = section.find("assemble")) initial.assemble = assemble->boolean();
}

void read_simulation(const YamlView& section, ModelReading& reading) {
  section.allow_keys({"formulation", "dynamics", "integrator", "step", "duration", "tolerance", "record",
                      "record_every", "land_on_kinks"});
  SimulationSettings& settings = reading.d.simulation;
  if (const auto formulation = section.find("formulation")) settings.formulation = formulation->text();
  if (const auto dynamics = section.find("dynamics"))
    settings.dynamics = dynamics->choice<Dynamics>(
        {{"recursive", Dynamics::recursive}, {"moving-frame", Dynamics::moving_frame}});
  if (const auto integrator = section.find("integrator")) read_integrator(*integrator, settings);
  if (const auto step = section.find("step")) settings.step = read_above_zero(*step, kTime);
  if (const auto duration = section.find("duration")) settings.duration = read_duration(*duration);
  if (const auto tolerance = section.find("tolerance"))
    settings.tolerance = read_above_zero(*tolerance, kNumber);
  if (const auto land = section.find("land_on_kinks")) settings.land_on_kinks = land->boolean();
  if (const auto record = section.find("record")) settings.record = read_channels(*record);
  if (const auto every = section.find("record_every")) read_record_every(*every, settings);
}

}  // namespace torsor
