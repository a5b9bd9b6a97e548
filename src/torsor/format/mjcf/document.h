#pragma once
// A MJCF file with the files that it includes put in place, its default classes, and the attributes of an element as
// they stand in it or in the classes it belongs to.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "torsor/format/importing.h"
#include "torsor/format/xml.h"

namespace torsor::mjcf {

inline constexpr int kMostIncludes = 200;
inline constexpr int kDeepestInclude = 16;

/// An element, and its children with includes replaced by what the included files hold.
struct Element {
  XmlElement xml;
  std::vector<Element> children{};

  bool is(const char* name) const { return xml.is(name); }
};

/// Keeps the texts to which elements point.
struct Document {
  std::string folder;  ///< of the main file
  std::vector<std::unique_ptr<XmlDocument>> included;
  std::optional<Element> root;
};

/// Throws ModelError on circles, on files outside of the main file's folder unless the options allow them, and on more
/// than the limits above.
Document expand(const XmlElement& mujoco, const Importing& importing);

/// Attributes of an element and of the classes it belongs to, the innermost first: the first that has one counts. Of
/// lists, an inner one may give the first numbers only; the others come from outside.
class Attributes {
 public:
  explicit Attributes(const XmlElement& own) : own_(own), layers_{own} {}
  Attributes(const XmlElement& own, const std::vector<XmlElement>& classes) : own_(own), layers_{own} {
    layers_.insert(layers_.end(), classes.begin(), classes.end());
  }

  const XmlElement& own() const { return own_; }
  const std::vector<XmlElement>& layers() const { return layers_; }
  const XmlElement* layer_with(const char* attribute) const;  ///< null: none has it
  bool has(const char* attribute) const { return layer_with(attribute) != nullptr; }

  std::optional<std::string> text(const char* attribute) const;
  std::string text(const char* attribute, const std::string& otherwise) const;
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t least, std::size_t most) const;
  double number(const char* attribute, double otherwise) const;
  /// `values` overwritten by what the layers give, from the outside in.
  std::vector<double> merged(const char* attribute, std::vector<double> values) const;
  bool boolean(const char* attribute, bool otherwise) const;
  /// Index among the choices.
  std::size_t choice(const char* attribute, const std::vector<std::string>& choices, std::size_t otherwise) const;
  /// At the layer that has it.
  [[noreturn]] void fail_at(const char* attribute, const std::string& expected) const;
  [[noreturn]] void fail_at(const char* attribute, const std::string& expected, const std::string& found) const;

 private:
  XmlElement own_;
  std::vector<XmlElement> layers_;
};

/// The tree of `default` elements. A class has all that the classes around it have.
class Defaults {
 public:
  explicit Defaults(const Element& mujoco);

  /// The attributes of an element in its own class, in `inherited` (of a body's childclass) or in the outermost one.
  /// `kind`: where the name of the element does not say it. All kinds of actuators share their defaults; so do `spatial` and `fixed`, and all equalities.
  Attributes of(const XmlElement& element, const std::string& inherited = "", const std::string& kind = "") const;
  bool has(const std::string& name) const { return classes_.contains(name); }

 private:
  using Class = std::map<std::string, std::vector<XmlElement>>;  ///< by kind, innermost first
  void read(const Element& element, const Class* outer, int depth);

  std::map<std::string, Class> classes_;
  std::vector<std::string> names_;
};

}  // namespace torsor::mjcf
