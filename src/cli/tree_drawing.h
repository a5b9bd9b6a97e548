#pragma once

#include <string>

#include "torsor/model/model.h"

namespace torsor {

/// The spanning tree as text, one body a line, and the joints that close loops below it.
std::string tree_drawing(const Model& model);

}  // namespace torsor
