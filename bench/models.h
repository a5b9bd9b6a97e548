#pragma once
// The mechanisms of the benchmark. Joints come depth first and child frames are joint frames, so that every
// engine can take the model as it stands, in the same order of coordinates.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor::bench {

enum class Axes { principal, skew };

/// n revolute joints with random placements, about x, y or z of the joint frame or about random axes.
ModelDescription revolute_chain(int n, Axes axes);
ModelDescription spherical_chain(int n);
/// 36 degrees of freedom: free pelvis, two legs of 6 joints, waist of 2, neck of 2, two arms of 7.
ModelDescription humanoid();

struct Mechanism {
  std::string family;  ///< "revolute", "skew", "spherical", "humanoid"
  int joints;
  ModelDescription description;
};
/// All of them, in the order of the tables.
std::vector<Mechanism> mechanisms();

}  // namespace torsor::bench
