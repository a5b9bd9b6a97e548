#pragma once
// A consistent start: coordinates and rates of all joints at which every loop is closed and stays closed.

#include <string>
#include <vector>

#include "torsor/model/model.h"

namespace torsor {

struct Assembly {
  struct Change {
    std::string joint;  ///< empty if nothing changed
    double amount = 0;
    bool angular = true;  ///< in rad or rad/s, otherwise m or m/s
  };
  struct Gap {
    std::string joint;         ///< the loop joint or coupling that gapes most; empty where there is none
    double length = 0;         ///< [m]
    double angle = 0;          ///< [rad]
    const char* at = "joint";  ///< or coupling
  };

  std::vector<double> q, qd;  ///< of all joints in file order, tree and loop joints alike
  Change moved;               ///< largest change of a coordinate from what the file says (or leaves at zero)
  Change rate_changed;        ///< largest change of a rate that the file names
  Gap gap_before, gap_after;
};

/// Loops are closed from initial_coordinates (model/initial.h) as a guess. Values that the file names stay if
/// the mechanism can be assembled without moving them; otherwise the first of them in the file, as many as
/// leave it a way to close, if the others then move at most thrice as far as when all move; otherwise all
/// joints of loops move. Joints move as little as they can. Rates:
/// those that the file names stay, as do zeros of joints in no loop; the rates that this leaves open in loops
/// are those of least kinetic energy. Angles of loop joints count full turns as the file does. Couplings are
/// treated like loops; a coordinate that the file does not name follows those that it is coupled to.
///
/// Throws ModelError, which says the joint and by how much: if the guess gapes by more than 1e-6 of the
/// mechanism's size (or 1e-6 rad) or named rates contradict the loops, unless `initial.assemble`, which takes
/// the nearest that fit; and if the loops cannot be closed at all. A tree gets its initial state unchanged.
Assembly assemble(const Model& model);

/// `drive moved by 0.012 rad; largest gap before 0.03 m at joint rocker_pin, after 1e-16 m`; empty for a
/// tree.
std::string summary(const Assembly& assembly);

}  // namespace torsor
