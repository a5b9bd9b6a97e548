#pragma once
// The chains that steps are timed on.

#include <fmt/format.h>

#include "torsor/model/model.h"

namespace torsor {

/// Rods of 1 m and 1 kg end to end, stretched out horizontally and let go; hinges in space turn about y and z.
inline ModelDescription rod_chain(int links, JointType type, int dimension) {
  ModelDescription d;
  d.name = "chain";
  d.dimension = dimension;
  d.gravity = dimension == 2 ? Vec3<double>{0, -9.81, 0} : Vec3<double>{0, 0, -9.81};
  for (int i = 0; i < links; ++i) {
    Body body;
    body.name = fmt::format("rod{}", i);
    body.mass = 1;
    body.com = {0.5, 0, 0};
    body.inertia = {0.002, 0.085, 0.085, 0, 0, 0};
    if (dimension == 2) body.inertia = {0.0425, 0.0425, 0.085, 0, 0, 0};
    d.bodies.push_back(body);
    Joint joint;
    joint.name = fmt::format("joint{}", i);
    joint.type = type;
    joint.parent = i - 1;
    joint.child = i;
    if (dimension == 3 && has_axis(type) && i % 2 == 0) joint.axis = {0, 1, 0};
    if (i > 0) joint.in_parent.position = {1, 0, 0};
    d.joints.push_back(joint);
  }
  return d;
}

}  // namespace torsor
