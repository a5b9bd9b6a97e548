#pragma once
// What a model may be and hardly ever is: slips that no check can refuse.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

/// Each with the key that it is about: `bodies.link.com: 500 m from ..`. None for most models.
std::vector<std::string> notices_of(const Model& model);

}  // namespace torsor
