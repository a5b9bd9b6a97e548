// What is recorded of accelerations, points and reactions fits together: the equations of every body close, and
// derivatives are those of what is recorded beside them.

#include <gtest/gtest.h>

#include <cmath>

#include "gallery.h"
#include "torsor/base/norm.h"

namespace torsor {
namespace {

struct Case {
  const char *model, *formulation, *integrator;
};

/// Sums of wrenches on bodies about their centres of mass, world axes.
struct Loading {
  std::vector<Wrench<double>> on;
  double scale = 1e-300;

  void add(const Observation& o, int body, const Vec3<double>& at, const Vec3<double>& force,
           const Vec3<double>& moment = {}) {
    if (body == kWorld) return;
    const Vec3<double> about = moment + cross(at - o.bodies[body].com, force);
    on[body] += Wrench<double>{about, force};
    scale = std::max({scale, norm(force), norm(about)});
  }
};

Vec3<double> origin(const Observation& o, const Model& model, int body, const SE3<double>& frame) {
  if (body == kWorld) return frame.position;
  return o.bodies[body].com + act(o.bodies[body].rotation, frame.position - model.bodies()[body].com);
}

/// m a = sum of forces, I alpha + omega x I omega = sum of moments: joints on both sides, weight, tendons. The largest
/// miss over the largest load.
double newton_euler_miss(const Observation& o, const Model& model) {
  Loading load;
  load.on.resize(model.bodies().size());
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const Joint& joint = model.joints()[j];
    const JointObservation& seen = o.joints[j];
    load.add(o, joint.child, origin(o, model, joint.child, joint.in_child), seen.reaction_world.force,
             seen.reaction_world.moment);
    const SO3<double> R_J = joint.parent == kWorld
                                ? joint.in_parent.rotation
                                : o.bodies[joint.parent].rotation * joint.in_parent.rotation;
    load.add(o, joint.parent, origin(o, model, joint.parent, joint.in_parent),
             act(R_J, seen.reaction_parent.force), act(R_J, seen.reaction_parent.moment));
  }
  for (std::size_t t = 0; t < model.tendons().size(); ++t) {
    const std::vector<Point>& path = model.tendons()[t].path;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Vec3<double> a = origin(o, model, path[i].body, {{}, path[i].p_B}),
                         b = origin(o, model, path[i + 1].body, {{}, path[i + 1].p_B});
      const Vec3<double> pull = (o.tendons[t].tension / norm(b - a)) * (b - a);
      load.add(o, path[i].body, a, pull);
      load.add(o, path[i + 1].body, b, -pull);
    }
  }
  double miss = 0;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Body& body = model.bodies()[b];
    const BodyObservation& seen = o.bodies[b];
    load.add(o, static_cast<int>(b), seen.com, body.mass * model.gravity());
    const Mat3<double> R = matrix(seen.rotation);
    const Vec3<double> omega = transpose_times(R, seen.angular_velocity),
                       alpha = transpose_times(R, seen.angular_acceleration);
    const Vec3<double> moment = R * (body.inertia * alpha + cross(omega, body.inertia * omega));
    Vec3<double> turning = load.on[b].moment - moment;
    if (model.dimension() == 2) turning = {0, 0, turning.z};
    keep_largest(miss, norm(load.on[b].force - body.mass * seen.acceleration));
    keep_largest(miss, norm(turning));
  }
  return miss / load.scale;
}

TEST(RecordChannels, NewtonEulerOfEveryBodyCloses) {
  const Case cases[] = {{"four_bar", "rotationless", "energy-momentum"},
                        {"stewart", "rotationless", "energy-momentum"},
                        {"bricard", "rotationless", "energy-momentum"},
                        {"spatial_four_bar", "rotationless", "generalized-alpha"},
                        {"slider_crank", "rotationless", "petrov-galerkin"},
                        {"tendon_arm_3d", "rotationless", "energy-momentum"},
                        {"tendon_arm_3d", "joint", "rkmk4"},
                        {"seven_dof_arm", "joint", "rkmk4"},
                        {"seven_dof_arm", "rotationless", "energy-momentum"},
                        {"tendon_arm", "joint", "rkmk4"},
                        {"tendon_arm", "rotationless", "energy-momentum"},
                        {"tendon_arm", "cartesian", "energy-momentum"},
                        {"cart_pole", "joint", "rkmk4"},
                        {"cart_pole", "rotationless", "energy-momentum"}};
  for (const auto& [name, formulation, integrator] : cases) {
    SCOPED_TRACE(std::string(name) + ", " + formulation);
    const Model model(gallery(name));
    const Record record = run_as(gallery(name), formulation, integrator, 0.002, 0.5, 25);
    double miss = 0;
    for (const Observation& o : record.observations) keep_largest(miss, newton_euler_miss(o, model));
    EXPECT_LE(miss, 1e-10);  // measured 1.5e-15
  }
}

/// (f(t + h) - f(t - h)) / 2h is the derivative but for O(h^2): by half the step the difference shrinks to a quarter.
struct Slopes {
  double point = 0, body = 0, spin = 0, joint = 0;
};

Slopes slope_errors(const char* model, const char* formulation, const char* integrator, double h) {
  const Record record = run_as(gallery(model), formulation, integrator, h, 0.4);
  Slopes worst;
  const auto slope = [&](const Vec3<double>& before, const Vec3<double>& after) {
    return (0.5 / h) * (after - before);
  };
  const std::vector<Observation>& all = record.observations;
  for (std::size_t i = 1; i + 1 < all.size(); ++i) {
    const Observation &a = all[i - 1], &o = all[i], &b = all[i + 1];
    for (std::size_t k = 0; k < o.points.size(); ++k) {
      keep_largest(worst.point,
                   norm(slope(a.points[k].velocity, b.points[k].velocity) - o.points[k].acceleration));
      keep_largest(worst.point,
                   norm(slope(a.points[k].position, b.points[k].position) - o.points[k].velocity));
    }
    for (std::size_t k = 0; k < o.bodies.size(); ++k) {
      keep_largest(worst.body,
                   norm(slope(a.bodies[k].velocity, b.bodies[k].velocity) - o.bodies[k].acceleration));
      keep_largest(worst.spin, norm(slope(a.bodies[k].angular_velocity, b.bodies[k].angular_velocity) -
                                    o.bodies[k].angular_acceleration));
    }
    for (std::size_t k = 0; k < o.joints.size(); ++k) {
      for (std::size_t r = 0; r < o.joints[k].rate.size(); ++r) {
        keep_largest(worst.joint, std::abs((b.joints[k].rate[r] - a.joints[k].rate[r]) / (2 * h) -
                                           o.joints[k].acceleration[r]));
      }
    }
  }
  return worst;
}

TEST(RecordChannels, AccelerationsAreSlopesOfVelocities) {
  const Case cases[] = {{"tendon_arm", "rotationless", "energy-momentum"},
                        {"tendon_arm", "joint", "rkmk4"},
                        {"tendon_arm", "cartesian", "energy-momentum"},
                        {"bricard", "rotationless", "energy-momentum"},
                        {"all_joints", "joint", "rkmk4"},
                        {"all_joints", "rotationless", "energy-momentum"},
                        {"slider_crank", "rotationless", "energy-momentum"}};
  for (const auto& [name, formulation, integrator] : cases) {
    SCOPED_TRACE(std::string(name) + ", " + formulation);
    const Slopes coarse = slope_errors(name, formulation, integrator, 0.002),
                 fine = slope_errors(name, formulation, integrator, 0.001);
    for (const double Slopes::*part : {&Slopes::point, &Slopes::body, &Slopes::spin, &Slopes::joint}) {
      if (coarse.*part < 1e-9) continue;  // nothing of the kind, or nothing turns
      EXPECT_NEAR(std::log2(coarse.*part / fine.*part), 2, 0.2) << coarse.*part;
    }
  }
}

/// The same mechanism in the two formulations has the same accelerations and reactions at the same state.
TEST(RecordChannels, FormulationsAgreeAtTheStart) {
  for (const char* name : {"all_joints", "tendon_arm_3d", "seven_dof_arm", "cart_pole", "tree_robot"}) {
    SCOPED_TRACE(name);
    const Record a = run_as(gallery(name), "joint", "rkmk4", 0.01, 0),
                 b = run_as(gallery(name), "rotationless", "energy-momentum", 0.01, 0);
    ASSERT_EQ(a.observations.size(), 1u);
    const Observation &x = a.observations[0], &y = b.observations[0];
    double scale = 1e-300, apart = 0, loads = 1e-300, loads_apart = 0;
    for (std::size_t i = 0; i < x.joints.size(); ++i) {
      for (std::size_t r = 0; r < x.joints[i].acceleration.size(); ++r) {
        keep_largest(scale, std::abs(x.joints[i].acceleration[r]));
        keep_largest(apart, std::abs(x.joints[i].acceleration[r] - y.joints[i].acceleration[r]));
      }
      for (const Wrench<double> JointObservation::*side :
           {&JointObservation::reaction, &JointObservation::reaction_world,
            &JointObservation::reaction_parent}) {
        const Wrench<double>&here = x.joints[i].*side, &there = y.joints[i].*side;
        keep_largest(loads, norm(here.force) + norm(here.moment));
        keep_largest(loads_apart, norm(here.force - there.force) + norm(here.moment - there.moment));
      }
    }
    for (std::size_t i = 0; i < x.points.size(); ++i) {
      keep_largest(scale, norm(x.points[i].acceleration));
      keep_largest(apart, norm(x.points[i].acceleration - y.points[i].acceleration));
    }
    EXPECT_LE(apart / scale, 1e-11);        // measured 8e-15
    EXPECT_LE(loads_apart / loads, 1e-11);  // measured 5e-14
  }
}

}  // namespace
}  // namespace torsor
