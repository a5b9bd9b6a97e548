#include "torsor/result/json_evaluation.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/base/catalogue.h"
#include "torsor/evaluation/dense_room.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/lie/se3.h"
#include "torsor/result/json_parts.h"

namespace torsor {
namespace {

struct Context {
  const Model& model;
  const Evaluation& at;

  const std::string& body(std::size_t b) const { return model.bodies()[b].name; }
};

Json poses(const Context& context) {
  Json json = Json::object();
  for (std::size_t b = 0; b < context.model.bodies().size(); ++b) {
    const SE3<double> X = se3(context.at.poses()[b]);
    json[context.body(b)] = {{"position", json_of(X.position)}, {"quaternion", json_of(X.rotation)}};
  }
  return json;
}

/// One of Evaluation's functions from a representation to a twist for each body.
template <std::vector<Twist<double>> (Evaluation::*motion)(Representation) const>
Json by_representation(const Context& context) {
  Json json = Json::object();
  for (Representation representation : kRepresentations) {
    const auto all = (context.at.*motion)(representation);
    Json& by_body = json[name_of(representation)] = Json::object();
    for (std::size_t b = 0; b < all.size(); ++b) by_body[context.body(b)] = json_of(all[b]);
  }
  return json;
}

Json jacobian_rows(const std::vector<Twist<double>>& columns) {
  Json rows = Json::array();
  for (int part = 0; part < 2; ++part) {
    for (int axis = 0; axis < 3; ++axis) {
      Json row = Json::array();
      for (const Twist<double>& column : columns)
        row.push_back(part ? column.linear[axis] : column.angular[axis]);
      rows.push_back(row);
    }
  }
  return rows;
}

Json jacobians(const Context& context) {
  require_dense_room("Jacobians of all bodies", 24.0 * double(context.model.bodies().size()),
                     double(context.at.independent().size()));
  Json json = Json::object();
  for (Representation representation : kRepresentations) {
    Json& by_body = json[name_of(representation)] = Json::object();
    for (std::size_t b = 0; b < context.model.bodies().size(); ++b) {
      by_body[context.body(b)] = jacobian_rows(context.at.jacobian(representation, static_cast<int>(b)));
    }
  }
  return json;
}

Json matrix_rows(const Context& context, std::span<const double> matrix) {
  const std::size_t n = context.at.independent().size();
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = matrix.subspan(i * n, n);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

Json point_jacobians(const Context& context) {
  require_dense_room("Jacobians of all points", 3.0 * double(context.model.points().size()),
                     double(context.at.independent().size()));
  Json json = Json::object();
  for (const Point& point : context.model.points()) {
    const std::vector<Vec3<double>> columns = context.at.jacobian(point);
    Json& rows = json[point.name] = Json::array();
    for (int i = 0; i < 3; ++i) {
      Json row = Json::array();
      for (const Vec3<double>& column : columns) row.push_back(column[i]);
      rows.push_back(row);
    }
  }
  return json;
}

Json points(const Context& context) {
  Json json = Json::object();
  for (const Point& point : context.model.points()) {
    const PointMotion motion = context.at.motion(point);
    json[point.name] = {{"position", json_of(motion.position)},
                        {"velocity", json_of(motion.velocity)},
                        {"acceleration", json_of(motion.acceleration)}};
  }
  return json;
}

Json independent(const Context& context) {
  Json names = Json::array();
  for (const int rate : context.at.independent()) names.push_back(rate_name(context.model, rate));
  return names;
}

Json coordinates(const Context& context) {
  Json json = Json::object();
  const JointState& state = context.at.state();
  for (std::size_t j = 0; j < context.model.joints().size(); ++j) {
    const int joint = static_cast<int>(j), q = context.model.coordinate_offset(joint),
              v = context.model.rate_offset(joint);
    const auto part = [](const std::vector<double>& all, int first, int last) {
      return std::vector<double>(all.begin() + first, all.begin() + last);
    };
    const int q_end = context.model.coordinate_offset(joint + 1),
              v_end = context.model.rate_offset(joint + 1);
    json[context.model.joints()[j].name] = {
        {"q", part(state.q, q, q_end)}, {"qd", part(state.qd, v, v_end)}, {"qdd", part(state.qdd, v, v_end)}};
  }
  return json;
}

Json actuator_efforts(const Context& context) {
  const ActuatorEfforts found = context.at.actuator_efforts();
  Json by_name = Json::object();
  for (std::size_t i = 0; i < found.efforts.size(); ++i) {
    by_name[context.model.actuators()[i].name] = found.efforts[i];
  }
  return {{"efforts", by_name},
          {"needed", found.needed},
          {"missing", found.missing},
          {"internal", found.internal}};
}

template <std::vector<Reaction> (Evaluation::*found)() const>
Json reactions(const Context& context) {
  const std::vector<Reaction> all = (context.at.*found)();
  const auto shown = [](const Wrench<double>& F) {
    return Json{{"moment", json_of(F.moment)}, {"force", json_of(F.force)}};
  };
  Json json = Json::object();
  for (std::size_t j = 0; j < all.size(); ++j) {
    json[context.model.joints()[j].name] = {{"child", shown(all[j].in_K)}, {"world", shown(all[j].in_world)}};
  }
  return json;
}

Json christoffel(const Context& context) {
  const std::vector<double> symbols = context.at.christoffel();
  const std::size_t n = context.at.independent().size();
  Json blocks = Json::array();
  for (std::size_t i = 0; i < n; ++i) {
    blocks.push_back(matrix_rows(context, std::span(symbols).subspan(i * n * n, n * n)));
  }
  return blocks;
}

Json energy(const Context& context) {
  const Energies e = context.at.energies();
  return {{"kinetic", e.kinetic}, {"gravity", e.gravity}, {"elastic", e.elastic}, {"total", e.total()}};
}

Json momentum(const Context& context) {
  const Momentum m = context.at.momentum();
  return {{"linear", json_of(m.linear)}, {"angular", json_of(m.angular)}, {"com", json_of(m.com)}};
}

Json stiffness_ellipses(const Context& context) {
  Json json = Json::object();
  for (const Point& point : context.model.points()) {
    if (point.body == kWorld) continue;
    Json& ellipse = json[point.name] = nullptr;
    const auto found = context.at.point_stiffness(point);
    if (!found) continue;
    ellipse = {{"stiffness", Json::array()}, {"semi_axes", found->semi_axes}, {"directions", Json::array()}};
    const int d = found->stiffness.rows;
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) {
        ellipse["stiffness"][i].push_back(found->stiffness(i, j));
        ellipse["directions"][i].push_back(found->directions(j, i));
      }
    }
  }
  return json;
}

struct Quantity {
  const char* what;
  Json (*evaluate)(const Context&);
};

const Catalogue<Quantity>& quantities() {
  static const Catalogue<Quantity> all({
      {"independent",
       {"the rates that rows and columns stand for: all of a tree, with loops the independent ones",
        independent}},
      {"joints", {"q, qd and qdd of each joint; with loops those that follow as well", coordinates}},
      {"poses", {"position and quaternion of each body frame in the world", poses}},
      {"twists",
       {"(angular, linear) of each body: body, spatial, hybrid, mixed",
        by_representation<&Evaluation::twists>}},
      {"accelerations",
       {"time derivatives of the twists, in the same four representations",
        by_representation<&Evaluation::accelerations>}},
      {"jerks", {"second time derivatives of the twists, along qddd", by_representation<&Evaluation::jerks>}},
      {"jacobians", {"6 x n rows for each body, in the same four representations", jacobians}},
      {"points", {"position, velocity and acceleration of each point, in the world", points}},
      {"point_jacobians", {"3 x n rows for the velocity of each point in the world", point_jacobians}},
      {"mass_matrix", {"M(q), n x n", [](const Context& c) { return matrix_rows(c, c.at.mass_matrix()); }}},
      {"coriolis_matrix",
       {"C(q, qd), n x n, with Mdot - 2 C skew",
        [](const Context& c) { return matrix_rows(c, c.at.coriolis_matrix()); }}},
      {"christoffel", {"symbols of the first kind, n x n x n", christoffel}},
      {"gravity_forces",
       {"g(q), the efforts that hold the mechanism against gravity",
        [](const Context& c) { return Json(c.at.gravity_forces()); }}},
      {"inverse_dynamics",
       {"efforts for qdd, beside all the model's elements",
        [](const Context& c) { return Json(c.at.inverse_dynamics()); }}},
      {"forward_dynamics",
       {"qdd of all joints for effort, beside all the model's elements",
        [](const Context& c) { return Json(c.at.forward_dynamics()); }}},
      {"reactions",
       {"wrench on the child of each joint, in its axes and the world's, in the motion of forward_dynamics",
        reactions<&Evaluation::reactions>}},
      {"actuator_efforts",
       {"for qdd: efforts of the actuators, least where several do; what they miss; efforts that move "
        "nothing",
        actuator_efforts}},
      {"driven_reactions",
       {"reactions for qdd under actuator_efforts", reactions<&Evaluation::driven_reactions>}},
      {"inverse_dynamics_rate",
       {"time derivative of inverse_dynamics along qddd, as programs go on",
        [](const Context& c) { return Json(c.at.inverse_dynamics_rates().first); }}},
      {"inverse_dynamics_acceleration",
       {"its second time derivative, along qddd and qdddd; likewise",
        [](const Context& c) { return Json(c.at.inverse_dynamics_rates().second); }}},
      {"inverse_dynamics_dq",
       {"derivative of inverse_dynamics by coordinates, n x n",
        [](const Context& c) { return matrix_rows(c, c.at.inverse_dynamics_derivatives().by_q); }}},
      {"inverse_dynamics_dqd",
       {"derivative of inverse_dynamics by rates, n x n",
        [](const Context& c) { return matrix_rows(c, c.at.inverse_dynamics_derivatives().by_qd); }}},
      {"forward_dynamics_dq",
       {"derivative of forward_dynamics by coordinates, n x n",
        [](const Context& c) { return matrix_rows(c, c.at.forward_dynamics_derivatives().by_q); }}},
      {"forward_dynamics_dqd",
       {"derivative of forward_dynamics by rates, n x n",
        [](const Context& c) { return matrix_rows(c, c.at.forward_dynamics_derivatives().by_qd); }}},
      {"stiffness_ellipse",
       {"of each point by springs and tendons: matrix [N/m], semi-axes, their directions; null where stuck",
        stiffness_ellipses}},
      {"energy", {"kinetic, gravity, elastic, total", energy}},
      {"momentum", {"linear, angular about the world origin, and the centre of mass", momentum}},
  });
  return all;
}

bool is_finite(const Json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  return !json.is_structured() || std::all_of(json.begin(), json.end(), is_finite);
}

Json evaluated(const std::string& name, const Quantity& quantity, const Context& context) {
  Json json = quantity.evaluate(context);
  if (!is_finite(json)) throw ModelError(name, "numbers below 1.8e308 at this state", "larger ones");
  return json;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> evaluation_quantities() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, quantity] : quantities()) rows.emplace_back(name, quantity.what);
  return rows;
}

std::string evaluation_json(const Model& model, const JointState& state,
                            const std::vector<std::string>& names, int indent) {
  for (const std::string& name : names) quantities().at(name, "--quantity");
  const Evaluation evaluation(model, state);
  const Context context{model, evaluation};
  Json json = Json::object();
  for (const std::string& name : names) json[name] = evaluated(name, *quantities().find(name), context);
  if (names.empty()) {
    for (const auto& [name, quantity] : quantities()) {
      try {
        json[name] = evaluated(name, quantity, context);
      } catch (const ModelError& error) {
        json.erase(name);
        json["unavailable"][name] = error.what();
      }
    }
  }
  return json_text(json, indent);
}

}  // namespace torsor
