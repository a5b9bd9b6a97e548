#include "torsor/control/controller_efforts.h"

#include <algorithm>

#include "torsor/model/joint_motion.h"
#include "torsor/model/tendon_law.h"

namespace torsor {

void Measurement::pass(StateTape& tape) {
  for (double& number : q) tape(number);
  for (double& number : qd) tape(number);
  tape(x.x, x.y, x.z, v.x, v.y, v.z, r.w, r.x, r.y, r.z, omega.x, omega.y, omega.z);
}

Measurement with_rates_from(Measurement now, const Measurement& before, double T) {
  for (std::size_t i = 0; i < now.q.size(); ++i) now.qd[i] = (now.q[i] - before.q[i]) / T;
  now.v = (1 / T) * (now.x - before.x);
  now.omega = (1 / T) * log(now.r * inverse(before.r));
  return now;
}

ControllerEfforts::ControllerEfforts(const Model& model)
    : model_(model), spring_efforts_(model.rate_count()), transmitted_(model.joints().size()) {
  std::size_t longest = 0;
  for (const Controller& controller : model.controllers()) {
    Law law{controller, {}, {}, {}};
    law.efforts.resize(driven_rate_count(model, controller));
    if (controller.type == Controller::Type::impedance) {
      law.chain = make_controlled_chain(model, controller.point->body);
      const auto& bodies = law.chain.bodies;
      for (int carrier : law.chain.carrier) {
        const auto found = std::find(bodies.begin(), bodies.end(), carrier);
        law.place.push_back(found == bodies.end() ? -1 : static_cast<int>(found - bodies.begin()));
      }
      longest = std::max(longest, bodies.size());
    }
    laws_.push_back(law);
  }
  on_chain_.resize(longest);
  for (const JointSpring& spring : model.joint_springs()) {
    springs_.push_back(make_joint_spring_law(spring, model.coordinate_offset(spring.joint),
                                             model.rate_offset(spring.joint)));
  }
}

void ControllerEfforts::clear(std::span<const double> q) {
  std::fill(transmitted_.begin(), transmitted_.end(), Wrench<double>{});
  std::fill(spring_efforts_.begin(), spring_efforts_.end(), 0.0);
  for (const JointSpringLaw& spring : springs_) {
    add_spring_efforts<double>(spring, q, std::span<double>(spring_efforts_));
  }
}

void ControllerEfforts::evaluate(double t, std::span<const BodyState> bodies, std::span<const double> q,
                                 std::span<const double> qd) {
  clear(q);
  for (int i = 0; i < count(); ++i) {
    if (!laws_[i].controller.is_sampled()) add_law(i, t, measure(i, bodies, q, qd), bodies, q);
  }
}

void ControllerEfforts::evaluate(int controller, double t, const Measurement& measured,
                                 std::span<const BodyState> bodies, std::span<const double> q) {
  clear(q);
  add_law(controller, t, measured, bodies, q);
}

void ControllerEfforts::add_law(int controller, double t, const Measurement& measured,
                                std::span<const BodyState> bodies, std::span<const double> q) {
  Law& law = laws_[controller];
  law.controller.type == Controller::Type::pd ? evaluate_pd(law, t, measured)
                                              : evaluate_impedance(law, t, measured, bodies, q);
}

Measurement ControllerEfforts::measure(int i, std::span<const BodyState> bodies, std::span<const double> q,
                                       std::span<const double> qd) const {
  const Controller& controller = laws_[i].controller;
  Measurement measured;
  if (controller.type == Controller::Type::pd) {
    const int first = model_.coordinate_offset(*controller.joint),
              first_rate = model_.rate_offset(*controller.joint);
    for (std::size_t k = 0; k < laws_[i].efforts.size(); ++k) {
      measured.q[k] = q[first + k];
      measured.qd[k] = qd[first_rate + k];
    }
    return measured;
  }
  const BodyState& body = bodies[controller.point->body];
  measured.x = place_of(*controller.point, bodies);
  measured.v = body.velocity + cross(body.angular_velocity, measured.x - body.com);
  measured.r = so3_from_matrix(body.R);
  measured.omega = body.angular_velocity;
  return measured;
}

void ControllerEfforts::evaluate_pd(Law& law, double t, const Measurement& measured) {
  const Controller& pd = law.controller;
  for (std::size_t i = 0; i < law.efforts.size(); ++i) {
    const Jet target = pd.target[i].evaluate(t);
    law.efforts[i] = pd.stiffness[i] * (target.value - measured.q[i]) +
                     pd.damping[i] * (target.rate - measured.qd[i]);  // (1)
  }
}

Vec3<double> ControllerEfforts::place_of(const Point& point, std::span<const BodyState> bodies) const {
  if (point.body == kWorld) return point.p_B;
  const BodyState& body = bodies[point.body];
  return body.com + body.R * (point.p_B - model_.bodies()[point.body].com);
}

void ControllerEfforts::bear(const Law& law, int body, const Vec3<double>& place, const Vec3<double>& force) {
  if (body == kWorld || law.place[body] < 0) return;
  on_chain_[law.place[body]] += Wrench<double>{cross(place, force), force};
}

void ControllerEfforts::bear_tendons(const Law& law, double t, std::span<const BodyState> bodies) {
  for (const Tendon& tendon : model_.tendons()) {
    const auto place = [&](std::size_t i) { return place_of(tendon.path[i], bodies); };
    double stretch = -tendon.rest_length.value(t);
    for_each_segment(tendon.path.size(), place,
                     [&](std::size_t, const Vec3<double>& d) { stretch += norm(d); });
    const double tension = TensionLaw{tendon.stiffness, 0, tendon.tension_only}.elastic(stretch);
    for_each_segment(tendon.path.size(), place, [&](std::size_t i, const Vec3<double>& d) {
      const Vec3<double> pull = tension * unit_or_zero(d);
      bear(law, tendon.path[i].body, place(i), -pull);
      bear(law, tendon.path[i + 1].body, place(i + 1), pull);
    });
  }
}

void ControllerEfforts::evaluate_impedance(Law& law, double t, const Measurement& measured,
                                           std::span<const BodyState> bodies, std::span<const double> q) {
  const Controller& controller = law.controller;
  const std::size_t length = law.chain.bodies.size();
  std::fill_n(on_chain_.begin(), length, Wrench<double>{});

  Vec3<double> force;
  for (int i = 0; i < model_.dimension(); ++i) {
    const Jet target = controller.target[i].evaluate(t);
    force[i] = controller.stiffness[i] * (target.value - measured.x[i]) +
               controller.damping[i] * (target.rate - measured.v[i]);
  }
  bear(law, controller.point->body, measured.x, force);
  if (controller.rotation) {
    const auto target = controller.rotation->at(t);
    const Vec3<double> moment =
        -controller.angular_stiffness * log(measured.r * inverse(so3_from_matrix(target.R))) -
        controller.angular_damping * (measured.omega - target.omega);  // (3)
    on_chain_[law.place[controller.point->body]].moment += moment;
  }
  if (controller.compensate_gravity) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      bear(law, static_cast<int>(b), bodies[b].com, -model_.bodies()[b].mass * model_.gravity());
    }
  }
  if (controller.compensate_springs) bear_tendons(law, t, bodies);

  std::fill(law.efforts.begin(), law.efforts.end(), 0.0);
  Wrench<double> beyond;
  double* efforts = law.efforts.data() + law.efforts.size();
  for (std::size_t k = length; k-- > 0;) {
    beyond += on_chain_[k];
    const int joint = law.chain.joints[k];
    const BodyState& child = bodies[law.chain.bodies[k]];
    const Pose<double> X_WB{child.R, child.com - child.R * model_.bodies()[law.chain.bodies[k]].com};
    const Wrench<double> on_child = to_child(X_WB * pose(model_.joints()[joint].in_child), beyond);
    transmitted_[joint] += on_child;
    efforts -= rate_count(model_.joints()[joint].type, model_.dimension());
    add_joint_efforts(joint, on_child, q, efforts);  // (2)
    if (!controller.compensate_springs) continue;
    for (int i = model_.rate_offset(joint); i < model_.rate_offset(joint + 1); ++i) {
      efforts[i - model_.rate_offset(joint)] -= spring_efforts_[i];
    }
  }
}

void ControllerEfforts::add_joint_efforts(int joint, const Wrench<double>& on_child,
                                          std::span<const double> q, double* efforts) const {
  const int count = rate_count(model_.joints()[joint].type, model_.dimension());
  for (int i = 0; i < count; ++i) {
    double unit[6] = {};
    unit[i] = 1;
    efforts[i] += dot(joint_twist(model_.joints()[joint], model_.dimension(),
                                  q.subspan(model_.coordinate_offset(joint)), std::span(unit).first(count)),
                      on_child);
  }
}

}  // namespace torsor
