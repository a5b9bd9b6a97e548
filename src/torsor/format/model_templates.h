#pragma once
// Model files of regular mechanisms, as text that a person goes on editing: what `torsor new` writes.

#include <optional>
#include <string>

namespace torsor {

/// A planar arm with the parameters of Götz, table 5.1, hung in elastic tendons through fastenings at the
/// ends of its links (4.44): on the left of the link, r = 0.4 m from it; the first on the ground, along +y.
struct ArmTemplate {
  enum class Springs { none, mono, multi };
  int links = 3;
  Springs springs = Springs::mono;  ///< one over each joint, or one over all
};
std::string arm_text(const ArmTemplate& arm);

/// Uniform rods, square in section, end to end; each weighs `mass`, or what `density` makes of it.
struct ChainTemplate {
  enum class Start {
    stretched,  ///< along x, let go sideways
    hanging,    ///< straight down, the whole chain tilted about x (Sætran 3.2)
    coiled      ///< flat spiral: rod k turned against the one before by 2 pi/(8 + 0.25 (k - 1)) about z
  };
  int links = 10;
  std::string joint = "spherical";  ///< revolute, universal or spherical; only spherical ones coil
  bool floats = false;              ///< no gravity and no joint to the ground; it spins, stretched, instead
  Start start = Start::stretched;
  double tilt = 0.1;  ///< of a hanging chain [rad]
  double length = 1, side = 0.1, mass = 1;
  std::optional<double> density = {};  ///< in place of the mass [kg/m^3]
  double damping = 0;                  ///< in every joint [N m s]
};
std::string chain_text(const ChainTemplate& chain);

}  // namespace torsor
