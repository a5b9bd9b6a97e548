#include "torsor/format/mjcf/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/format/yaml_tree.h"

namespace torsor::mjcf {
namespace {

namespace fs = std::filesystem;

class Expansion {
 public:
  Expansion(Document& document, const Importing& importing) : document_(document), importing_(importing) {}

  Element expand(const XmlElement& element) {
    Element result{element};
    for (const XmlElement& child : element.children()) {
      if (child.is("include")) {
        include(child, result.children);
      } else {
        result.children.push_back(expand(child));
      }
    }
    return result;
  }

 private:
  /// Relative to the folder of the main file, or else to that of the file which names it.
  fs::path find(const XmlElement& include) const {
    const fs::path name = include.required_text("file", "the file to include");
    const fs::path beside = fs::path(include.file()).parent_path() / name;
    std::error_code error;
    fs::path found = fs::path(document_.folder) / name;
    if (!fs::is_regular_file(found, error) && fs::is_regular_file(beside, error)) found = beside;
    if (!fs::is_regular_file(found, error)) include.fail_at("file", "a file", "no file at " + found.string());
    const fs::path whole = fs::weakly_canonical(found, error);
    const fs::path folder = fs::weakly_canonical(document_.folder.empty() ? fs::path(".") : fs::path(document_.folder), error);
    const auto [in_folder, at] = std::mismatch(folder.begin(), folder.end(), whole.begin(), whole.end());
    if (in_folder != folder.end() && !importing_.options().files_outside)
      include.fail_at("file", "a file in the folder of the model or below, or `--files-outside`",
                      in_quotes(name.string()));
    return found;
  }

  void include(const XmlElement& element, std::vector<Element>& into) {
    for (const auto& [attribute, value] : element.attributes())
      if (attribute != "file") element.fail_at(attribute.c_str(), "include with `file` alone");
    const fs::path path = find(element);
    std::error_code error;
    const std::string whole = fs::weakly_canonical(path, error).string();
    if (std::find(open_.begin(), open_.end(), whole) != open_.end() || whole == main_file(error))
      element.fail_at("file", "files that do not include themselves", in_quotes(path.string()) + " again");
    if (open_.size() >= kDeepestInclude)
      element.fail(fmt::format("at most {} files within one another", kDeepestInclude), "more");
    if (document_.included.size() >= kMostIncludes)
      element.fail(fmt::format("at most {} included files", kMostIncludes), "more");
    document_.included.push_back(std::make_unique<XmlDocument>(read_text_file(path.string()), path.string()));
    const XmlElement root(*document_.included.back());
    if (!root.is("mujoco") && !root.is("mujocoinclude"))
      root.fail("<mujocoinclude> or <mujoco>", "<" + root.name() + ">");
    open_.push_back(whole);
    Element all = expand(root);
    open_.pop_back();
    elements_ += all.children.size();
    if (elements_ > kMostXmlElements) element.fail(fmt::format("at most {} elements", kMostXmlElements), "more");
    std::move(all.children.begin(), all.children.end(), std::back_inserter(into));
  }

  std::string main_file(std::error_code& error) const {
    return fs::weakly_canonical(main_, error).string();
  }

  Document& document_;
  const Importing& importing_;
  std::vector<std::string> open_;
  std::size_t elements_ = 0;

 public:
  std::string main_;
};

/// Under which name the defaults of an element stand.
std::string kind_of(const std::string& element) {
  for (const char* actuator : {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle",
                               "adhesion", "orientation", "pid", "dcmotor", "plugin"})
    if (element == actuator) return "actuator";
  for (const char* equality : {"connect", "weld", "flex", "flexstrain"})
    if (element == equality) return "equality";
  if (element == "spatial" || element == "fixed") return "tendon";
  return element;
}

}  // namespace

Document expand(const XmlElement& mujoco, const Importing& importing) {
  Document document;
  document.folder = fs::path(mujoco.file()).parent_path().string();
  Expansion expansion(document, importing);
  expansion.main_ = mujoco.file();
  document.root = expansion.expand(mujoco);
  return document;
}

const XmlElement* Attributes::layer_with(const char* attribute) const {
  for (const XmlElement& layer : layers_)
    if (layer.has(attribute)) return &layer;
  return nullptr;
}
std::optional<std::string> Attributes::text(const char* attribute) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->text(attribute) : std::nullopt;
}
std::string Attributes::text(const char* attribute, const std::string& otherwise) const {
  return text(attribute).value_or(otherwise);
}
std::optional<std::vector<double>> Attributes::numbers(const char* attribute, std::size_t least,
                                                       std::size_t most) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->numbers(attribute, least, most) : std::nullopt;
}
double Attributes::number(const char* attribute, double otherwise) const {
  const auto one = numbers(attribute, 1, 1);
  return one ? one->front() : otherwise;
}
std::vector<double> Attributes::merged(const char* attribute, std::vector<double> values) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    const auto given = layer->numbers(attribute, 1, values.size());
    if (given) std::copy(given->begin(), given->end(), values.begin());
  }
  return values;
}
bool Attributes::boolean(const char* attribute, bool otherwise) const {
  return choice(attribute, {"false", "true"}, otherwise ? 1 : 0) == 1;
}
std::size_t Attributes::choice(const char* attribute, const std::vector<std::string>& choices,
                               std::size_t otherwise) const {
  const XmlElement* layer = layer_with(attribute);
  return layer ? layer->choice(attribute, choices).value_or(otherwise) : otherwise;
}
void Attributes::fail_at(const char* attribute, const std::string& expected) const {
  const XmlElement* layer = layer_with(attribute);
  (layer ? *layer : own_).fail_at(attribute, expected);
}
void Attributes::fail_at(const char* attribute, const std::string& expected, const std::string& found) const {
  const XmlElement* layer = layer_with(attribute);
  (layer ? *layer : own_).fail_at(attribute, expected, found);
}

Defaults::Defaults(const Element& mujoco) {
  classes_["main"];
  for (const Element& element : mujoco.children)
    if (element.is("default")) read(element, nullptr, 0);
  for (const auto& [name, all] : classes_) names_.push_back(name);
}

void Defaults::read(const Element& element, const Class* outer, int depth) {
  const std::string name = element.xml.text("class", depth == 0 ? "main" : "");
  if (name.empty()) element.xml.fail("the attribute class, the name of a class", "none");
  if (depth > 0 && classes_.contains(name)) element.xml.fail_at("class", "each class once");
  if (outer) classes_[name] = *outer;
  Class own = classes_[name];
  for (const Element& child : element.children) {
    if (child.is("default")) continue;
    std::vector<XmlElement>& layers = own[kind_of(child.xml.name())];
    layers.insert(layers.begin(), child.xml);
  }
  classes_[name] = own;
  for (const Element& child : element.children)
    if (child.is("default")) read(child, &own, depth + 1);
}

Attributes Defaults::of(const XmlElement& element, const std::string& inherited, const std::string& kind) const {
  std::string name = inherited.empty() ? "main" : inherited;
  if (const auto own = element.text("class")) {
    name = *own;
    if (!classes_.contains(name)) element.fail_at("class", "the name of a default class", did_you_mean(name, names_));
  }
  const Class& all = classes_.at(name);
  const auto found = all.find(kind.empty() ? kind_of(element.name()) : kind);
  return found == all.end() ? Attributes(element) : Attributes(element, found->second);
}

}  // namespace torsor::mjcf
