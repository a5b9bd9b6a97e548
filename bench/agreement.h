#pragma once

#include <span>

#include "bench/contender.h"

namespace torsor::bench {

/// Largest relative errors over the states, of this engine in all widths and of Pinocchio in its best
/// convention. Forward dynamics is held against the accelerations from which the efforts were computed; the
/// others against the first contender, except that derivatives of forward dynamics are held against a dense
/// solution with mass matrix and derivatives of inverse dynamics.
struct Errors {
  double ours = 0, pinocchio = 0;
};
Errors errors(std::span<const Contender> contenders, Algorithm algorithm, const States& states);

}  // namespace torsor::bench
