// A model as MJCF: bodies nested, loops as equalities, springs on joints, tendons through sites. A body's frame is our own; of a body on a
// ball or free joint it is the joint's, in whose axes rates are.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "torsor/base/error.h"
#include "torsor/format/convert.h"
#include "torsor/format/mjcf/writer_parts.h"
#include "torsor/format/xml.h"

namespace torsor {
namespace {

using namespace mjcf_writer;

class MjcfWriter {
 public:
  MjcfWriter(const Model& model, std::string model_folder, std::string folder)
      : model_(model), model_folder_(std::move(model_folder)), folder_(std::move(folder)) {}

  std::string text() {
    refuse_what_has_no_place(model_);
    pugi::xml_document document;
    root_ = document.append_child("mujoco");
    set(root_, "model", model_.name());
    pugi::xml_node compiler = root_.append_child("compiler");
    set(compiler, "angle", std::string("radian"));
    set(compiler, "autolimits", std::string("true"));
    pugi::xml_node option = root_.append_child("option");
    set(option, "gravity", words(model_.gravity()));
    if (model_.simulation().step) set(option, "timestep", *model_.simulation().step);
    if (model_.simulation().integrator == "rkmk4") set(option, "integrator", std::string("RK4"));
    pugi::xml_node assets = root_.append_child("asset");
    shapes_ = ShapeWriter(assets, model_folder_, folder_);
    frames_.resize(model_.bodies().size());
    for (const int b : model_.topology().order) {
      const Joint& carrier = model_.joints()[model_.topology().carrier[b]];
      if (has_twist_rates(carrier.type)) frames_[b] = carrier.in_child;
    }
    carried_by_.resize(model_.bodies().size() + 1);
    for (std::size_t b = 0; b < model_.bodies().size(); ++b) {
      const int parent = model_.joints()[model_.topology().carrier[b]].parent;
      carried_by_[static_cast<std::size_t>(parent + 1)].push_back(static_cast<int>(b));
    }
    pugi::xml_node world = root_.append_child("worldbody");
    shapes_.add(world, model_.world_shapes(), {});
    add_children(world, kWorld, {}, {}, 3);
    add_sites(world, kWorld);
    add_tendons();
    add_springs();
    add_equalities();
    add_actuators();
    if (!assets.first_child()) root_.remove_child(assets);
    std::ostringstream stream;
    document.save(stream, "  ", pugi::format_default | pugi::format_no_declaration, pugi::encoding_utf8);
    return stream.str();
  }

 private:
  // Bodies

  /// Joints that have been passed through bodies without mass, and the frame of the body of the model in the element around.
  struct Passed {
    int joint;
    SE3<double> X;  ///< of its frame K in the body in which it is written
  };

  /// Deeper files are not read, and with one space more in each line their size is the square of their depth.
  void require_depth(int body, int level, std::size_t passed) const {
    if (level < kDeepestXml && passed < kDeepestXml) return;
    throw ModelError(
        "bodies." + model_.bodies()[body].name,
        fmt::format("at most {} bodies on one another, as deep as MJCF is read", kDeepestXml - 3), "more");
  }

  /// `X_EP`: the parent's own frame in that of the element `into`; `level`: how deep what is put into it lies.
  void add_children(pugi::xml_node into, int parent, const SE3<double>& X_EP,
                    const std::vector<Passed>& passed, int level) {
    for (const int b : carried_by_[static_cast<std::size_t>(parent + 1)]) {
      require_depth(b, level, passed.size());
      const int j = model_.topology().carrier[b];
      const Joint& joint = model_.joints()[j];
      const Body& body = model_.bodies()[b];
      const SE3<double> X_EB = X_EP * joint.in_parent * inverse(joint.in_child);  // at zero
      if (body.mass == 0 && carried_by_[static_cast<std::size_t>(b) + 1].size() == 1 && body.shapes.empty() &&
          has_plain_coordinates(joint.type)) {
        std::vector<Passed> more = passed;
        more.push_back({j, X_EB * joint.in_child});
        add_children(into, b, X_EB, more, level);
        continue;
      }
      const SE3<double> X_EF = X_EB * frames_[b], X_FB = inverse(frames_[b]);
      pugi::xml_node node = into.append_child("body");
      set(node, "name", body.name);
      set_pose(node, X_EF);
      pugi::xml_node inertial = node.append_child("inertial");
      set(inertial, "mass", body.mass);
      set(inertial, "pos", words(act(X_FB, body.com)));
      const Sym3<double> J = rotate(matrix(X_FB.rotation), body.inertia);
      set(inertial, "fullinertia", words(std::vector<double>{J.xx, J.yy, J.zz, J.xy, J.xz, J.yz}));
      for (const Passed& one : passed) add_joint(node, one.joint, inverse(X_EF) * one.X);
      add_joint(node, j, X_FB * joint.in_child);
      shapes_.add(node, body.shapes, X_FB);
      add_sites(node, b);
      add_children(node, b, X_FB, {}, level + 1);
    }
  }

  /// With the frame K in the element's.
  void add_joint(pugi::xml_node body, int j, const SE3<double>& K) {
    const Joint& joint = model_.joints()[j];
    const JointParts parts = joint_parts(joint.type, 3);
    int count = 0;
    for (const JointPart& part : parts) {
      if (part.primitive == Primitive::fixed) continue;
      pugi::xml_node node = body.append_child("joint");
      const std::string name = count++ == 0 ? joint.name : fmt::format("{}:{}", joint.name, part.output);
      names_[{j, part.rate}] = name;
      set(node, "name", name);
      if (!joint.armature.empty() && joint.armature[part.rate] > 0)
        set(node, "armature", joint.armature[part.rate]);
      if (part.primitive == Primitive::free || part.primitive == Primitive::spherical) {
        set(node, "type", std::string(part.primitive == Primitive::free ? "free" : "ball"));
      } else {
        set(node, "type", std::string(part.primitive == Primitive::revolute ? "hinge" : "slide"));
        Vec3<double> axis;
        axis[part.axis] = 1;
        set(node, "axis", words(act(K.rotation, axis)));
      }
      if (part.primitive != Primitive::free && !(K.position == Vec3<double>{}))
        set(node, "pos", words(K.position));
      if (part.primitive == Primitive::free) continue;
      add_stop_and_friction(node, j, part.coordinate, part.rate);
    }
  }

  static void set_range(pugi::xml_node node, const JointStop::Range& range) {
    constexpr double kFar = 1e6;  // for a bound that is missing
    set(node, "range", words(std::vector<double>{std::max(range.lower, -kFar), std::min(range.upper, kFar)}));
  }

  void add_stop_and_friction(pugi::xml_node node, int j, int coordinate, int rate) {
    for (const JointStop& stop : model_.elements().stops) {
      if (stop.tendon || stop.joint != j || !stop.ranges[coordinate].is_bounded()) continue;
      const JointStop::Range& range = stop.ranges[coordinate];
      set_range(node, range);
    }
    double damping = 0;
    for (const JointFriction& friction : model_.elements().friction) {
      if (friction.tendon || friction.joint != j) continue;
      if (friction.laws[rate].coulomb > 0) set(node, "frictionloss", friction.laws[rate].coulomb);
      damping += friction.laws[rate].viscous;
    }
    bool has_spring = false;
    for (const JointSpring& spring : model_.joint_springs()) {
      if (spring.joint != j || has_spring) continue;  // further ones stand on tendons
      has_spring = true;
      if (spring.law == SpringLaw::log) {
        if (vector_part(spring.rest_rotation) != Vec3<double>{})
          refuse("joint_springs." + spring.name + ".rest", "a rest that is turned");
        set(node, "stiffness", spring.stiffness[0]);
        damping += spring.damping[0];
      } else {
        set(node, "stiffness", spring.stiffness[rate]);
        if (spring.rest[coordinate] != 0) set(node, "springref", spring.rest[coordinate]);
        damping += spring.damping[rate];
      }
    }
    if (damping > 0) set(node, "damping", damping);
  }

  // Points and tendons

  SE3<double> from_frame(int body) const { return body == kWorld ? SE3<double>{} : inverse(frames_[body]); }

  void add_site(pugi::xml_node node, const std::string& name, const Vec3<double>& at) {
    pugi::xml_node site = node.append_child("site");
    set(site, "name", name);
    set(site, "pos", words(at));
  }

  /// Points of the body, and what tendons go round on it with the points at their sides.
  void add_sites(pugi::xml_node node, int body) {
    for (const Point& point : model_.points())
      if (point.body == body) add_site(node, point.name, act(from_frame(body), point.p_B));
    for (const Tendon& tendon : model_.tendons()) {
      for (std::size_t i = 0; i < tendon.wraps.size(); ++i) {
        const Wrap& wrap = tendon.wraps[i];
        if (wrap.at.body != body) continue;
        const SE3<double> X = from_frame(body) * SE3<double>{wrap.rotation, wrap.at.p_B};
        pugi::xml_node geom = node.append_child("geom");
        set(geom, "name", fmt::format("{}:{}", tendon.name, i));
        const bool is_sphere = wrap.law.kind == WrapLaw::Kind::sphere;
        set(geom, "type", std::string(is_sphere ? "sphere" : "cylinder"));
        set(geom, "size",
            is_sphere ? words(std::vector<double>{wrap.law.radius})
                      : words(std::vector<double>{wrap.law.radius, wrap.law.radius}));
        set_pose(geom, X);
        for (const char* none : {"contype", "conaffinity", "mass"}) set(geom, none, 0.0);
        if (wrap.law.side) add_site(node, fmt::format("{}:{}:side", tendon.name, i), act(X, *wrap.law.side));
      }
    }
  }

  pugi::xml_node tendons() {
    return root_.child("tendon") ? root_.child("tendon") : root_.append_child("tendon");
  }

  void add_terms(pugi::xml_node tendon, const std::vector<CoordinateTerm>& terms) const {
    for (const CoordinateTerm& term : terms) {
      pugi::xml_node node = tendon.append_child("joint");
      // Plain coordinates and their rates count alike.
      set(node, "joint", names_.at({term.joint, term.coordinate}));
      set(node, "coef", term.factor);
    }
  }

  void add_tendons() {
    for (std::size_t index = 0; index < model_.tendons().size(); ++index) {
      const Tendon& tendon = model_.tendons()[index];
      const bool is_sum = !tendon.joints.empty();
      pugi::xml_node node = tendons().append_child(is_sum ? "fixed" : "spatial");
      set(node, "name", tendon.name);
      if (tendon.stiffness > 0) {
        set(node, "stiffness", tendon.stiffness);
        double rest = tendon.rest_length.value(0);
        if (rest == -1) rest = std::nextafter(rest, -2.0);  // which stands for the reference configuration
        const double least = is_sum ? -1e10 : 0;            // below every length
        set(node, "springlength",
            tendon.tension_only ? words(std::vector<double>{least, rest}) : words(std::vector<double>{rest}));
      }
      double damping = tendon.damping;
      for (const JointStop& stop : model_.elements().stops)
        if (stop.tendon == static_cast<int>(index) && stop.ranges[0].is_bounded())
          set_range(node, stop.ranges[0]);
      for (const JointFriction& friction : model_.elements().friction) {
        if (friction.tendon != static_cast<int>(index)) continue;
        if (friction.laws[0].coulomb > 0) set(node, "frictionloss", friction.laws[0].coulomb);
        damping += friction.laws[0].viscous;
      }
      if (damping > 0) set(node, "damping", damping);
      add_terms(node, tendon.joints);
      for (std::size_t i = 0; i < tendon.path.size(); ++i) {
        set(node.append_child("site"), "site", tendon.path[i].name);
        for (std::size_t k = 0; k < tendon.wraps.size(); ++k) {
          if (tendon.wraps[k].segment != static_cast<int>(i)) continue;
          pugi::xml_node geom = node.append_child("geom");
          set(geom, "geom", fmt::format("{}:{}", tendon.name, k));
          if (tendon.wraps[k].law.side) set(geom, "sidesite", fmt::format("{}:{}:side", tendon.name, k));
        }
      }
    }
  }

  /// A joint has one spring of its own: further ones stand on tendons of its coordinate.
  void add_springs() {
    std::map<int, int> seen;
    for (const JointSpring& spring : model_.joint_springs()) {
      if (seen[spring.joint]++ == 0) continue;
      const Joint& joint = model_.joints()[spring.joint];
      if (spring.law != SpringLaw::angle)
        refuse("joint_springs." + spring.name, "a second spring of a ball joint");
      for (const JointPart& part : joint_parts(joint.type, 3)) {
        pugi::xml_node node = tendons().append_child("fixed");
        set(node, "name", fmt::format("{}:{}", spring.name, part.output));
        set(node, "stiffness", spring.stiffness[part.rate]);
        set(node, "damping", spring.damping[part.rate]);
        set(node, "springlength", words(std::vector<double>{spring.rest[part.coordinate]}));
        pugi::xml_node term = node.append_child("joint");
        set(term, "joint", names_.at({spring.joint, part.rate}));
        set(term, "coef", 1.0);
      }
    }
  }

  // What holds

  pugi::xml_node equalities() {
    return root_.child("equality") ? root_.child("equality") : root_.append_child("equality");
  }
  std::string body_name(int body) const { return body == kWorld ? "world" : model_.bodies()[body].name; }

  void add_equalities() {
    for (const int j : model_.topology().loop_joints) add_loop(model_.joints()[j]);
    for (const Coupling& coupling : model_.couplings()) {
      pugi::xml_node tendon = tendons().append_child("fixed");
      set(tendon, "name", coupling.name);
      add_terms(tendon, coupling.terms);
      pugi::xml_node node = equalities().append_child("tendon");
      set(node, "name", coupling.name);
      set(node, "tendon1", coupling.name);
      set(node, "polycoef", words(std::vector<double>{coupling.offset, 0, 0, 0, 0}));
    }
  }

  /// Points of the axis that stay together; all of a fixed joint, whose frames do.
  void add_loop(const Joint& joint) {
    if (joint.type == JointType::fixed) {
      pugi::xml_node node = equalities().append_child("weld");
      set(node, "name", joint.name);
      set(node, "body1", body_name(joint.parent));
      set(node, "body2", body_name(joint.child));
      const SE3<double> X =
          from_frame(joint.parent) * joint.in_parent * inverse(from_frame(joint.child) * joint.in_child);
      set(node, "relpose",
          words(std::vector<double>{X.position.x, X.position.y, X.position.z, X.rotation.w, X.rotation.x,
                                    X.rotation.y, X.rotation.z}));
      return;
    }
    if (joint.type != JointType::spherical && joint.type != JointType::revolute)
      refuse("joints." + joint.name, fmt::format("a {} joint that closes a loop", name_of(joint.type)));
    const int count = joint.type == JointType::revolute ? 2 : 1;
    for (int i = 0; i < count; ++i) {
      const Vec3<double> at{0, 0, count == 1 ? 0.0 : 0.1 * (2 * i - 1)};
      const std::string name = fmt::format("{}:{}", joint.name, i);
      sites_.push_back({name + ":parent", joint.parent, act(joint.in_parent, at)});
      sites_.push_back({name + ":child", joint.child, act(joint.in_child, at)});
      pugi::xml_node node = equalities().append_child("connect");
      set(node, "name", name);
      set(node, "site1", name + ":child");
      set(node, "site2", name + ":parent");
      for (int side = 0; side < 2; ++side) {
        const Point& point = sites_[sites_.size() - 2 + side];
        pugi::xml_node body = find_body(root_.child("worldbody"), point.body);
        add_site(body, point.name, act(from_frame(point.body), point.p_B));
      }
    }
  }
  pugi::xml_node find_body(pugi::xml_node world, int body) const {
    if (body == kWorld) return world;
    return world.find_node([&](pugi::xml_node node) {
      return std::string(node.name()) == "body" &&
             model_.bodies()[body].name == node.attribute("name").value();
    });
  }

  void add_actuators() {
    if (model_.actuators().empty()) return;
    pugi::xml_node section = root_.append_child("actuator");
    for (const Actuator& actuator : model_.actuators()) {
      pugi::xml_node node = section.append_child("motor");
      set(node, "name", actuator.name);
      if (actuator.tendon) {
        set(node, "tendon", model_.tendons()[*actuator.tendon].name);
        set(node, "gear", -1.0);
        continue;
      }
      const Joint& joint = model_.joints()[actuator.joint];
      if (has_plain_coordinates(joint.type)) {
        set(node, "joint", names_.at({actuator.joint, actuator.coordinate}));
        continue;
      }
      if (joint.type == JointType::free && actuator.coordinate >= 3)
        refuse("actuators." + actuator.name, "a force along an axis of a free body");
      std::vector<double> gear(6);
      gear[actuator.coordinate + (joint.type == JointType::free ? 3 : 0)] = 1;
      set(node, "joint", names_.at({actuator.joint, 0}));
      set(node, "gear", words(gear));
    }
  }

  const Model& model_;
  std::string model_folder_, folder_;
  pugi::xml_node root_;
  ShapeWriter shapes_;
  std::vector<std::vector<int>> carried_by_;  ///< bodies, by the body that carries them; first the world
  std::vector<SE3<double>> frames_;           ///< X_BF by body
  std::map<std::pair<int, int>, std::string> names_{};  ///< of joints in the file by joint and rate
  std::vector<Point> sites_;
};

}  // namespace

std::string mjcf_text(const Model& model, const std::string& model_folder, const std::string& folder) {
  return MjcfWriter(model, model_folder, folder).text();
}

}  // namespace torsor
