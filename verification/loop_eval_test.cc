// Parallel robots at a state: efforts of their motors against runs with servos, whose formulation shares nothing with
// trees, and against statics by hand; and identities between what `torsor eval` says of gallery models with loops.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gallery.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/consistent_state.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/result/json_evaluation.h"
#include "torsor/result/json_state.h"

namespace torsor {
namespace {

SaidState nothing_said(const Model& model) {
  const std::vector<bool> none(model.joints().size());
  return {neutral_state(model), none, none, none, none, none};
}

/// Each actuated joint led by a servo of its own, along a program of its own that begins where the joint starts.
ModelDescription led_by_joints(const std::string& name, double amplitude) {
  ModelDescription d = gallery(name);
  d.servos.clear();
  const Model model(d);
  const std::vector<double> start = neutral_state(model).q;
  for (std::size_t i = 0; i < d.actuators.size(); ++i) {
    const int joint = d.actuators[i].joint;
    Servo servo;
    servo.name = "lead" + std::to_string(i);
    servo.joint = joint;
    const Program from(start[model.coordinate_offset(joint)]);
    const std::string motion =
        std::to_string(amplitude) + "*(1 - cos(" + std::to_string(3 + 0.7 * i) + "*t))";
    servo.follows[d.joints[joint].type == JointType::prismatic ? "displacement" : "angle"] =
        make_expression("from + " + motion, {{"from", from}});
    servo.actuators = {static_cast<int>(i)};
    d.servos.push_back(servo);
  }
  return d;
}

ModelDescription stewart_with_motors() {
  ModelDescription d = gallery("stewart");
  for (int i = 1; i <= 6; ++i) {
    Actuator motor;
    motor.name = "motor" + std::to_string(i);
    motor.joint = Model(d).joint_index("slide" + std::to_string(i));
    d.actuators.push_back(motor);
  }
  return d;
}

/// The state that a run has recorded, of all joints.
SaidState recorded(const Model& model, const Observation& at) {
  SaidState said = nothing_said(model);
  said.values.time = at.time;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int joint = static_cast<int>(j);
    said.q[j] = said.qd[j] = true;
    std::copy(at.joints[j].position.begin(), at.joints[j].position.end(),
              said.values.q.begin() + model.coordinate_offset(joint));
    std::copy(at.joints[j].rate.begin(), at.joints[j].rate.end(),
              said.values.qd.begin() + model.rate_offset(joint));
  }
  return said;
}

/// Largest difference of efforts and of reactions along a run, over the largest.
double against_servos(const ModelDescription& d, double step, double duration) {
  const Model model(d);
  const Record record = run_as(d, "rotationless", "energy-momentum", step, duration);
  double worst = 0;
  for (const Observation& at : record.observations) {
    SaidState said = recorded(model, at);
    for (const Servo& servo : model.servos()) {
      said.values.independent.push_back(*servo.joint);
      said.qdd[*servo.joint] = true;
      said.values.qdd[model.rate_offset(*servo.joint)] =
          servo.follows.begin()->second.evaluate(at.time).acceleration;
    }
    const Evaluation evaluation(model, consistent_state(model, said));
    const ActuatorEfforts found = evaluation.actuator_efforts();
    EXPECT_TRUE(found.internal.empty());
    const double largest = std::max(1.0, max_abs(at.efforts));
    for (std::size_t i = 0; i < found.efforts.size(); ++i) {
      keep_largest(worst, std::abs(found.efforts[i] - at.efforts[i]) / largest);
    }
    const std::vector<Reaction> reactions = evaluation.driven_reactions();
    double force = 1;
    for (const Reaction& r : reactions) keep_largest(force, norm(r.in_K.force));
    for (std::size_t j = 0; j < reactions.size(); ++j) {
      const Wrench<double> apart = reactions[j].in_K - at.joints[j].reaction;
      keep_largest(worst, (norm(apart.force) + norm(apart.moment)) / force);
    }
  }
  return worst;
}

TEST(LoopEval, EffortsAndReactionsAreThoseOfServos) {
  EXPECT_LE(against_servos(led_by_joints("five_bar", 0.1), 0.02, 1), 1e-9);     // measured 2e-15
  EXPECT_LE(against_servos(led_by_joints("delta_robot", 0.1), 0.02, 1), 1e-9);  // measured 3e-15
  ModelDescription stewart = stewart_with_motors();
  const Model model(stewart);
  const std::vector<double> start = neutral_state(model).q;
  for (int i = 0; i < 6; ++i) {
    Servo servo;
    servo.name = "lead" + std::to_string(i);
    servo.joint = stewart.actuators[i].joint;
    servo.follows["displacement"] =
        make_expression("from + 0.03*(1 - cos(" + std::to_string(3 + 0.7 * i) + "*t))",
                        {{"from", Program(start[model.coordinate_offset(*servo.joint)])}});
    servo.actuators = {i};
    stewart.servos.push_back(servo);
  }
  EXPECT_LE(against_servos(stewart, 0.02, 1), 1e-9);  // measured 3e-14
}

/// The other way round, where servos lead a body or a point: under their efforts the outputs have the accelerations of the
/// programs.
double output_error(const std::string& name, double step, double duration) {
  const Model model(gallery(name));
  const Record record = run_as(gallery(name), "rotationless", "energy-momentum", step, duration);
  const Servo& servo = model.servos().front();
  double worst = 0;
  for (const Observation& at : record.observations) {
    SaidState said = recorded(model, at);
    for (std::size_t i = 0; i < at.efforts.size(); ++i)
      said.values.actuators[static_cast<int>(i)] = at.efforts[i];
    JointState state = consistent_state(model, said);
    state.qdd = Evaluation(model, state).forward_dynamics();
    const Evaluation moving(model, state);
    const Point point = servo.point ? *servo.point : Point{"origin", *servo.body, {}};
    const PointMotion motion = moving.motion(point);
    for (const auto& [output, program] : servo.follows) {
      const double found = output == "angle"
                               ? moving.accelerations(Representation::hybrid)[point.body].angular.z
                               : motion.acceleration[output[0] - 'x'];
      const double wanted = program.evaluate(at.time).acceleration;
      keep_largest(worst, std::abs(found - wanted) / std::max(1.0, std::abs(wanted)));
    }
    // And the motion needs these efforts, and no others.
    JointState unaided = state;
    unaided.actuators.clear();
    const ActuatorEfforts needed = Evaluation(model, unaided).actuator_efforts();
    for (std::size_t i = 0; i < needed.efforts.size(); ++i) {
      keep_largest(worst, std::abs(needed.efforts[i] - at.efforts[i]) / std::max(1.0, max_abs(at.efforts)));
    }
  }
  return worst;
}

TEST(LoopEval, ServoEffortsLeadTheOutputs) {
  EXPECT_LE(output_error("rpr_platform", 0.05, 3), 1e-9);   // measured 3e-14
  EXPECT_LE(output_error("five_bar", 0.05, 2), 1e-9);       // measured 2e-14
  EXPECT_LE(output_error("delta_robot", 0.05, 1.5), 1e-9);  // measured 1e-14
}

/// Statics of the five-bar: a force at the tool is borne along the rods; the motors hold the arms.
TEST(LoopEval, FiveBarHoldsAForceAsByHand) {
  ModelDescription d = gallery("five_bar");
  d.gravity = {};
  d.servos.clear();
  Load push;
  push.name = "push";
  push.at = d.points[0];
  push.components = {Program(7.0), Program(-3.0), Program(0.0)};
  d.loads.push_back(push);
  const Model model(d);
  for (const auto& [left, right] : {std::pair{2.1, 1.0}, {1.9, 0.7}, {2.4, 1.3}}) {
    SaidState said = nothing_said(model);
    for (const auto& [name, angle] : {std::pair{"left_shoulder", left}, {"right_shoulder", right}}) {
      const int j = model.joint_index(name);
      said.q[j] = true;
      said.values.q[model.coordinate_offset(j)] = angle;
    }
    const Evaluation evaluation(model, consistent_state(model, said));
    const ActuatorEfforts found = evaluation.actuator_efforts();
    // The tool above the line of the elbows, where circles of 0.35 m about them meet.
    const Eigen::Vector2d e1(-0.15 + 0.25 * std::cos(left), 0.25 * std::sin(left)),
        e2(0.15 + 0.25 * std::cos(right), 0.25 * std::sin(right));
    const Eigen::Vector2d middle = 0.5 * (e1 + e2), apart = e2 - e1;
    const double height = std::sqrt(0.35 * 0.35 - 0.25 * apart.squaredNorm());
    const Eigen::Vector2d tool = middle + height * Eigen::Vector2d(-apart.y(), apart.x()).normalized();
    const PointMotion motion = evaluation.motion(model.points()[0]);
    EXPECT_NEAR(motion.position.x, tool.x(), 1e-13);
    EXPECT_NEAR(motion.position.y, tool.y(), 1e-13);
    Eigen::Matrix2d n;
    n << (tool - e1) / 0.35, (tool - e2) / 0.35;
    const Eigen::Vector2d along =
        n.inverse() * Eigen::Vector2d(7, -3);  // F = sum of f_i n_i pushes the elbows
    const Eigen::Vector2d t1(-std::sin(left), std::cos(left)), t2(-std::sin(right), std::cos(right));
    EXPECT_NEAR(found.efforts[0], -0.25 * along[0] * n.col(0).dot(t1), 1e-12);  // measured 2e-15
    EXPECT_NEAR(found.efforts[1], -0.25 * along[1] * n.col(1).dot(t2), 1e-12);
  }
}

/// Statics of the Stewart platform with legs that weigh next to nothing: six forces along the legs bear the weight.
TEST(LoopEval, StewartLegsBearTheWeightAsByHand) {
  ModelDescription d = stewart_with_motors();
  d.joint_springs.clear();
  for (Body& body : d.bodies) {
    if (body.name == "platform") continue;
    body.shapes.clear();
    body.mass = 1e-12;
    body.com = {};
    body.inertia = {1e-12, 1e-12, 1e-12, 0, 0, 0};
  }
  const Model model(d);
  SaidState said = nothing_said(model);
  for (int i = 1; i <= 6; ++i) {
    const int j = model.joint_index("slide" + std::to_string(i));
    said.q[j] = true;
    said.values.q[model.coordinate_offset(j)] += 0.02 * std::sin(2.0 * i);
  }
  const Evaluation evaluation(model, consistent_state(model, said));
  const ActuatorEfforts found = evaluation.actuator_efforts();
  Eigen::Matrix<double, 6, 6> A;
  const int platform = model.body_index("platform");
  const Pose<double> X = evaluation.poses()[platform];
  const Vec3<double> com = act(X, model.bodies()[platform].com);
  for (int i = 1; i <= 6; ++i) {
    const Joint& foot = model.joints()[model.joint_index("cardan" + std::to_string(i))];
    const Joint& ball = model.joints()[model.joint_index("ball" + std::to_string(i))];
    const Vec3<double> top = act(X, ball.in_child.position), way = top - foot.in_parent.position;
    const Vec3<double> n = (1 / norm(way)) * way, moment = cross(top - com, n);
    A.col(i - 1) << n.x, n.y, n.z, moment.x, moment.y, moment.z;
  }
  Eigen::Matrix<double, 6, 1> weight = Eigen::Matrix<double, 6, 1>::Zero();
  weight[2] = 9.81 * model.bodies()[platform].mass;
  const Eigen::Matrix<double, 6, 1> legs = A.lu().solve(weight);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(found.efforts[i], legs[i], 1e-9 * legs.norm()) << i;  // measured 3e-13
}

/// Two motors too many on the four-bar share the effort, and can work against each other.
TEST(LoopEval, RedundantMotorsShareTheLeastEffort) {
  ModelDescription d = gallery("four_bar");
  for (const char* joint : {"drive", "crank_pin", "pivot"}) {
    Actuator motor;
    motor.name = std::string("at_") + joint;
    motor.joint = Model(d).joint_index(joint);
    d.actuators.push_back(motor);
  }
  const Model model(d);
  JointState state = neutral_state(model);
  const Evaluation evaluation(model, state);
  const ActuatorEfforts found = evaluation.actuator_efforts();
  ASSERT_EQ(found.internal.size(), 2u);
  EXPECT_LE(max_abs(found.missing), 1e-13);
  for (const std::vector<double>& inner : found.internal) {
    double along = 0;
    for (std::size_t i = 0; i < inner.size(); ++i) along += inner[i] * found.efforts[i];
    EXPECT_NEAR(along, 0, 1e-13);  // the least has no part in what moves nothing
    for (std::size_t i = 0; i < inner.size(); ++i) state.actuators[static_cast<int>(i)] = 5 * inner[i];
    const std::vector<double> with = Evaluation(model, state).forward_dynamics();
    const std::vector<double> without = evaluation.forward_dynamics();
    for (std::size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(with[i], without[i], 1e-11);
  }
}

/// Newton and Euler of every body, from accelerations and the reactions at all its joints.
double newton_euler_error(const std::string& name) {
  const Model model(gallery(name));
  JointState state = neutral_state(model);
  const Record start = run_as(gallery(name), "rotationless", "energy-momentum", 1e-3, 0.05, 50);
  state = consistent_state(model, recorded(model, start.observations.back()));
  state.qdd = Evaluation(model, state).forward_dynamics();
  const Evaluation at(model, state);
  const std::vector<Reaction> reactions = at.reactions();
  const auto V = at.twists(Representation::hybrid), A = at.accelerations(Representation::hybrid);
  double worst = 0, largest = 1;
  for (std::size_t b = 0; b < model.bodies().size(); ++b) {
    const Body& body = model.bodies()[b];
    const Mat3<double>& R = at.poses()[b].R;
    const Vec3<double> com = act(at.poses()[b], body.com), arm = R * body.com, omega = V[b].angular;
    const Vec3<double> a = A[b].linear + cross(A[b].angular, arm) + cross(omega, cross(omega, arm));
    Vec3<double> force = body.mass * (a - model.gravity());
    const Vec3<double> spin = transpose_times(R, omega), turn = transpose_times(R, A[b].angular);
    Vec3<double> moment = R * (body.inertia * turn + cross(spin, body.inertia * spin));
    for (std::size_t j = 0; j < reactions.size(); ++j) {
      const Joint& joint = model.joints()[j];
      const double sign = joint.child == static_cast<int>(b)    ? 1
                          : joint.parent == static_cast<int>(b) ? -1
                                                                : 0;
      if (sign == 0) continue;
      const Vec3<double> place = act(at.poses()[joint.child], joint.in_child.position);
      force -= sign * reactions[j].in_world.force;
      moment -= sign * (reactions[j].in_world.moment + cross(place - com, reactions[j].in_world.force));
      keep_largest(largest, norm(reactions[j].in_world.force));
    }
    if (model.dimension() == 2) moment = {0, 0, moment.z};
    keep_largest(worst, norm(force) + norm(moment));
  }
  return worst / largest;
}

TEST(LoopEval, NewtonAndEulerOfEveryBodyClose) {
  for (const char* name :
       {"four_bar", "slider_crank", "stewart", "bricard", "spatial_four_bar", "double_four_bar"}) {
    EXPECT_LE(newton_euler_error(name), 1e-10) << name;
  }
}

TEST(LoopEval, JointsThatAreNotNamedFollowOnTheSameBranch) {
  const Model model = load_model(std::string(TORSOR_MODELS) + "/four_bar.yaml");
  const std::vector<std::string> asked{"joints", "independent", "jacobians", "twists"};
  const auto json = nlohmann::json::parse(evaluation_json(
      model, parse_joint_state(model, R"({"q": {"drive": 2.5}, "qd": {"drive": 3}})", "state"), asked));
  EXPECT_EQ(json["independent"][0], "drive");
  EXPECT_EQ(json["joints"]["drive"]["q"][0].get<double>(), 2.5);
  for (const auto& [body, twist] : json["twists"]["body"].items()) {
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(twist[i].get<double>(), 3 * json["jacobians"]["body"][body][i][0].get<double>(), 1e-13);
    }
  }
  const auto refused = [&](const char* state) {
    EXPECT_THROW(parse_joint_state(model, state, "state"), ModelError) << state;
  };
  refused(R"({"qd": {"drive": 3, "pivot": 100}})");
  refused(R"({"independent": ["drive", "pivot"]})");
  refused(R"({"independent": ["motor"]})");
  refused(R"({"actuators": {"none": 1}})");
}

}  // namespace
}  // namespace torsor
