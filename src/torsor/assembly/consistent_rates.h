#pragma once
// Rates that keep closed loops closed, as near as possible to those that the file names.

#include <algorithm>
#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

struct ConsistentRates {
  std::vector<double> qd;  ///< of all joints
  std::string key;         ///< of the named rate or velocity that is missed most; empty if none is named
  std::string name;        ///< of its joint or body
  double missed = 0;       ///< by how much
  bool angular = true;
  double scale = 0;  ///< the largest rate or velocity that the file names

  bool hold() const { return missed <= 1e-9 * scale; }  ///< as named, but for rounding
  /// The loops: by more than the rounding of a record, which is all there is where a mechanism rests.
  bool contradict() const { return !(missed <= 1e-9 * std::max(1.0, scale)); }
};

/// The loops hold exactly. What is named holds exactly where it can, else by least squares; joints in no loop
/// keep what is named, or rest; of the rates that are then still open, those of least kinetic energy are
/// taken, with whatever hangs on the loops held still on them. q is the configuration of all joints, with
/// closed loops.
ConsistentRates consistent_rates(const Model& model, const std::vector<double>& q);

}  // namespace torsor
