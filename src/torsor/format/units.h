#pragma once
// Numbers with units at the edge of the program: `30 deg`, `2 kN/m`, `9.81 m/s^2`. SI inside.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torsor {

/// Exponents of mass, length and time; an angle has none.
struct Dimension {
  int mass = 0, length = 0, time = 0;
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// What a value of the file is: its name in messages, and its SI unit, from which the dimension follows.
struct Quantity {
  const char* name;
  const char* unit;  ///< empty: a plain number that takes no unit
  Dimension dimension;
  bool any_unit = false;  ///< programs named inside an expression: any unit, converted to SI
};

inline constexpr Quantity kNumber{"a number", "", {}};
inline constexpr Quantity kAnyQuantity{"a number or quantity", "", {}, true};
inline constexpr Quantity kAngle{"an angle", "rad", {}};
inline constexpr Quantity kLength{"a length", "m", {0, 1, 0}};
inline constexpr Quantity kMass{"a mass", "kg", {1, 0, 0}};
inline constexpr Quantity kTime{"a time", "s", {0, 0, 1}};
inline constexpr Quantity kAngularVelocity{"an angular velocity", "rad/s", {0, 0, -1}};
inline constexpr Quantity kVelocity{"a velocity", "m/s", {0, 1, -1}};
inline constexpr Quantity kAcceleration{"an acceleration", "m/s^2", {0, 1, -2}};
inline constexpr Quantity kForce{"a force", "N", {1, 1, -2}};
inline constexpr Quantity kMoment{"a moment", "N m", {1, 2, -2}};
inline constexpr Quantity kInertia{"a moment of inertia", "kg m^2", {1, 2, 0}};
inline constexpr Quantity kDensity{"a density", "kg/m^3", {1, -3, 0}};
inline constexpr Quantity kStiffness{"a stiffness", "N/m", {1, 0, -2}};
inline constexpr Quantity kDamping{"a damping", "N s/m", {1, 0, -1}};
inline constexpr Quantity kAngularStiffness{"an angular stiffness", "N m/rad", {1, 2, -2}};
inline constexpr Quantity kAngularDamping{"an angular damping", "N m s/rad", {1, 2, -1}};
inline constexpr Quantity kQuadraticDrag{"a quadratic drag", "N s^2/m^2", {1, -1, 0}};
inline constexpr Quantity kEnergy{"an energy", "J", {1, 2, -2}};
inline constexpr Quantity kPitch{"a pitch", "m/rad", {0, 1, 0}};

/// The derivative of a quantity with respect to time: a length's is a velocity.
Quantity rate_of(const Quantity&);

/// `a length [m]`: the quantity as messages expect it.
std::string described(const Quantity&);
/// The unit in such a text; empty where there is none.
std::string unit_in(const std::string& description);

/// The value in SI, or what is wrong with the text.
struct ParsedQuantity {
  double value = 0;
  std::string fault;  ///< empty if all is well; else what was found, for the message
};
ParsedQuantity parse_quantity(std::string_view text, const Quantity& expected);

/// A unit that values may carry.
struct KnownUnit {
  std::string name;  ///< `deg`
  std::string of;    ///< what it measures: `an angle [rad]`
  double size = 1;   ///< in SI
  bool takes_prefix = false;
};
std::vector<KnownUnit> known_units();
/// What may stand before a unit that takes it, as `k` in `kN`.
struct UnitPrefix {
  std::string_view name;
  int decimal;  ///< power of ten
};
std::span<const UnitPrefix> unit_prefixes();

/// A whole number; faults like parse_quantity.
struct ParsedInteger {
  long value = 0;
  std::string fault;
};
ParsedInteger parse_integer(std::string_view text);

}  // namespace torsor
