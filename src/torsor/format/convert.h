#pragma once
// Models out: in our own format, and in others.

#include <string>

#include "torsor/format/model_reader.h"

namespace torsor {

/// Throws ModelError under `key` unless the ending is that of a format that can be written.
void require_convertible_name(const std::string& path, const std::string& key);

/// The text of `file`, whose ending says the format: .yaml, laid out for people; .urdf; .xml, MJCF. Files that the model names are named from the
/// folder of `file`. The same numbers follow from it. Throws ModelError on a model that is not valid, or that has what the format
/// lacks.
std::string converted_text(const ModelSource& source, const std::string& file);

/// Of a tree of revolute, prismatic, fixed, free and planar joints, with friction, ranges, points and couplings of two; ModelError
/// names what URDF lacks. `folder` is where meshes are named from, `model_folder` where the model names them from.
std::string urdf_text(const Model& model, const std::string& model_folder, const std::string& folder);

/// Trees and loops, springs, stops, friction, tendons, actuators and couplings; ModelError names what has no place in MJCF.
std::string mjcf_text(const Model& model, const std::string& model_folder, const std::string& folder);

}  // namespace torsor
