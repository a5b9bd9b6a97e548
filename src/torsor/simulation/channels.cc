#include "torsor/simulation/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/control/controller_efforts.h"

namespace torsor {
namespace {

using Names = std::vector<std::string>;

const Names kScalar{""};
const Names kXyz{"x", "y", "z"};
const Names kWxyz{"w", "x", "y", "z"};
const Names kReaction{"moment.x", "moment.y", "moment.z", "force.x", "force.y", "force.z"};
const Names kFlatReaction{"moment", "force.x", "force.y"};

Names numbered(int count) {
  if (count == 1) return kScalar;
  Names names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

/// One unit where all agree, else all of them.
std::string joined(const std::vector<std::string>& units) {
  const bool same = std::all_of(units.begin(), units.end(), [&](const auto& u) { return u == units[0]; });
  return same ? units[0] : listed(units);
}
std::vector<std::string> coordinate_units(const Components& all) {
  constexpr const char* kUnits[] = {"rad", "1", "m"};  // angle, quaternion, length
  std::vector<std::string> units;
  for (int i = 0; i < all.coordinates(); ++i) {
    units.emplace_back(kUnits[static_cast<int>(all.coordinate(i))]);
  }
  return units;
}
std::vector<std::string> rate_units(const Components& all, const std::string& per) {
  std::vector<std::string> units(all.turns(), "rad" + per);
  units.resize(all.rates(), "m" + per);
  return units;
}
const char* effort_unit(const Joint& joint, int rate, int dimension) {
  return rate < components(joint.type, dimension).turns() ? "N m" : "N";
}

struct Builder {
  std::vector<Channel> columns;

  void add(std::vector<std::string> path, std::string unit, Names components = kScalar) {
    columns.push_back({std::move(path), std::move(unit), std::move(components), false});
  }
};

void add_bodies(Builder& b, const Manifest& manifest) {
  const bool flat = manifest.dimension == 2;
  const Names in_space = flat ? Names{"x", "y"} : kXyz;
  for (const std::string& body : manifest.bodies) {
    b.add({"bodies", body, "com"}, "m", in_space);
    flat ? b.add({"bodies", body, "angle"}, "rad") : b.add({"bodies", body, "quaternion"}, "1", kWxyz);
    b.add({"bodies", body, "velocity"}, "m/s", in_space);
    b.add({"bodies", body, "angular_velocity"}, "rad/s", flat ? kScalar : kXyz);
    b.add({"bodies", body, "acceleration"}, "m/s^2", in_space);
    b.add({"bodies", body, "angular_acceleration"}, "rad/s^2", flat ? kScalar : kXyz);
  }
}

void add_joints(Builder& b, const Model& model, const Manifest& manifest) {
  for (const std::string& name : manifest.joints) {
    const Components all = components(model.joints()[model.joint_index(name)].type, model.dimension());
    if (all.rates() > 0) {
      b.add({"joints", name, "position"}, joined(coordinate_units(all)), numbered(all.coordinates()));
      b.add({"joints", name, "rate"}, joined(rate_units(all, "/s")), numbered(all.rates()));
      b.add({"joints", name, "acceleration"}, joined(rate_units(all, "/s^2")), numbered(all.rates()));
    }
    const bool flat = manifest.dimension == 2;
    for (const char* side : {"reaction", "reaction_world", "reaction_parent"}) {
      b.add({"joints", name, side}, flat ? "N m, N, N" : "N m, N m, N m, N, N, N",
            flat ? kFlatReaction : kReaction);
    }
  }
}

void add_points(Builder& b, const Manifest& manifest) {
  const Names in_space = manifest.dimension == 2 ? Names{"x", "y"} : kXyz;
  for (const std::string& point : manifest.points) {
    b.add({"points", point, "position"}, "m", in_space);
    b.add({"points", point, "velocity"}, "m/s", in_space);
    b.add({"points", point, "acceleration"}, "m/s^2", in_space);
  }
}

const char* length_unit(const Tendon& tendon) { return tendon.is_angle ? "rad" : "m"; }
const char* tendon_unit(const Tendon& tendon) { return tendon.is_angle ? "N m" : "N"; }

void add_actuators(Builder& b, const Model& model, const Manifest& manifest) {
  for (const std::string& name : manifest.actuators) {
    const char* unit = "";
    for (const Actuator& actuator : model.actuators()) {
      if (actuator.name != name) continue;
      unit = actuator.tendon
                 ? tendon_unit(model.tendons()[*actuator.tendon])
                 : effort_unit(model.joints()[actuator.joint], actuator.coordinate, model.dimension());
    }
    b.add({"actuators", name, "effort"}, unit);
  }
}

void add_couplings(Builder& b, const Model& model) {
  for (const Coupling& coupling : model.couplings()) {
    const Coupling::Term& first = coupling.terms.front();
    b.add({"couplings", coupling.name, "effort"},
          effort_unit(model.joints()[first.joint], first.coordinate, model.dimension()));
  }
}

void add_controllers(Builder& b, const Model& model) {
  for (const Controller& controller : model.controllers()) {
    Names components;
    std::string units;
    for (const int j : driven_joints(model, controller)) {
      const Joint& joint = model.joints()[j];
      const int rates = rate_count(joint.type, model.dimension());
      for (int i = 0; i < rates; ++i) {
        components.push_back(rates == 1 ? joint.name : fmt::format("{}.{}", joint.name, i));
        units += units.empty() ? "" : ", ";
        units += effort_unit(joint, i, model.dimension());
      }
    }
    b.add({"controllers", controller.name, "effort"}, units, components);
  }
}

/// Hands out the numbers of a row from left to right.
class RowCursor {
 public:
  explicit RowCursor(std::span<double> row) : row_(row) {}

  void put(double value) { row_[next_++] = value; }
  void put(const std::vector<double>& values) {
    for (double value : values) put(value);
  }
  void put(const Vec3<double>& v, int count = 3) {
    for (int i = 0; i < count; ++i) put(v[i]);
  }
  void put(const Wrench<double>& F) {
    put(F.moment);
    put(F.force);
  }
  /// 2D: moment, force x, force y.
  void put(const Wrench<double>& F, const PlaneAxes& axes) {
    put(dot(F.moment, axes.normal));
    put(dot(F.force, axes.x));
    put(dot(F.force, axes.y));
  }
  bool full() const { return next_ == row_.size(); }

 private:
  std::span<double> row_;
  std::size_t next_ = 0;
};

/// All that make_channels reads, as one text: nothing in it may be left out here.
std::string key_of(const Model& model, const Manifest& manifest) {
  std::string key;
  const auto add_number = [&](int number) { key.append(std::to_string(number)).push_back('/'); };
  const auto add_name = [&](const std::string& name) {
    key.append(name).push_back('/');
  };  // names have no slash
  const auto end = [&] { key.push_back('\n'); };
  add_number(manifest.dimension);
  for (const auto* names : {&manifest.sources, &manifest.dampers, &manifest.bodies, &manifest.points,
                            &manifest.tendons, &manifest.muscles}) {
    end();
    for (const std::string& name : *names) add_name(name);
  }
  end();
  for (const SampledController& controller : manifest.sampled) add_name(controller.name);
  end();
  for (const Joint& joint : model.joints()) {
    add_name(joint.name);
    add_number(static_cast<int>(joint.type));
  }
  end();
  for (const Actuator& actuator : model.actuators()) {
    add_name(actuator.name);
    add_number(actuator.tendon ? -1 - *actuator.tendon : actuator.joint);
    add_number(actuator.coordinate);
  }
  end();
  for (const Tendon& tendon : model.tendons()) add_number(tendon.is_angle ? 1 : 0);
  for (const Controller& controller : model.controllers()) {
    end();
    add_name(controller.name);
    for (const int joint : driven_joints(model, controller)) add_number(joint);
  }
  end();
  for (const Coupling& coupling : model.couplings()) {
    add_name(coupling.name);
    add_number(coupling.terms.front().joint);
    add_number(coupling.terms.front().coordinate);
  }
  return key;
}

}  // namespace

ChannelList make_channels(const Model& model, const Manifest& manifest, const ChannelList& like) {
  std::string key = key_of(model, manifest);
  if (key == like.key()) return like;
  Builder b;
  const bool flat = manifest.dimension == 2;
  b.add({"time"}, "s");
  for (const char* part : {"kinetic", "gravity", "elastic", "total", "work", "dissipated", "residual"}) {
    b.add({"energy", part}, "J");
  }
  for (const std::string& source : distinct_names(manifest.sources)) b.add({"work", source}, "J");
  for (const std::string& damper : distinct_names(manifest.dampers)) b.add({"dissipated", damper}, "J");
  for (const SampledController& controller : manifest.sampled) {
    b.add({"sampling", controller.name, "created"}, "J");
    b.add({"sampling", controller.name, "virtual_damper"}, "J");
  }
  b.add({"momentum", "linear"}, "kg m/s", flat ? Names{"x", "y"} : kXyz);
  b.add({"momentum", "angular"}, "kg m^2/s", flat ? kScalar : kXyz);
  b.add({"constraints", "position"}, "m");
  b.add({"constraints", "velocity"}, "m/s");
  add_bodies(b, manifest);
  add_joints(b, model, manifest);
  add_points(b, manifest);
  for (const Tendon& tendon : model.tendons()) {
    b.add({"tendons", tendon.name, "length"}, length_unit(tendon));
    b.add({"tendons", tendon.name, "tension"}, tendon_unit(tendon));
  }
  for (const Tendon& tendon : model.tendons()) {
    if (!tendon.muscle) continue;
    b.add({"muscles", tendon.name, "excitation"}, "1");
    b.add({"muscles", tendon.name, "activation"}, "1");
    b.add({"muscles", tendon.name, "force"}, tendon_unit(tendon));
    b.add({"muscles", tendon.name, "passive"}, tendon_unit(tendon));
    b.add({"muscles", tendon.name, "fibre_length"}, length_unit(tendon));
  }
  add_actuators(b, model, manifest);
  add_controllers(b, model);
  add_couplings(b, model);
  b.add({"solver", "iterations"}, "1");
  b.columns.back().integral = true;
  b.add({"solver", "residual"}, "1");
  return {std::move(key), std::move(b.columns)};
}

std::string name_of(const Channel& channel) { return fmt::format("{}", fmt::join(channel.path, ".")); }

std::string column_name(const Channel& channel, int component) {
  const std::string& part = channel.components[component];
  return part.empty() ? name_of(channel) : name_of(channel) + "." + part;
}

std::string column_unit(const Channel& channel, int component) {
  return unit_of_component(channel.unit, component);
}

std::string unit_of_component(const std::string& units, int component) {
  std::size_t at = 0;
  for (; component > 0; --component) {
    const std::size_t comma = units.find(", ", at);
    if (comma == std::string::npos) break;  // one for all
    at = comma + 2;
  }
  return units.substr(at, units.find(", ", at) - at);
}

std::vector<std::string> distinct_names(const std::vector<std::string>& names) {
  std::map<std::string, int> seen;
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    const int count = ++seen[name];
    distinct.push_back(count == 1 ? name : fmt::format("{} ({})", name, count));
  }
  return distinct;
}

int row_width(const std::vector<Channel>& channels) {
  int width = 0;
  for (const Channel& channel : channels) width += channel.width();
  return width;
}

bool follows_from_motion(const Channel& channel) {
  const std::string &first = channel.path.front(), &last = channel.path.back();
  for (const char* group : {"time", "energy", "work", "dissipated", "sampling", "momentum", "constraints"}) {
    if (first == group) return true;
  }
  for (const char* group : {"bodies", "joints", "points"}) {
    if (first != group) continue;
    for (const char* kept :
         {"com", "angle", "quaternion", "position", "rate", "velocity", "angular_velocity"}) {
      if (last == kept) return true;
    }
  }
  return first == "tendons" && last == "length";
}

void fill_row(const Observation& o, double energy_residual, const Manifest& manifest, std::span<double> row) {
  const int dimension = manifest.dimension;
  const bool flat = dimension == 2;
  RowCursor cursor(row);
  cursor.put(o.time);
  cursor.put(o.kinetic);
  cursor.put(o.gravity);
  cursor.put(o.elastic);
  cursor.put(o.total());
  double work = 0, dissipated = 0;
  for (double w : o.work) work += w;
  for (double d : o.dissipated) dissipated += d;
  cursor.put(work);
  cursor.put(dissipated);
  cursor.put(energy_residual);
  cursor.put(o.work);
  cursor.put(o.dissipated);
  for (const SamplingFlows& flows : o.sampling) {
    cursor.put(flows.created);
    cursor.put(flows.taken);
  }
  cursor.put(o.linear_momentum, dimension);
  flat ? cursor.put(o.angular_momentum.z) : cursor.put(o.angular_momentum);
  cursor.put(o.position_error);
  cursor.put(o.velocity_error);
  for (const BodyObservation& body : o.bodies) {
    cursor.put(body.com, dimension);
    if (flat) {
      cursor.put(body.angle);
    } else {
      for (double part : {body.rotation.w, body.rotation.x, body.rotation.y, body.rotation.z})
        cursor.put(part);
    }
    cursor.put(body.velocity, dimension);
    flat ? cursor.put(body.angular_velocity.z) : cursor.put(body.angular_velocity);
    cursor.put(body.acceleration, dimension);
    flat ? cursor.put(body.angular_acceleration.z) : cursor.put(body.angular_acceleration);
  }
  for (std::size_t j = 0; j < o.joints.size(); ++j) {
    const JointObservation& joint = o.joints[j];
    cursor.put(joint.position);
    cursor.put(joint.rate);
    cursor.put(joint.acceleration);
    if (flat) {
      cursor.put(joint.reaction, manifest.planes[j].child);
      cursor.put(joint.reaction_world, PlaneAxes{});
      cursor.put(joint.reaction_parent, manifest.planes[j].parent);
    } else {
      for (const Wrench<double>& side : {joint.reaction, joint.reaction_world, joint.reaction_parent})
        cursor.put(side);
    }
  }
  for (const PointObservation& point : o.points) {
    for (const Vec3<double>& part : {point.position, point.velocity, point.acceleration})
      cursor.put(part, dimension);
  }
  for (const TendonObservation& tendon : o.tendons) {
    cursor.put(tendon.length);
    cursor.put(tendon.tension);
  }
  for (const MuscleObservation& muscle : o.muscles) {
    for (double value :
         {muscle.excitation, muscle.activation, muscle.force, muscle.passive, muscle.fibre_length}) {
      cursor.put(value);
    }
  }
  cursor.put(o.efforts);
  for (const std::vector<double>& efforts : o.controllers) cursor.put(efforts);
  cursor.put(o.couplings);
  cursor.put(o.solver.iterations);
  cursor.put(o.solver.residual);
  assert(cursor.full());
}

void require_finite(const std::vector<Channel>& channels, std::span<const double> row) {
  std::size_t next = 0;
  for (const Channel& channel : channels) {
    for (int i = 0; i < channel.width(); ++i) {
      const double value = row[next++];
      if (std::isfinite(value)) continue;
      throw Error(fmt::format("{} is not a finite number at t = {:.9g} s", name_of(channel), row[0]));
    }
  }
}

}  // namespace torsor
