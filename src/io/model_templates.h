#pragma once
// Model files of regular mechanisms, as text that a person goes on editing: what `torsor new` writes.

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

/// Uniform rods of 1 m and 1 kg, square in section, end to end, let go stretched out sideways.
struct ChainTemplate {
  int links = 10;
  std::string joint = "spherical";  ///< revolute, universal or spherical
  bool floats = false;              ///< no gravity and no joint to the ground; it spins instead
};
std::string chain_text(const ChainTemplate& chain);

}  // namespace torsor
