// What the links of a URDF file are drawn with.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/base/nearest.h"
#include "torsor/format/mesh_reader.h"
#include "torsor/format/model_tree.h"
#include "torsor/format/package_path.h"
#include "torsor/format/urdf.h"

namespace torsor {

UrdfDrawing::UrdfDrawing(const XmlElement& robot, Importing& importing) : importing_(importing) {
  for (const XmlElement& material : robot.children("material")) {
    const std::string name = material.required_text("name", "the name of the material");
    if (const auto rgba = color(material)) colors_[name] = *rgba;
  }
}

std::optional<std::vector<double>> UrdfDrawing::color(const XmlElement& material) {
  if (const auto texture = material.only("texture"))
    importing_.leave_out(*texture, "texture", "drawn in one colour");
  const auto element = material.only("color");
  if (!element) return std::nullopt;
  auto rgba = element->numbers("rgba", 4);
  if (!rgba) element->fail("the attribute rgba, a colour", "none");
  for (double& part : *rgba) part = std::clamp(part, 0.0, 1.0);
  return rgba;
}

std::optional<YamlNode> UrdfDrawing::mesh(const XmlElement& element) {
  const std::string name = element.required_text("filename", "a mesh file");
  const auto scale = element.numbers("scale", 3);
  if (scale && std::any_of(scale->begin(), scale->end(), [](double s) { return s == 0; }))
    element.fail_at("scale", "three factors that are not zero");
  if (!importing_.options().meshes) return std::nullopt;
  if (!is_mesh_name(name)) {
    importing_.leave_out(element, "mesh of an unknown kind",
                         fmt::format("only STL, OBJ and DAE are read, not {}",
                                     in_quotes(std::filesystem::path(name).extension().string())));
    return std::nullopt;
  }
  const auto [known, is_new] = files_.try_emplace(name);
  if (is_new) known->second = find_package_file(name, element.file(), importing_.options().package_path);
  if (!known->second) {
    const bool packed = name.find("://") != std::string::npos;
    importing_.leave_out(
        element, "mesh that is not found",
        packed ? fmt::format("nothing at {}; see --package-path", in_quotes(name)) : "no such file");
    return std::nullopt;
  }
  const Origin origin = origin_of(element);
  YamlNode shape = map_node(origin);
  put(shape, "mesh",
      text_node(origin,
                path_from(std::filesystem::path(element.file()).parent_path().string(), *known->second)));
  if (scale && *scale != std::vector<double>{1, 1, 1}) put(shape, "scale", numbers_node(origin, *scale));
  return shape;
}

std::optional<YamlNode> UrdfDrawing::geometry(const XmlElement& visual) {
  const XmlElement geometry = visual.required("geometry", "what is drawn");
  const std::vector<XmlElement> forms = geometry.children();
  if (forms.size() != 1)
    geometry.fail("one of <box>, <cylinder>, <sphere>, <capsule>, <mesh>",
                  fmt::format("{} elements", forms.size()));
  const XmlElement& form = forms.front();
  const Origin origin = origin_of(form);
  YamlNode shape = map_node(origin);
  std::vector<double> sizes;
  if (form.is("box")) {
    const auto size = form.numbers("size", 3);
    if (!size) form.fail("the attribute size, three lengths [m]", "none");
    sizes = *size;
    put(shape, "box", numbers_node(origin, sizes));
  } else if (form.is("sphere")) {
    sizes = {form.required_number("radius", "a length [m]")};
    put(put(shape, "sphere", map_node(origin)), "radius", number_node(origin, sizes[0]));
  } else if (form.is("cylinder") || form.is("capsule")) {
    sizes = {form.required_number("radius", "a length [m]"), form.required_number("length", "a length [m]")};
    YamlNode& round = put(shape, form.name(), map_node(origin));
    put(round, "radius", number_node(origin, sizes[0]));
    put(round, "length", number_node(origin, sizes[1]));
  } else if (form.is("mesh")) {
    return mesh(form);
  } else {
    form.fail("one of <box>, <cylinder>, <sphere>, <capsule>, <mesh>",
              did_you_mean(form.name(), {"box", "cylinder", "sphere", "capsule", "mesh"}));
  }
  for (const double size : sizes)
    if (size < 0) form.fail("lengths >= 0", fmt::format("{}", size));
  if (std::any_of(sizes.begin(), sizes.end(), [](double size) { return size == 0; })) {
    importing_.leave_out(form, "visual geometry of no size", "nothing to draw");
    return std::nullopt;
  }
  return shape;
}

std::vector<UrdfVisual> UrdfDrawing::visuals_of(const XmlElement& link) {
  std::vector<UrdfVisual> visuals;
  for (const XmlElement& visual : link.children("visual")) {
    std::optional<YamlNode> shape = geometry(visual);
    std::optional<std::vector<double>> rgba;
    if (const auto material = visual.only("material")) {
      rgba = color(*material);
      const auto known = colors_.find(material->text("name", ""));
      if (rgba && material->has("name")) colors_.emplace(material->text("name", ""), *rgba);
      if (!rgba && known != colors_.end()) rgba = known->second;
    }
    if (!shape) continue;
    if (rgba)
      put(*shape, "color",
          numbers_node(origin_of(visual),
                       (*rgba)[3] == 1 ? std::vector(rgba->begin(), rgba->begin() + 3) : *rgba));
    importing_.convert(visual, "visual geometry", "drawn");
    importing_.leave_out_unknown(visual, {"name"}, {"origin", "geometry", "material"});
    visuals.push_back({urdf_origin(visual).pose(), std::move(*shape)});
  }
  return visuals;
}

}  // namespace torsor
