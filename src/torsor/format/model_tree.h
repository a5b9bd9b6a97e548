#pragma once
// A model file made by a program: the tree that its reader takes, whose nodes say from where in another file they come, and its text,
// laid out for people.

#include <memory>
#include <string>
#include <vector>

#include "torsor/format/yaml_tree.h"
#include "torsor/lie/se3.h"

namespace torsor {

class XmlElement;

/// Where something stands: complaints of the reader about it name this place.
struct Origin {
  std::shared_ptr<const std::string> file;
  int line = 0;
};
Origin origin_of(const XmlElement& element);

YamlNode map_node(const Origin& origin);
YamlNode list_node(const Origin& origin);
YamlNode text_node(const Origin& origin, const std::string& text);
/// Shortest digits that give the same number back.
YamlNode number_node(const Origin& origin, double value);
YamlNode numbers_node(const Origin& origin, const std::vector<double>& values);
YamlNode vector_node(const Origin& origin, const Vec3<double>& value);
/// `{position, rotation: {quaternion}}`, without what is zero; an empty mapping for the identity.
YamlNode pose_node(const Origin& origin, const SE3<double>& pose);

/// Adds an entry, or the value of one that is there.
YamlNode& put(YamlNode& map, const std::string& key, YamlNode value);
/// The mapping at `key`, made where there is none.
YamlNode& section(YamlNode& root, const std::string& key);

/// The text of a model file: sections, a line for each of their entries where it fits, comments at the top.
std::string yaml_text(const YamlNode& root, const std::vector<std::string>& comments = {});
/// Any node in one line.
std::string yaml_line(const YamlNode& node);

}  // namespace torsor
