// Identities between the numbers of `torsor eval`, each by two independent routes, on every gallery model
// that is a tree, at random states.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "program.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/model/initial.h"

namespace torsor {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<double>;

Json random_coordinates(const Joint& joint, int dimension, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Numbers values(coordinate_count(joint.type, dimension));
  for (double& value : values) value = number(random);
  const bool turns = joint.type == JointType::spherical || (joint.type == JointType::free && dimension == 3);
  if (turns) {
    const double length = std::sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2] +
                                    values[3] * values[3]);
    for (int i = 0; i < 4; ++i) values[i] /= length;
  }
  return values;
}

Json random_state(const Model& model, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Json state{{"q", Json::object()}, {"qd", Json::object()}, {"qdd", Json::object()}};
  for (const Joint& joint : model.joints()) {
    const int count = rate_count(joint.type, model.dimension());
    if (count == 0) continue;
    state["q"][joint.name] = random_coordinates(joint, model.dimension(), random);
    for (const char* part : {"qd", "qdd"}) {
      Numbers values(count);
      for (double& value : values) value = number(random);
      state[part][joint.name] = values;
    }
  }
  return state;
}

/// A vector in rate order as the map of a state.
Json by_joint(const Model& model, const Json& values) {
  Json map = Json::object();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int count = rate_count(model.joints()[j].type, model.dimension());
    Numbers part;
    for (int i = 0; i < count; ++i) part.push_back(values[model.rate_offset(static_cast<int>(j)) + i]);
    if (count > 0) map[model.joints()[j].name] = part;
  }
  return map;
}

Numbers in_rate_order(const Model& model, const Json& map) {
  Numbers values;
  for (const Joint& joint : model.joints()) {
    if (!map.contains(joint.name)) continue;
    for (double value : map[joint.name]) values.push_back(value);
  }
  return values;
}

Json evaluate(const std::string& name, const Json& state) {
  const Outcome outcome = run_program({"eval", name, "--state", "-"}, state.dump());
  EXPECT_EQ(outcome.status, 0) << name << outcome.err;
  return outcome.json();
}

/// Calls check(model name, model, state, result) for two random states of every tree of the gallery, but for
/// those with so many rates that everything about them fills files (Christoffel's symbols are their cube), and those whose
/// couplings a random state breaks.
template <class Check>
void for_every_tree(Check check) {
  std::mt19937 random(7);
  int trees = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_MODELS)) {
    if (entry.path().extension() != ".yaml") continue;
    const Model model = load_model(entry.path().string());
    if (has_conditions(model) || model.rate_count() > 40) continue;
    ++trees;
    for (int i = 0; i < 2; ++i) {
      const Json state = random_state(model, random);
      const std::string name = entry.path().stem().string();
      check(name, model, state, evaluate(name, state));
    }
  }
  EXPECT_GE(trees, 10);
}

double dot(const Json& row, const Numbers& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += row[i].get<double>() * x[i];
  return sum;
}

double size_of(const Numbers& x) {
  double largest = 1;
  for (double value : x) largest = larger(largest, std::abs(value));
  return largest;
}

TEST(Eval, ForwardDynamicsInvertsInverseDynamics) {
  for_every_tree([](const std::string& name, const Model& model, const Json& state, const Json& result) {
    if (!result.contains("inverse_dynamics")) return;  // servos and controllers
    Json driven = state;
    driven["effort"] = by_joint(model, result["inverse_dynamics"]);
    const Numbers qdd = evaluate(name, driven)["forward_dynamics"],
                  wanted = in_rate_order(model, state["qdd"]);
    ASSERT_EQ(qdd.size(), wanted.size()) << name;
    const double scale = size_of(result["inverse_dynamics"].get<Numbers>());
    for (std::size_t i = 0; i < qdd.size(); ++i)
      EXPECT_NEAR(qdd[i], wanted[i], 3e-10 * scale) << name;  // measured 4e-11 (a finger of grams)
  });
}

TEST(Eval, KineticEnergyIsThatOfTheMassMatrix) {
  for_every_tree([](const std::string& name, const Model& model, const Json& state, const Json& result) {
    const Numbers qd = in_rate_order(model, state["qd"]);
    double twice = 0;
    for (std::size_t i = 0; i < qd.size(); ++i) twice += qd[i] * dot(result["mass_matrix"][i], qd);
    const double kinetic = result["energy"]["kinetic"];
    EXPECT_NEAR(twice / 2, kinetic, 1e-13 * larger(1.0, kinetic)) << name;
  });
}

TEST(Eval, JacobiansGiveTheTwistsInEveryRepresentation) {
  for_every_tree([](const std::string& name, const Model& model, const Json& state, const Json& result) {
    const Numbers qd = in_rate_order(model, state["qd"]);
    for (const char* representation : {"body", "spatial", "hybrid", "mixed"}) {
      for (const Body& body : model.bodies()) {
        const Json& J = result["jacobians"][representation][body.name];
        const Numbers V = result["twists"][representation][body.name];
        ASSERT_EQ(J.size(), 6u);
        for (int i = 0; i < 6; ++i) EXPECT_NEAR(dot(J[i], qd), V[i], 1e-13 * size_of(V)) << name;
      }
    }
  });
}

TEST(Eval, PosesAgreeWithTheSlowRouteThroughTheJoints) {
  for_every_tree([](const std::string& name, const Model& model, const Json& state, const Json& result) {
    const auto poses = body_poses(model, in_rate_order(model, state["q"]));
    for (std::size_t b = 0; b < poses.size(); ++b) {
      const Json& pose = result["poses"][model.bodies()[b].name];
      const Numbers p = pose["position"], q = pose["quaternion"];
      const SO3<double>& r = poses[b].rotation;
      EXPECT_NEAR(std::abs(q[0] * r.w + q[1] * r.x + q[2] * r.y + q[3] * r.z), 1, 1e-13) << name;
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(p[i], poses[b].position[i], 1e-13) << name;
    }
  });
}

TEST(Eval, MomentumIsMassTimesVelocityOfTheCentreAndMovesIt) {
  for_every_tree([](const std::string& name, const Model& model, const Json&, const Json& result) {
    Vec3<double> sum;
    for (const Body& body : model.bodies()) {
      const Numbers V = result["twists"]["hybrid"][body.name], q = result["poses"][body.name]["quaternion"];
      const Vec3<double> arm = act(SO3<double>{q[0], q[1], q[2], q[3]}, body.com);
      sum += body.mass * (Vec3<double>{V[3], V[4], V[5]} + cross(Vec3<double>{V[0], V[1], V[2]}, arm));
    }
    const Numbers linear = result["momentum"]["linear"];
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(linear[i], sum[i], 1e-12 * size_of(linear)) << name;
  });
}

TEST(Eval, AHangingPendulumByHand) {
  // J + m c^2 about the joint, gravity moment -m g c sin.
  const ScratchFolder scratch;
  const std::string file = scratch.file("p.yaml",
                                        "torsor: 1\ndimension: 2\ngravity: [0, -10]\nbodies:\n"
                                        "  rod: {mass: 2, com: [0, -0.5], inertia: 0.25}\njoints:\n"
                                        "  hinge: {type: revolute, parent: world, child: rod}\n");
  const Json result = Json::parse(
      run_program({"eval", file, "--state", "-"}, R"({"q": {"hinge": 0.3}, "qd": {"hinge": 2}})").out);
  EXPECT_NEAR(result["mass_matrix"][0][0].get<double>(), 0.75, 1e-15);
  EXPECT_NEAR(result["gravity_forces"][0].get<double>(), 10 * std::sin(0.3), 1e-14);
  EXPECT_NEAR(result["forward_dynamics"][0].get<double>(), -10 * std::sin(0.3) / 0.75, 1e-13);
  EXPECT_NEAR(result["energy"]["kinetic"].get<double>(), 1.5, 1e-14);
  EXPECT_NEAR(result["energy"]["gravity"].get<double>(), -10 * std::cos(0.3), 1e-14);
  EXPECT_EQ(result["twists"]["body"]["rod"], Json({0, 0, 2, 0, 0, 0}));
}

TEST(Eval, BadStatesAreRefusedWithTheKey) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"({"q": {"shoudler": 1}})", "did you mean 'shoulder'?"},
      {R"({"qq": {}})", "did you mean 'q'?"},
      {R"({"q": {"shoulder": "left"}})", "q.shoulder: expected a number"},
      {R"({"q": {"shoulder": [1, 2]}})", "q.shoulder: expected a number"},
      {R"({"q": [1]})", "q: expected a map from joints to values"},
      {R"([1])", "expected a map"},
      {R"({"q": {"shoulder": 1e999}})", "expected"},
      {R"({"q": )", "expected JSON"},
      {"", "expected JSON"},
  };
  for (const auto& [state, part] : cases) {
    const Outcome outcome = run_program({"eval", "tendon_arm", "--state", "-"}, state);
    EXPECT_EQ(outcome.status, 2) << state;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << state << "\n" << outcome.err;
  }
}

TEST(Eval, QuaternionsMustHaveUnitLengthAndPosesMayBeWrittenInParts) {
  const ScratchFolder scratch;
  const std::string file = scratch.file("f.yaml",
                                        "torsor: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\njoints:\n"
                                        "  base: {type: free, parent: world, child: b}\n");
  const auto evaluate_pose = [&](const std::string& value) {
    return run_program({"eval", file, "--quantity", "poses", "--state", "-"},
                       R"({"q": {"base": )" + value + "}}");
  };
  const Outcome flat = evaluate_pose("[0.6, 0.8, 0, 0, 1, 2, 3]");
  ASSERT_EQ(flat.status, 0) << flat.err;
  EXPECT_EQ(flat.out, evaluate_pose(R"({"position": [1, 2, 3], "quaternion": [0.6, 0.8, 0, 0]})").out);
  EXPECT_EQ(flat.out,
            evaluate_pose(R"({"position": [1, 2, 3], "rotation": {"quaternion": [0.6, 0.8, 0, 0]}})").out);
  EXPECT_EQ(flat.json()["poses"]["b"]["position"], Json({1, 2, 3}));
  const Outcome long_one = evaluate_pose("[1, 1, 0, 0, 1, 2, 3]");
  EXPECT_EQ(long_one.status, 2);
  EXPECT_NE(long_one.err.find("length 1.41421"), std::string::npos) << long_one.err;
}

TEST(Eval, VelocityTermsAreThoseOfTheCoriolisMatrixAndOfChristoffel) {
  int checked = 0;
  for_every_tree([&](const std::string& name, const Model& model, const Json& state, const Json& result) {
    bool acts = false;
    for_each_kind(model.elements(),
                  [&](const char*, const auto& elements) { acts = acts || !elements.empty(); });
    if (acts) return;
    const Numbers qd = in_rate_order(model, state["qd"]), qdd = in_rate_order(model, state["qdd"]);
    const Numbers Q = result["inverse_dynamics"], g = result["gravity_forces"];
    for (std::size_t i = 0; i < qd.size(); ++i) {
      const double velocity_terms = dot(result["coriolis_matrix"][i], qd);
      EXPECT_NEAR(dot(result["mass_matrix"][i], qdd) + velocity_terms + g[i], Q[i], 1e-12 * size_of(Q))
          << name;
      double by_symbols = 0;
      for (std::size_t j = 0; j < qd.size(); ++j) by_symbols += dot(result["christoffel"][i][j], qd) * qd[j];
      EXPECT_NEAR(by_symbols, velocity_terms, 1e-12 * size_of(Q)) << name;
    }
    ++checked;
  });
  EXPECT_GE(checked, 6);
}

/// M qdd(q, effort) + c + g - f = effort, differentiated by q and by qd.
TEST(Eval, DerivativesOfForwardAndInverseDynamicsBelongTogether) {
  for_every_tree([](const std::string& name, const Model& model, const Json& state, const Json& result) {
    if (!result.contains("inverse_dynamics")) return;  // servos and controllers
    Json driven = state;
    driven["effort"] = by_joint(model, result["inverse_dynamics"]);
    const Json at = evaluate(name, driven);
    const std::size_t n = at["mass_matrix"].size();
    for (const char* by : {"_dq", "_dqd"}) {
      const Json forward = at[std::string("forward_dynamics") + by],
                 inverse = at[std::string("inverse_dynamics") + by];
      double scale = 1;
      for (const auto& row : inverse) scale = larger(scale, size_of(row.get<Numbers>()));
      for (std::size_t j = 0; j < n; ++j) {
        Numbers column(n);
        for (std::size_t i = 0; i < n; ++i) column[i] = forward[i][j];
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_NEAR(dot(at["mass_matrix"][i], column), -inverse[i][j].get<double>(), 1e-10 * scale)
              << name << by;
        }
      }
    }
  });
}

/// The one check by differences: that derivatives, elements included, are those of what eval itself prints.
TEST(Eval, DerivativesByRatesAreThoseOfTheEfforts) {
  for (const std::string name : {"tendon_arm", "joint_springs"}) {
    const Model model = load_model(std::string(TORSOR_MODELS) + "/" + name + ".yaml");
    std::mt19937 random(3);
    const Json state = random_state(model, random);
    const Json at = evaluate(name, state);
    const Numbers qd = in_rate_order(model, state["qd"]);
    constexpr double kStep = 1e-5;
    for (std::size_t j = 0; j < qd.size(); ++j) {
      const auto efforts = [&](double shift) {
        Numbers moved = qd;
        moved[j] += shift;
        Json other = state;
        other["qd"] = by_joint(model, moved);
        return evaluate(name, other)["inverse_dynamics"].get<Numbers>();
      };
      const Numbers up = efforts(kStep), down = efforts(-kStep);
      for (std::size_t i = 0; i < qd.size(); ++i) {
        EXPECT_NEAR((up[i] - down[i]) / (2 * kStep), at["inverse_dynamics_dqd"][i][j].get<double>(),
                    1e-6 * size_of(up));
      }
    }
  }
}

/// Twists are the spatial ones seen from the body, and so are their derivatives: at rest all four agree in
/// length.
TEST(Eval, AccelerationsAtRestAreOneScrew) {
  for_every_tree([](const std::string& name, const Model&, const Json& state, const Json&) {
    Json resting = state;
    resting.erase("qd");
    const Json at = evaluate(name, resting)["accelerations"];
    for (const auto& [body, hybrid] : at["hybrid"].items()) {
      const auto length = [&](const Json& screw, int first) {
        return std::hypot(screw[first].get<double>(), screw[first + 1].get<double>(),
                          screw[first + 2].get<double>());
      };
      const Json other = at["body"][body];
      EXPECT_NEAR(length(hybrid, 0), length(other, 0), 1e-12 * (1 + length(hybrid, 0))) << name << body;
      EXPECT_NEAR(length(hybrid, 3), length(other, 3), 1e-12 * (1 + length(hybrid, 3))) << name << body;
    }
  });
}

}  // namespace
}  // namespace torsor
