#include "torsor/page/stored_parts.h"

#include <limits>

#include "torsor/base/error.h"
#include "torsor/page/stored_part.h"
#include "torsor/result/json_ledger.h"

namespace torsor {
namespace {

void require_frame(const StoredPart& frame) {
  frame.at("position").numbers(3);
  frame.at("quaternion").numbers(4);
}

void require_mesh(const StoredPart& mesh) {
  mesh.at("vertices").base64(12);
  mesh.at("triangles").base64(12);
  if (!mesh.has("parts")) return;
  mesh.at("parts").each([](const StoredPart& part) {
    part.at("first").index(0, std::numeric_limits<int>::max());
    part.at("color").numbers(4);
  });
}

void require_shape(const StoredPart& shape) {
  require_frame(shape);
  if (shape.has("color")) shape.at("color").numbers(4);
  int solids = 0;
  for (const char* name : {"box", "ellipsoid"}) {
    if (shape.has(name)) shape.at(name).numbers(3), ++solids;
  }
  for (const char* name : {"sphere", "cylinder", "capsule"}) {
    if (!shape.has(name)) continue;
    shape.at(name).at("radius").number();
    if (std::string(name) != "sphere") shape.at(name).at("length").number();
    ++solids;
  }
  if (shape.has("mesh")) require_mesh(shape.at("mesh")), ++solids;
  shape.expect(solids == 1, "one of box, cylinder, sphere, capsule, ellipsoid, mesh");
}

void require_body(const StoredPart& body) {
  body.at("name").text();
  body.at("mass").number();
  body.at("com").numbers(3);
  const StoredPart box = body.at("equal_box");
  if (!box.is_null()) {
    box.at("size").numbers(3);
    box.at("quaternion").numbers(4);
  }
  body.at("shapes").each(require_shape);
}

/// Bodies are said by their index; -1 is the ground.
class SceneCheck {
 public:
  SceneCheck(const StoredPart& scene)
      : last_body_(static_cast<double>(scene.at("bodies").size()) - 1),
        last_joint_(static_cast<double>(scene.at("joints").size()) - 1) {}

  void joint(const StoredPart& joint) const {
    joint.at("type").text();
    for (const char* name : {"closes_loop", "implicit"}) joint.at(name).boolean();
    between(joint);
  }
  void point(const StoredPart& point) const {
    point.at("name").text();
    place(point);
  }
  void tendon(const StoredPart& tendon) const {
    tendon.at("name").text();
    const StoredPart path = tendon.at("path");
    path.each([this](const StoredPart& via) { point(via); });
    path.expect(path.size() != 1, "two points or more, or none of a tendon over joints");
    tendon.at("rest_length").number_or_null();
    tendon.at("tension_only").boolean();
    for (const char* name : {"stiff", "damped", "muscle"}) {
      if (tendon.has(name)) tendon.at(name).boolean();
    }
    if (tendon.has("wraps")) wraps(tendon.at("wraps"), path.size());
  }
  void element(const StoredPart& element) const {
    element.at("name").text();
    element.at("kind").one_of({"spring", "damper", "motor"});
    element.at("joint").index(0, last_joint_);
  }
  void between(const StoredPart& connection) const {
    connection.at("name").text();
    for (const char* name : {"parent", "child"}) connection.at(name).index(-1, last_body_);
    for (const char* name : {"in_parent", "in_child"}) require_frame(connection.at(name));
  }
  void load(const StoredPart& load) const {
    point(load);
    load.at("kind").one_of({"force", "moment"});
    load.at("in_body_axes").boolean();
  }

 private:
  void wraps(const StoredPart& wraps, std::size_t points) const {
    wraps.list();
    if (points == 0) wraps.expect(wraps.size() == 0, "none, since the path has no points");
    wraps.each([this, points](const StoredPart& wrap) {
      require_frame(wrap);
      wrap.at("segment").index(0, static_cast<double>(points) - 2);
      wrap.at("body").index(-1, last_body_);
      wrap.at("kind").one_of({"circle", "cylinder", "sphere"});
      wrap.at("radius").number();
      if (!wrap.at("side").is_null()) wrap.at("side").numbers(3);
    });
  }
  void place(const StoredPart& point) const {
    point.at("body").index(-1, last_body_);
    point.at("at").numbers(3);
  }

  double last_body_, last_joint_;
};

void require_verdicts(const StoredPart& verdicts) {
  for (const char* name : {"energy", "constraints", "momenta", "motion"}) {
    if (!verdicts.has(name)) continue;
    verdicts.at(name).at("state").one_of({"exact", "order", "none", "broken"});
    verdicts.at(name).at("text").text();
  }
}

}  // namespace

void require_scene(const Json& json, const std::string& file) {
  for (const char* list : {"bodies", "joints"}) {
    if (!json.is_object() || !json.contains(list) || !json.at(list).is_array())
      throw ModelError("scene", "the bodies and joints that are to be drawn", "none", file);
  }
  const StoredPart scene(json, "scene", file);
  scene.at("bodies").expect(scene.at("bodies").size() > 0, "a body or more");
  scene.at("name").text();
  scene.at("dimension").index(2, 3);
  scene.at("gravity").numbers(3);
  scene.at("bodies").each(require_body);
  const SceneCheck check(scene);
  scene.at("joints").each([&](const StoredPart& one) { check.joint(one); });
  scene.at("points").each([&](const StoredPart& one) { check.point(one); });
  scene.at("tendons").each([&](const StoredPart& one) { check.tendon(one); });
  // Results of earlier versions have no more.
  if (scene.has("world_shapes")) scene.at("world_shapes").each(require_shape);
  if (scene.has("joint_elements"))
    scene.at("joint_elements").each([&](const StoredPart& one) { check.element(one); });
  if (scene.has("bushings")) scene.at("bushings").each([&](const StoredPart& one) { check.between(one); });
  if (scene.has("loads")) scene.at("loads").each([&](const StoredPart& one) { check.load(one); });
}

void require_ledger(const Json& json, const std::string& text, const std::string& file) {
  if (json.is_null()) return;
  try {
    parse_ledger(text);
  } catch (const ModelError& error) {
    throw ModelError(error.key, error.expected, error.found, file);
  }
  const StoredPart ledger(json, "ledger", file);
  ledger.at("status").text();
  for (const char* name : {"work_by", "dissipated_by"}) ledger.at("energy").at(name).map();
  if (ledger.has("accuracy") && ledger.at("accuracy").has("verification")) {
    const StoredPart verification = ledger.at("accuracy").at("verification");
    verification.at("worst").map();
    verification.at("trusted").list();
  }
  if (ledger.has("verdicts")) require_verdicts(ledger.at("verdicts"));
}

void require_settings(const Json& json, const std::string& file) {
  if (json.is_null()) return;
  const StoredPart settings(json, "settings", file);
  settings.at("formulation").text();
  settings.at("integrator").text();
  settings.at("step").number();
}

}  // namespace torsor
