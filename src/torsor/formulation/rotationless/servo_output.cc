#include "torsor/formulation/rotationless/servo_output.h"

#include <algorithm>
#include <cmath>

#include "torsor/formulation/rotationless/orientation_target.h"
#include "torsor/lie/so3.h"
#include "torsor/model/servo.h"

namespace torsor {
namespace {

template <int D>
double last_of(const Measure<D>& measure, std::span<const double> angles) {
  return measure.angle < 0 ? 0 : angles[measure.angle];
}

}  // namespace

template <int D>
double coordinate_acceleration(const Measure<D>& measure, const Configuration<D>& X,
                               const Configuration<D>& V, const Configuration<D>& w,
                               std::span<const double> angles) {
  const auto second = [&](const Product<D>& product) {
    return rate_at(product, X, w) + 2 * curvature(product, V);
  };
  if (measure.displacement) return second(*measure.displacement);
  const double angle = value_at(measure, X, angles[measure.angle]);
  double total = 0;
  for (const Product<D>& product : measure.sine) total += std::cos(angle) * second(product);
  for (const Product<D>& product : measure.cosine) total -= std::sin(angle) * second(product);
  return total;
}

template <int D>
int ServoOutput<D>::child() const {
  if (kind == Kind::coordinate) return measure.child;
  return kind == Kind::component ? point.node : axes[0].node;
}

template <int D>
double ServoOutput<D>::error(const Configuration<D>& X, double t, std::span<const double> angles) const {
  if constexpr (D == 3) {
    if (kind == Kind::orientation) {
      return dot(lever(axes[component], X), target_axis(programs, (component + 1) % 3, t).value);
    }
  }
  const double target = programs[0].value(t);
  if (kind == Kind::component) return value_at(point, X)[component] - target;
  return value_at(measure, X, last_of(measure, angles)) - target;
}

template <int D>
double ServoOutput<D>::rate_error(const Configuration<D>& X, const Configuration<D>& V, double t,
                                  std::span<const double> angles) const {
  if constexpr (D == 3) {
    if (kind == Kind::orientation) {
      const Arm<D>& a = axes[component];
      const AxisJet b = target_axis(programs, (component + 1) % 3, t);
      return dot(lever(a, V), b.value) + dot(lever(a, X), b.rate);
    }
  }
  const double target = programs[0].evaluate(t).rate;
  if (kind == Kind::component) return value_at(point, V)[component] - target;
  const MeasuredPair pair = measured_pair(measure, X, X, last_of(measure, angles), 1.0);
  return rate_at(measure, pair, X, V) - target;
}

template <int D>
double ServoOutput<D>::acceleration_error(const Configuration<D>& X, const Configuration<D>& V,
                                          const Configuration<D>& w, double t,
                                          std::span<const double> angles) const {
  if constexpr (D == 3) {
    if (kind == Kind::orientation) {
      const Arm<D>& a = axes[component];
      const AxisJet b = target_axis(programs, (component + 1) % 3, t);
      return dot(lever(a, w), b.value) + 2 * dot(lever(a, V), b.rate) + dot(lever(a, X), b.acceleration);
    }
  }
  const double target = programs[0].evaluate(t).acceleration;
  if (kind == Kind::component) return value_at(point, w)[component] - target;
  return coordinate_acceleration(measure, X, V, w, angles) - target;
}

template <int D>
PairRow<D> ServoOutput<D>::gradient(const Configuration<D>& X, double t) const {
  PairRow<D> row;
  if (kind == Kind::coordinate) return end_gradient(measure, value_at(measure, X, 0.0), X);
  if constexpr (D == 3) {
    if (kind == Kind::orientation) {
      add_force<D>(0, lever(axes[component], X), target_axis(programs, (component + 1) % 3, t).value,
                   row.child.data());
      return row;
    }
  }
  VecD<D> unit{};
  unit[component] = 1;
  add_force<D>(point.t, lever(point, X), unit, row.child.data());
  return row;
}

template <int D>
OutputMotion ServoOutput<D>::motion(const Configuration<D>& X, const Configuration<D>& V, double t,
                                    std::span<const double> angles) const {
  const Jet target = programs[0].evaluate(t);
  OutputMotion motion{key, OutputMotion::Kind::length, 0, 0, target.value, target.rate};
  if (kind == Kind::component) {
    motion.value = value_at(point, X)[component];
  } else if (kind == Kind::coordinate) {
    if (measure.angle >= 0) motion.kind = OutputMotion::Kind::angle;
    motion.value = value_at(measure, X, last_of(measure, angles));
  } else if constexpr (D == 3) {
    std::array<Vec3<double>, 3> rows;  // of the turn from the target to the body, in axes of the target
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> b = target_axis(programs, i, t).value;
      for (int j = 0; j < 3; ++j) rows[i][j] = dot(b, lever(axes[j], X));
    }
    const auto& [x, y, z] = rows;
    const Mat3<double> turn{x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z};
    motion.value = log(so3_from_matrix(turn))[(component + 2) % 3];
    motion.target = motion.target_rate = 0;
    motion.kind = OutputMotion::Kind::turn;
  }
  motion.rate = motion.target_rate + rate_error(X, V, t, angles);
  return motion;
}

template <int D>
std::vector<ServoOutput<D>> make_servo_outputs(const Model& model,
                                               const RotationlessMechanism<D>& mechanism) {
  static constexpr const char* kOrientation[3] = {"roll", "pitch", "yaw"};
  const NodeFrames<D>& frames = mechanism.frames;
  std::vector<ServoOutput<D>> all;
  for (const Servo& servo : model.servos()) {
    const auto key = [&](const std::string& name) { return "servos." + servo.name + ".follows." + name; };
    for (const auto& [name, program] : servo.follows) {
      if (is_orientation_output(name)) continue;
      ServoOutput<D> output{};
      output.programs[0] = program;
      output.key = key(name);
      if (servo.joint) {
        output.kind = ServoOutput<D>::Kind::coordinate;
        const auto names = joint_outputs(model.joints()[*servo.joint].type);
        output.measure =
            mechanism.joints
                .coordinates[*servo.joint][std::find(names.begin(), names.end(), name) - names.begin()];
      } else if (is_angle_output(name)) {
        output.kind = ServoOutput<D>::Kind::coordinate;
        output.measure = mechanism.joints.body_angles[frames.node(*servo.body)];
      } else {
        output.kind = ServoOutput<D>::Kind::component;
        output.component = name[0] - 'x';
        output.point =
            servo.point ? frames.point(servo.point->body, servo.point->p_B) : frames.point(*servo.body, {});
      }
      all.push_back(output);
    }
    if (!servo.follows.contains(kOrientation[0])) continue;
    ServoOutput<D> output{};
    output.kind = ServoOutput<D>::Kind::orientation;
    output.axes = {frames.direction(*servo.body, {1, 0, 0}), frames.direction(*servo.body, {0, 1, 0}),
                   frames.direction(*servo.body, {0, 0, 1})};
    for (int i = 0; i < 3; ++i) output.programs[i] = servo.follows.at(kOrientation[i]);
    for (int i = 0; i < 3; ++i) {
      output.component = i;
      output.key = key(kOrientation[(i + 2) % 3]);  // a turn about axis i + 2 is what it sees
      all.push_back(output);
    }
  }
  return all;
}

template struct ServoOutput<2>;
template struct ServoOutput<3>;
template std::vector<ServoOutput<2>> make_servo_outputs(const Model&, const RotationlessMechanism<2>&);
template std::vector<ServoOutput<3>> make_servo_outputs(const Model&, const RotationlessMechanism<3>&);
template double coordinate_acceleration(const Measure<2>&, const Configuration<2>&, const Configuration<2>&,
                                        const Configuration<2>&, std::span<const double>);
template double coordinate_acceleration(const Measure<3>&, const Configuration<3>&, const Configuration<3>&,
                                        const Configuration<3>&, std::span<const double>);

}  // namespace torsor
