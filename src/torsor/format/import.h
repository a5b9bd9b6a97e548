#pragma once
// Models in other formats. Each is read into the tree of a model file of our own, whose nodes remember the lines they come from: all
// that holds for model files (checks, messages, `--set`, the text kept with results) holds for them.

#include <string>

#include "torsor/format/importing.h"
#include "torsor/format/model_tree.h"
#include "torsor/format/xml.h"

namespace torsor {

/// What a file is: by its root element if it is XML, which its name's ending (.urdf, .xml, .mjcf, .sdf, .xacro) or its first
/// character (`<`) says.
enum class ModelFormat { torsor, urdf, mjcf };
bool looks_like_xml(const std::string& path, const std::string& text);
/// Throws ModelError on XML that is neither; xacro and SDF are refused by name.
ModelFormat format_of(const XmlElement& root);

/// A model of another format as the tree of a model file.
YamlNode import_model(const XmlDocument& document, const ImportOptions& options, ImportReport& report);

YamlNode import_urdf(const XmlElement& robot, Importing& importing);
YamlNode import_mjcf(const XmlElement& mujoco, Importing& importing);

/// A name that model files may have: what they cannot carry becomes `_`.
std::string model_name(const std::string& name);

}  // namespace torsor
