#include "torsor/formulation/cartesian/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/formulation/rotationless/joint.h"

namespace torsor {
namespace {

[[noreturn]] void refuse(const std::string& expected, const std::string& found) {
  throw ModelError("simulation.formulation", expected + ", or the formulation 'rotationless'", found);
}

void require_planar_revolute_tree(const Model& model) {
  if (model.dimension() != 2) refuse("for 'cartesian' a model of dimension 2", "one of dimension 3");
  for (const Joint& joint : model.joints()) {
    if (joint.type == JointType::revolute) continue;
    refuse("for 'cartesian' revolute joints only",
           fmt::format("joints.{} of type '{}'", joint.name, name_of(joint.type)));
  }
  for (const Joint& joint : model.joints()) {
    if (!joint.has_armature()) continue;
    refuse("for 'cartesian' joints without armature", fmt::format("joints.{}.armature", joint.name));
  }
  if (!model.topology().is_tree()) {
    const Joint& joint = model.joints()[model.topology().loop_joints.front()];
    refuse("for 'cartesian' a tree", fmt::format("a loop, which joints.{} closes", joint.name));
  }
  if (!model.couplings().empty()) {
    refuse("for 'cartesian' a model without couplings", "couplings." + model.couplings().front().name);
  }
  if (!model.servos().empty()) {
    refuse("for 'cartesian' a model without servos", "servos." + model.servos().front().name);
  }
}

/// c^-1 of a complex number.
Vec2<double> reciprocal(const Vec2<double>& c) {
  const double square = dot(c, c);
  return {c.x / square, -c.y / square};
}

/// From the joint that carries a body to its centre of mass, among its directors.
Vec2<double> centre_from_joint(const JointRows<2>& rows) {
  return {-rows.child_point.beta[0], -rows.child_point.beta[1]};
}

/// What a rounding in x may become in xi_i: xi_i = x_i - x_p - (A_i - I) xi_p, links on the way multiply it.
void require_little_growth(const Model& model, const std::vector<CartesianLink>& links) {
  constexpr double kMostGrowth = 1e6;
  std::vector<double> growth(links.size(), 1.0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].parent < 0) continue;
    growth[i] += norm(links[i].beyond) * growth[links[i].parent];
    if (growth[i] <= kMostGrowth) continue;
    refuse(
        "for 'cartesian' centres of mass so far from the joints that carry them that directions follow "
        "from positions",
        fmt::format("bodies.{}, in whose direction rounding of the positions grows by {:.1e}",
                    model.bodies()[links[i].body].name, growth[i]));
  }
}

}  // namespace

std::vector<CartesianLink> make_cartesian_links(const Model& model) {
  require_planar_revolute_tree(model);
  const NodeFrames<2> frames = make_node_frames<2>(model);
  const RotationlessJoints<2> joints = make_rotationless_joints<2>(model, frames);
  std::vector<CartesianLink> links;
  for (int body : model.topology().order) {
    const JointRows<2>& rows = joints.rows[model.topology().carrier[body]];
    const Vec2<double> centre = centre_from_joint(rows);
    CartesianLink link;
    link.body = body;
    link.length = norm(centre);
    // A distance that is rounding of the two places has no direction either.
    const double reach = norm(model.bodies()[body].com) + norm(pose(model.joints()[rows.joint].in_child).p);
    if (link.length <= 1e-12 * reach) {
      refuse("for 'cartesian' a centre of mass apart from the joint that carries the body",
             fmt::format("bodies.{}, whose centre of mass lies in joints.{}", model.bodies()[body].name,
                         model.joints()[rows.joint].name));
    }
    link.director = reciprocal(centre);
    const int node = frames.node_of[body];
    link.mass = frames.mass[node];
    link.inertia = frames.E[node][0] + frames.E[node][1];
    const Vec2<double> lever{-rows.parent_point.beta[0], -rows.parent_point.beta[1]};
    if (rows.parent == frames.ground) {
      link.joint = lever;
    } else {
      link.parent = rows.parent;
      link.beyond = scaled_rotation(lever, links[rows.parent].director);
    }
    links.push_back(link);
  }
  require_little_growth(model, links);
  return links;
}

Vec2<double> arm_of_point(const Model& model, const CartesianLink& link, const Vec2<double>& p_B) {
  const Arm<2> arm = make_node_frames<2>(model).point(link.body, {p_B.x, p_B.y, 0});
  return Vec2<double>{1, 0} + scaled_rotation({arm.beta[0], arm.beta[1]}, link.director);
}

}  // namespace torsor
