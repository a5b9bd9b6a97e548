#include "torsor/format/units.h"

#include <gtest/gtest.h>

#include <numbers>

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

struct Row {
  const char* text;
  Quantity quantity;
  double value;
};

class Converts : public testing::TestWithParam<Row> {};
TEST_P(Converts, ToSiExactly) {
  const auto [text, quantity, value] = GetParam();
  const ParsedQuantity parsed = parse_quantity(text, quantity);
  EXPECT_EQ(parsed.fault, "") << text;
  EXPECT_EQ(parsed.value, value) << text;
}
INSTANTIATE_TEST_SUITE_P(
    Units, Converts,
    testing::Values(Row{"3", kNumber, 3}, Row{"-1.5e-3", kNumber, -1.5e-3}, Row{"+2.", kNumber, 2},
                    Row{".5", kNumber, 0.5}, Row{"0", kNumber, 0}, Row{"0.25", kNumber, 0.25},
                    Row{"1e05", kNumber, 1e5}, Row{"  7  ", kLength, 7}, Row{"180 deg", kAngle, kPi},
                    Row{"90deg", kAngle, kPi / 2}, Row{"90 \xC2\xB0", kAngle, kPi / 2},
                    Row{"2 rev", kAngle, 4 * kPi}, Row{"3 mrad", kAngle, 0.003}, Row{"5 mm", kLength, 0.005},
                    Row{"35 mm", kLength, 0.035}, Row{"7 \xC2\xB5m", kLength, 7e-6},
                    Row{"7 um", kLength, 7e-6}, Row{"2 km", kLength, 2000}, Row{"250 g", kMass, 0.25},
                    Row{"3 kg", kMass, 3}, Row{"2 t", kMass, 2000}, Row{"5 min", kTime, 300},
                    Row{"2 h", kTime, 7200}, Row{"20 ms", kTime, 0.02}, Row{"2 kN/m", kStiffness, 2000},
                    Row{"3 N/mm", kStiffness, 3000}, Row{"60 rpm", kAngularVelocity, 60 * (2 * kPi) / 60},
                    Row{"180 deg/s", kAngularVelocity, kPi}, Row{"2 rev/s", kAngularVelocity, 4 * kPi},
                    Row{"3 1/s", kAngularVelocity, 3}, Row{"3/s", kAngularVelocity, 3},
                    Row{"36 km/h", kVelocity, 10}, Row{"9.81 m/s^2", kAcceleration, 9.81},
                    Row{"9.81 m s^-2", kAcceleration, 9.81}, Row{"9.81 m/s/s", kAcceleration, 9.81},
                    Row{"1.5 g/cm^3", kDensity, 1500}, Row{"10 N m", kMoment, 10}, Row{"10 N*m", kMoment, 10},
                    Row{"10 Nm", kMoment, 10}, Row{"3 J", kMoment, 3},
                    Row{"10 N*m/rad", kAngularStiffness, 10}, Row{"3 N m s/rad", kAngularDamping, 3},
                    Row{"3 N/(m/s)", kDamping, 3}, Row{"3 N s/m", kDamping, 3}, Row{"2 kg m^2", kInertia, 2},
                    Row{"20000 kg cm^2", kInertia, 2}, Row{"4 mm/rev", kPitch, 4 / (2 * kPi) / 1000},
                    Row{"4 W", kAnyQuantity, 4}, Row{"2 (km)^2", kAnyQuantity, 2e6}));

struct Fault {
  const char* text;
  Quantity quantity;
  const char* found;
};
class Refuses : public testing::TestWithParam<Fault> {};
TEST_P(Refuses, AndSaysWhatItFound) {
  const auto [text, quantity, found] = GetParam();
  EXPECT_EQ(parse_quantity(text, quantity).fault, found);
}
INSTANTIATE_TEST_SUITE_P(
    Units, Refuses,
    testing::Values(
        Fault{"", kNumber, "''"}, Fault{"heavy", kMass, "'heavy'"}, Fault{"nan", kNumber, "'nan'"},
        Fault{".nan", kNumber, "'.nan'"}, Fault{"inf", kNumber, "'inf'"}, Fault{"-.inf", kNumber, "'-.inf'"},
        Fault{"-infinity", kNumber, "'-infinity'"}, Fault{"--1", kNumber, "'--1'"},
        Fault{"+-1", kNumber, "'+-1'"}, Fault{".", kNumber, "'.'"},
        Fault{"0x10", kNumber, "'0x10' (leading zeros and hexadecimal are not accepted)"},
        Fault{"017", kNumber, "'017' (leading zeros and hexadecimal are not accepted)"},
        Fault{"0o17", kNumber, "'0o17' (unknown unit 'o'; see `torsor list units`)"},
        Fault{"1_000", kNumber, "'1_000'"}, Fault{"1,5", kNumber, "'1,5'"}, Fault{"1:30", kNumber, "'1:30'"},
        Fault{"1e999", kNumber, "'1e999' (out of range)"},
        Fault{"1e-999", kNumber, "'1e-999' (out of range)"},
        Fault{"1e99 km", kLength, "'1e99 km' (out of range)"}, Fault{"1 2", kNumber, "'1 2'"},
        Fault{"60 centimeters", kLength, "'60 centimeters' (unknown unit 'centimeters'; write 'cm')"},
        Fault{"2 Hz", kAngularVelocity,
              "'2 Hz', a frequency (as an angular velocity write rev/s, rpm or rad/s)"},
        Fault{"5 mm", kNumber, "'5 mm', which carries a unit"}, Fault{"5 s", kLength, "'5 s', a time [s]"},
        Fault{"5 mm", kAngle, "'5 mm', a length [m]"}, Fault{"30 deg", kLength, "'30 deg', an angle [rad]"},
        Fault{"5 W", kForce, "'5 W', a quantity in [kg m^2 s^-3]"},
        Fault{"5 furlong", kLength, "'5 furlong' (unknown unit 'furlong'; see `torsor list units`)"},
        Fault{"5 kdeg", kAngle, "'5 kdeg' (unknown unit 'kdeg'; see `torsor list units`)"},
        Fault{"60 degrees", kAngle, "'60 degrees' (unknown unit 'degrees'; write 'deg')"},
        Fault{"2 lb", kMass, "'2 lb' (unknown unit 'lb'; 1 lb is 0.45359237 kg)"},
        Fault{"3 lb/in", kStiffness, "'3 lb/in' (unknown unit 'lb'; 1 lb is 0.45359237 kg)"},
        Fault{"5 m^", kLength, "'5 m^'"}, Fault{"5 m^99", kLength, "'5 m^99'"},
        Fault{"5 (m", kLength, "'5 (m'"}, Fault{"5 m)", kLength, "'5 m)'"},
        Fault{"5 m//s", kVelocity, "'5 m//s'"}, Fault{"5 m*", kLength, "'5 m*'"},
        Fault{"5 m^0.5", kLength, "'5 m^0.5'"}));

TEST(Units, IntegersAreWhole) {
  EXPECT_EQ(parse_integer("12").value, 12);
  EXPECT_EQ(parse_integer("-3").value, -3);
  EXPECT_EQ(parse_integer("+3").value, 3);
  for (const char* text : {"", "1.0", "1e3", "0x1", "010", "1_0", "+-3", "99999999999999999999", "1 "})
    EXPECT_NE(parse_integer(text).fault, "") << text;
}

TEST(Units, RatesOfQuantities) {
  EXPECT_STREQ(rate_of(kAngle).name, kAngularVelocity.name);
  EXPECT_STREQ(rate_of(kLength).name, kVelocity.name);
  EXPECT_EQ(rate_of(kForce).dimension, (Dimension{1, 1, -3}));
}

/// Every unit that is listed is one that values may carry, of that size.
TEST(Units, AreListedAsTheyAreRead) {
  for (const KnownUnit& unit : known_units()) {
    const ParsedQuantity one = parse_quantity("1 " + unit.name, kAnyQuantity);
    EXPECT_EQ(one.fault, "") << unit.name;
    EXPECT_DOUBLE_EQ(one.value, unit.size) << unit.name;
    const ParsedQuantity thousand = parse_quantity("1 k" + unit.name, kAnyQuantity);
    EXPECT_EQ(thousand.fault.empty(), unit.takes_prefix) << unit.name;
    if (unit.takes_prefix) {
      EXPECT_DOUBLE_EQ(thousand.value, 1000 * unit.size) << unit.name;
    }
  }
}

}  // namespace
}  // namespace torsor
