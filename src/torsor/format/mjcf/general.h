#pragma once
// Every kind of actuator as a general one: dynamics of its activation, gain and bias.

#include <array>

#include "torsor/format/mjcf/document.h"

namespace torsor::mjcf {

enum class Dynamics { none, integrator, filter, filter_exact, muscle, user };
enum class Law { fixed, affine, muscle, user };  ///< of gain and bias; a bias has `none` for fixed

using Ten = std::array<double, 10>;

/// What the format makes of every kind of actuator.
struct General {
  Dynamics dynamics = Dynamics::none;
  Law gain_law = Law::fixed, bias_law = Law::fixed;
  Ten dynamics_of{1}, gain{1}, bias{};
};

/// Of an actuator with its classes.
General general_of(const Attributes&);

}  // namespace torsor::mjcf
