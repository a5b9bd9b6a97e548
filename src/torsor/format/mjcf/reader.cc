// MJCF, the format of MuJoCo, as the tree of a model file.

#include "torsor/format/import.h"
#include "torsor/format/mjcf/schema.h"
#include "torsor/format/mjcf/world.h"

namespace torsor {
namespace mjcf {

void leave_out_rest(Reading& r) {
  std::size_t colliding = 0;
  const XmlElement* first = nullptr;
  const auto count = [&](const Geom& geom) {
    if (!geom.collides) return;
    ++colliding;
    if (!first) first = &geom.element;
  };
  for (const Geom& geom : r.world.ground) count(geom);
  for (const BodyData& body : r.world.bodies)
    for (const Geom& geom : body.geoms) count(geom);
  if (first && r.flags.contact)
    r.importing.leave_out(*first, "contacts", "bodies pass through one another and through the ground");
  for (const Element& section : r.mujoco().children) {
    if (section.is("sensor") || section.is("custom") || section.is("contact"))
      for (const Element& child : section.children)
        r.importing.leave_out(child.xml, "<" + section.xml.name() + ">",
                              "no part of the motion without contact");
    if (section.is("deformable") || section.is("extension"))
      for (const Element& child : section.children)
        r.importing.leave_out_of_motion(child.xml, "elements", "<" + child.xml.name() + ">",
                                        "there is nothing like it here");
  }
}

}  // namespace mjcf

YamlNode import_mjcf(const XmlElement& mujoco, Importing& importing) {
  using namespace mjcf;
  const Document document = expand(mujoco, importing);
  const Element& root = *document.root;
  check_schema(root);
  Defaults defaults(root);
  Compiler compiler = read_compiler(root, importing);
  Meshes meshes(root, document, defaults, compiler);
  for (const auto& included : document.included) importing.read(included->file());
  for (const std::string& file : meshes.files()) importing.read(file);
  Reading r{importing, document, std::move(defaults), std::move(compiler), std::move(meshes)};
  const Origin at = origin_of(mujoco);
  r.root = map_node(at);
  put(r.root, "torsor", number_node(at, 1));
  if (const auto name = mujoco.text("model"); name && !name->empty())
    put(r.root, "name", text_node(at, *name));
  for (const Element& element : r.section("asset"))
    if (element.is("material"))
      if (const auto color = r.defaults.of(element.xml).numbers("rgba", 4, 4))
        r.materials[element.xml.text("name", "")] = *color;
  read_options(r);
  put(r.root, "gravity", vector_node(at, r.gravity));
  read_world(r);
  if (r.world.joints.empty())
    mujoco.fail("bodies that move", r.world.bodies.empty() ? "no bodies" : "bodies without joints");
  put_bodies(r);
  put_joints(r);
  put_tendons(r);
  put_actuators(r);
  put_equalities(r);
  put_settings(r);
  leave_out_rest(r);
  return std::move(r.root);
}

}  // namespace torsor
