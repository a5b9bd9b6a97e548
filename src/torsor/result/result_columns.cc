#include "torsor/result/result_columns.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <map>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/control/controller_efforts.h"

namespace torsor {
namespace {

using Components = std::vector<std::string>;

const Components kScalar{""};
const Components kXyz{"x", "y", "z"};
const Components kWxyz{"w", "x", "y", "z"};
const Components kReaction{"moment.x", "moment.y", "moment.z", "force.x", "force.y", "force.z"};

Components numbered(int count) {
  if (count == 1) return kScalar;
  Components names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

/// Units of a joint's coordinates; those of its rates follow from the twist (rotations first).
struct JointUnits {
  const char *position, *rate;
};

JointUnits units_of(JointType type, int dimension) {
  switch (type) {
    case JointType::prismatic:
      return {"m", "m/s"};
    case JointType::cylindrical:
      return {"rad, m", "rad/s, m/s"};
    case JointType::spherical:
      return {"1", "rad/s"};
    case JointType::planar:
      return {"rad, m, m", "rad/s, m/s, m/s"};
    case JointType::free:
      if (dimension == 2) return {"rad, m, m", "rad/s, m/s, m/s"};
      return {"1, 1, 1, 1, m, m, m", "rad/s, rad/s, rad/s, m/s, m/s, m/s"};
    default:
      return {"rad", "rad/s"};
  }
}

bool is_sliding(JointType type, int coordinate) {
  return type == JointType::prismatic || (type == JointType::cylindrical && coordinate == 1) ||
         (type == JointType::planar && coordinate > 0) || (type == JointType::free && coordinate > 2);
}

struct Builder {
  std::vector<ResultColumn> columns;

  void add(std::vector<std::string> path, const char* unit, Components components = kScalar) {
    columns.push_back({std::move(path), unit, std::move(components), false});
  }
};

void add_bodies(Builder& b, const Manifest& manifest) {
  const bool flat = manifest.dimension == 2;
  const Components in_space = flat ? Components{"x", "y"} : kXyz;
  for (const std::string& body : manifest.bodies) {
    b.add({"bodies", body, "com"}, "m", in_space);
    flat ? b.add({"bodies", body, "angle"}, "rad") : b.add({"bodies", body, "quaternion"}, "1", kWxyz);
    b.add({"bodies", body, "velocity"}, "m/s", in_space);
    b.add({"bodies", body, "angular_velocity"}, "rad/s", flat ? kScalar : kXyz);
  }
}

void add_joints(Builder& b, const Model& model, const Manifest& manifest) {
  for (const std::string& name : manifest.joints) {
    const JointType type = model.joints()[model.joint_index(name)].type;
    const JointUnits units = units_of(type, model.dimension());
    if (rate_count(type, model.dimension()) > 0) {
      b.add({"joints", name, "position"}, units.position,
            numbered(coordinate_count(type, model.dimension())));
      b.add({"joints", name, "rate"}, units.rate, numbered(rate_count(type, model.dimension())));
    }
    b.add({"joints", name, "reaction"}, "N m, N m, N m, N, N, N", kReaction);
  }
}

void add_actuators(Builder& b, const Model& model, const Manifest& manifest) {
  for (const std::string& name : manifest.actuators) {
    const char* unit = "N m";
    for (const Actuator& actuator : model.actuators()) {
      if (actuator.name != name) continue;
      if (is_sliding(model.joints()[actuator.joint].type, actuator.coordinate)) unit = "N";
    }
    b.add({"actuators", name, "effort"}, unit);
  }
}

void add_controllers(Builder& b, const Model& model) {
  for (const Controller& controller : model.controllers()) {
    Components components;
    std::string units;
    for (const int j : driven_joints(model, controller)) {
      const Joint& joint = model.joints()[j];
      const int rates = rate_count(joint.type, model.dimension());
      for (int i = 0; i < rates; ++i) {
        components.push_back(rates == 1 ? joint.name : fmt::format("{}.{}", joint.name, i));
        units += units.empty() ? "" : ", ";
        units += is_sliding(joint.type, i) ? "N" : "N m";
      }
    }
    b.add({"controllers", controller.name, "effort"}, units.c_str(), components);
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
  bool full() const { return next_ == row_.size(); }

 private:
  std::span<double> row_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<ResultColumn> result_columns(const Model& model, const Manifest& manifest) {
  Builder b;
  const bool flat = manifest.dimension == 2;
  b.add({"time"}, "s");
  for (const char* part : {"kinetic", "gravity", "elastic", "total", "work", "dissipated", "residual"}) {
    b.add({"energy", part}, "J");
  }
  for (const std::string& source : distinct_names(manifest.sources)) b.add({"work", source}, "J");
  for (const std::string& damper : distinct_names(manifest.dampers)) b.add({"dissipated", damper}, "J");
  b.add({"momentum", "linear"}, "kg m/s", flat ? Components{"x", "y"} : kXyz);
  b.add({"momentum", "angular"}, "kg m^2/s", flat ? kScalar : kXyz);
  b.add({"constraints", "position"}, "m");
  b.add({"constraints", "velocity"}, "m/s");
  add_bodies(b, manifest);
  add_joints(b, model, manifest);
  for (const std::string& tendon : manifest.tendons) {
    b.add({"tendons", tendon, "length"}, "m");
    b.add({"tendons", tendon, "tension"}, "N");
  }
  add_actuators(b, model, manifest);
  add_controllers(b, model);
  b.add({"solver", "iterations"}, "1");
  b.columns.back().integral = true;
  b.add({"solver", "residual"}, "1");
  return std::move(b.columns);
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

int row_width(const std::vector<ResultColumn>& columns) {
  int width = 0;
  for (const ResultColumn& column : columns) width += column.width();
  return width;
}

void fill_row(const Observation& o, double energy_residual, int dimension, std::span<double> row) {
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
  }
  for (const JointObservation& joint : o.joints) {
    cursor.put(joint.position);
    cursor.put(joint.rate);
    cursor.put(joint.reaction.moment);
    cursor.put(joint.reaction.force);
  }
  for (const TendonObservation& tendon : o.tendons) {
    cursor.put(tendon.length);
    cursor.put(tendon.tension);
  }
  cursor.put(o.efforts);
  for (const std::vector<double>& efforts : o.controllers) cursor.put(efforts);
  cursor.put(o.solver.iterations);
  cursor.put(o.solver.residual);
  assert(cursor.full());
}

void require_finite(const std::vector<ResultColumn>& columns, std::span<const double> row) {
  std::size_t next = 0;
  for (const ResultColumn& column : columns) {
    for (int i = 0; i < column.width(); ++i) {
      const double value = row[next++];
      if (std::isfinite(value)) continue;
      throw Error(
          fmt::format("{} is not a finite number at t = {:.9g} s", fmt::join(column.path, "."), row[0]));
    }
  }
}

}  // namespace torsor
