#pragma once
// Whether a file has elements and attributes that MJCF does not know: they are refused, never passed over.

#include "torsor/format/mjcf/document.h"

namespace torsor::mjcf {

/// Throws ModelError with the nearest name.
void check_schema(const Element& mujoco);

}  // namespace torsor::mjcf
