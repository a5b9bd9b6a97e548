#include "torsor/model/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr double kPi = std::numbers::pi;

/// Sixth-order central differences of value and of rate.
void expect_exact_derivatives(const Program& program, double t, double tolerance, const std::string& what) {
  const double h = 1e-2;
  double rate = 0, acceleration = 0;
  const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  for (int i = 0; i < 3; ++i) {
    const Jet after = program.evaluate(t + (i + 1) * h), before = program.evaluate(t - (i + 1) * h);
    rate += weight[i] * (after.value - before.value) / h;
    acceleration += weight[i] * (after.rate - before.rate) / h;
  }
  const Jet jet = program.evaluate(t);
  EXPECT_NEAR(jet.rate, rate, tolerance * (1 + std::abs(rate))) << what << " at t = " << t;
  EXPECT_NEAR(jet.acceleration, acceleration, tolerance * (1 + std::abs(acceleration)))
      << what << " at t = " << t;
}

Program expression(const std::string& text) { return make_expression(text, {}, "x"); }

TEST(Program, NumberIsConstant) {
  const Program program = 3.5;
  const Jet jet = program.evaluate(7);
  EXPECT_EQ(jet.value, 3.5);
  EXPECT_EQ(jet.rate, 0);
  EXPECT_EQ(jet.acceleration, 0);
  EXPECT_TRUE(program.is_constant());
  EXPECT_TRUE(program.breakpoints().empty());
  EXPECT_EQ(Program().value(1), 0);
}

TEST(Program, HatRisesAndFalls) {
  const Program hat = make_hat(8, 2, 6);
  EXPECT_EQ(hat.value(-1), 0);
  EXPECT_EQ(hat.value(1), 4);
  EXPECT_EQ(hat.value(2), 8);
  EXPECT_EQ(hat.value(5), 2);
  EXPECT_EQ(hat.value(6), 0);
  EXPECT_EQ(hat.evaluate(1).rate, 4);
  EXPECT_EQ(hat.evaluate(2).rate, -2);  // the limit from the right
  EXPECT_EQ(hat.evaluate(7).rate, 0);
  EXPECT_EQ(hat.breakpoints(), (std::vector<double>{0, 2, 6}));
  EXPECT_EQ(hat.smoothness(), 0);
  EXPECT_FALSE(hat.is_constant());
}

TEST(Program, HatWithAWallJumps) {
  EXPECT_EQ(make_hat(1, 0, 2).smoothness(), -1);
  EXPECT_EQ(make_hat(1, 0, 2).value(0), 1);
  EXPECT_EQ(make_hat(1, 0, 2).breakpoints(), (std::vector<double>{0, 2}));
  EXPECT_EQ(make_hat(1, 2, 2).smoothness(), -1);
  EXPECT_TRUE(make_hat(0, 1, 2).is_constant());
}

TEST(Program, TableIsLinearBetweenRows) {
  const Program table = make_table({{1, 10}, {2, 20}, {4, 40}, {5, 0}});
  EXPECT_EQ(table.value(0), 10);
  EXPECT_EQ(table.value(1.5), 15);
  EXPECT_EQ(table.value(3), 30);
  EXPECT_EQ(table.value(4.5), 20);
  EXPECT_EQ(table.value(99), 0);
  EXPECT_EQ(table.evaluate(4).rate, -40);
  EXPECT_EQ(table.breakpoints(), (std::vector<double>{1, 4, 5}));  // (2, 20) lies on a straight line
  EXPECT_EQ(table.smoothness(), 0);
  EXPECT_TRUE(make_table({{0, 3}, {1, 3}}).is_constant());
  EXPECT_EQ(make_table({{0, 3}}).value(-7), 3);
}

// Uhlar-Betsch (81): t1 = 1, t2 = 2, t3 = 3, omega_0 = pi; the motion covers pi (t3 + t2 - t1)/2 = 2 pi.
TEST(Program, RestToRestOfTheExperiment) {
  const Program program = make_rest_to_rest(1, 2, 3, kPi);
  EXPECT_EQ(program.value(0), 0);
  EXPECT_NEAR(program.value(1), kPi / 2, 1e-15);
  EXPECT_NEAR(program.value(2), 1.5 * kPi, 2e-15);
  EXPECT_NEAR(program.value(3), 2 * kPi, 2e-15);
  EXPECT_EQ(program.value(9), program.value(3));
  EXPECT_EQ(program.smoothness(), 2);
  EXPECT_TRUE(program.breakpoints().empty());
}

TEST(Program, RestToRestIsContinuousWithTwoDerivatives) {
  const Program program = make_rest_to_rest(0.7, 1.9, 4.4, -2.3);
  const double eps = 1e-9;
  for (const double t : {0.0, 0.7, 1.9, 4.4}) {
    const Jet before = program.evaluate(t - eps), at = program.evaluate(t), after = program.evaluate(t + eps);
    for (const Jet& side : {before, after}) {
      EXPECT_NEAR(at.value, side.value, 1e-8) << t;                 // rate * eps
      EXPECT_NEAR(at.rate, side.rate, 1e-14) << t;                  // the blend starts with x^5
      EXPECT_NEAR(at.acceleration, side.acceleration, 1e-14) << t;  // measured 9e-33
    }
  }
  for (const double t : {-0.5, 0.2, 0.5, 1.2, 2.5, 3.3, 4.2, 5.0}) {
    expect_exact_derivatives(program, t, 1e-7, "rest to rest");  // measured 3e-8: the differences
  }
  EXPECT_EQ(program.evaluate(4.4).rate, 0);
}

TEST(Expression, KnownValues) {
  const std::vector<std::pair<std::string, double>> table = {{"1 + 2*3", 7},
                                                             {"(1+2)*3", 9},
                                                             {"-2^2", -4},
                                                             {"2^3^2", 512},
                                                             {"2^-1", 0.5},
                                                             {"8/4/2", 1},
                                                             {"10-4-3", 3},
                                                             {"1.5e2 + .5", 150.5},
                                                             {"2e-1", 0.2},
                                                             {"--3", 3},
                                                             {"+3", 3},
                                                             {"pi", kPi},
                                                             {"log(e)", 1},
                                                             {"sin(pi/2)", 1},
                                                             {"atan2(1, -1)", 3 * kPi / 4},
                                                             {"min(3, -2)", -2},
                                                             {"max(3, -2)", 3},
                                                             {"abs(-4.5)", 4.5},
                                                             {"sqrt(2)^2", 2},
                                                             {"tanh(0)", 0},
                                                             {"exp(0)", 1},
                                                             {"acos(-1)", kPi},
                                                             {"sinh(1)^2 - cosh(1)^2", -1},
                                                             {"asin(1) + atan(1)", 0.75 * kPi},
                                                             {"tan(pi/4)", 1},
                                                             {"2*-3", -6},
                                                             {"0^0", 1},
                                                             {" \t\n7 ", 7}};
  for (const auto& [text, value] : table) {
    const Program program = expression(text);
    EXPECT_NEAR(program.value(0), value, 1e-15 * (4 + std::abs(value))) << text;
    EXPECT_TRUE(program.is_constant()) << text;
    EXPECT_EQ(program.evaluate(1).rate, 0) << text;
    EXPECT_EQ(program.evaluate(1).acceleration, 0) << text;
  }
}

TEST(Expression, DerivativesAreExact) {
  const char* texts[] = {"0.1*sin(2*pi*t)",
                         "t^3 - 2*t",
                         "exp(-t/2)*cos(3*t)",
                         "1/(1+t^2)",
                         "sqrt(1+t)*log(2+t)",
                         "atan2(sin(t), 2+cos(t))",
                         "asin(t/4)",
                         "acos(t/4)*tan(t/3)",
                         "atan(t)*sinh(t)/cosh(t)",
                         "tanh(t-1)",
                         "(2+t)^t",
                         "(1+t)^2.5",
                         "abs(sin(t)+2)",
                         "min(t, 10)*max(t, -10)",
                         "2^t",
                         "t^1 + t^0",
                         "-(t-3)*-t"};
  std::mt19937 random(7);
  for (const char* text : texts) {
    const Program program = expression(text);
    for (int i = 0; i < 20; ++i) {
      const double t = std::uniform_real_distribution<>(0.1, 2.5)(random);
      expect_exact_derivatives(program, t, 1e-8, text);  // measured 2e-9: the differences, not the jets
    }
  }
}

TEST(Expression, IntegerPowersAreSmoothAtZero) {
  const Jet square = expression("t^2").evaluate(0);
  EXPECT_EQ(square.value, 0);
  EXPECT_EQ(square.rate, 0);
  EXPECT_EQ(square.acceleration, 2);
  const Jet line = expression("t^1").evaluate(0);
  EXPECT_EQ(line.rate, 1);
  EXPECT_EQ(line.acceleration, 0);
  EXPECT_EQ(expression("sqrt(0*t)").evaluate(1).rate, 0);
}

TEST(Expression, KinksTakeTheLimitFromTheRight) {
  const Program program = expression("abs(t-1)");
  EXPECT_EQ(program.evaluate(0.5).rate, -1);
  EXPECT_EQ(program.evaluate(1).rate, 1);
  EXPECT_EQ(expression("min(t, 2-t)").evaluate(1).rate, -1);
  EXPECT_EQ(expression("max(t, 2-t)").evaluate(1).rate, 1);
  EXPECT_EQ(expression("abs(-t^2)").evaluate(0).acceleration, 2);
  EXPECT_EQ(program.smoothness(), 0);
  EXPECT_EQ(expression("sin(t)").smoothness(), 2);
  EXPECT_EQ(expression("abs(-3)*t").smoothness(), 0);
}

TEST(Expression, UsesProgramsByName) {
  const Program s = make_rest_to_rest(1, 2, 3, kPi);
  const Program program = make_expression("sin(2*s)/16", {{"s", s}}, "x");
  for (const double t : {0.3, 1.4, 2.6, 3.5}) {
    EXPECT_NEAR(program.value(t), std::sin(2 * s.value(t)) / 16, 1e-16);
    EXPECT_NEAR(program.evaluate(t).rate, std::cos(2 * s.value(t)) / 8 * s.evaluate(t).rate, 1e-15);
  }
  expect_exact_derivatives(program, 0.6, 1e-6, "figure eight");  // measured 4e-8
  EXPECT_EQ(program.smoothness(), 2);

  const Program kinked =
      make_expression("a*b", {{"a", make_hat(1, 1, 2)}, {"b", make_table({{1, 0}, {3, 1}})}}, "x");
  EXPECT_EQ(kinked.breakpoints(), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(kinked.smoothness(), 0);
  EXPECT_FALSE(kinked.is_constant());
  EXPECT_TRUE(make_expression("a+1", {{"a", 2.0}}, "x").is_constant());
}

struct Malformed {
  std::string text, expected, found;
};

TEST(Expression, FaultsNameThePlaceAndWhatIsMissing) {
  const Malformed table[] = {
      {"", "a number, a name or '(' at character 1", "the end"},
      {"1 +", "a number, a name or '(' at character 4", "the end"},
      {"(1 + 2", "')' at character 7", "the end"},
      {"1 2", "an operator or the end at character 3", "'2'"},
      {"1 $ 2", "an operator or the end at character 3", "'$'"},
      {"snn(t)", "t, pi, e, a function or a named program at character 1", "'snn' (did you mean 'sin'?)"},
      {"2*sped", "t, pi, e, a function or a named program at character 3", "'sped' (did you mean 'speed'?)"},
      {"2*µ", "a number, a name or '(' at character 3", "'µ'"},
      {"µ", "a number, a name or '(' at character 1", "'µ'"},
      {"1 ≤ t", "an operator or the end at character 3", "'≤'"},
      {"(t) tttttttttttttttä", "an operator or the end at character 5", "'tttttttttttttttä'"},
      {"sin t", "'(' after sin at character 5", "'t'"},
      {"atan2(1)", "',' and 2 arguments of atan2 at character 8", "')'"},
      {"sin(1, 2)", "')' after the arguments of sin at character 6", "','"},
      {"2**3", "a number, a name or '(' at character 3", "'*'"},
      {"1e999", "a number within the range of double precision at character 1", "'1'"},
      {".", "a number at character 1", "'.'"},
      {"1/t + speed", "a finite value at t = 0", "inf"},
      {"log(-1) + speed", "a finite value at t = 0", "nan"},
      {"t", "a use of every named program", "'speed' unused"},
      {std::string("1\0+2", 4), "an operator or the end at character 2", "'?'"},
      {std::string(5000, '1'), "at most 4096 characters", "5000"},
      {std::string(60, '('), "at most 48 levels of nesting at character 49", "more"},
      {std::string(60, '-') + "1", "at most 48 levels of nesting at character 49", "more"}};
  for (const auto& [text, expected, found] : table) {
    try {
      make_expression(text, {{"speed", 1.0}}, "actuators.motor.effort.expression");
      FAIL() << "accepted: " << text;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, "actuators.motor.effort.expression");
      EXPECT_EQ(error.expected, expected) << text;
      EXPECT_EQ(error.found, found) << text;
    }
  }
}

TEST(Expression, NamedProgramsAreBounded) {
  EXPECT_THROW(make_expression("sin", {{"sin", 1.0}}, "x"), ModelError);
  EXPECT_THROW(make_expression("a", {{"a b", 1.0}}, "x"), ModelError);
  EXPECT_THROW(make_expression("a", {{"a", 1.0}, {"a", 2.0}}, "x"), ModelError);
  Program nested = make_expression("t", {}, "x");
  EXPECT_THROW(
      {
        for (int i = 0; i < 20; ++i) nested = make_expression("a+a", {{"a", nested}}, "x");
      },
      ModelError);
  EXPECT_EQ(nested.depth(), 8);
  EXPECT_EQ(nested.value(1), 128);
}

TEST(Program, BadNumbersAreRefused) {
  const double nan = std::nan(""), inf = INFINITY;
  EXPECT_THROW(make_hat(nan, 1, 2), ModelError);
  EXPECT_THROW(make_hat(1, 3, 2), ModelError);
  EXPECT_THROW(make_hat(1, -1, 2), ModelError);
  EXPECT_THROW(make_hat(1, 0, inf), ModelError);
  EXPECT_THROW(make_table({}), ModelError);
  EXPECT_THROW(make_table({{0, 1}, {0, 2}}), ModelError);
  EXPECT_THROW(make_table({{0, nan}}), ModelError);
  EXPECT_THROW(make_table({{0, -1e308}, {1e-300, 1e308}}), ModelError);
  EXPECT_THROW(make_rest_to_rest(0, 1, 2, 1), ModelError);
  EXPECT_THROW(make_rest_to_rest(1, 0.5, 2, 1), ModelError);
  EXPECT_THROW(make_rest_to_rest(1, 2, 2, 1), ModelError);
  EXPECT_THROW(make_rest_to_rest(1, 2, 3, inf), ModelError);
  try {
    make_hat(1, 3, 2, "actuators.motor.effort.hat");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "actuators.motor.effort.hat.rise");
    EXPECT_EQ(error.found, "3");
  }
}

/// The third derivative by differences of the second, of every kind of program and function.
TEST(Program, JerkIsTheSlopeOfTheAcceleration) {
  const Program all[] = {
      make_expression("sin(2*t)*exp(-t) + tan(t/3) + t^3 - 2*t^2", {}),
      make_expression("asin(t/4) + acos(t/5) + atan(t) + atan2(t, 2) + log(1 + t) + sqrt(2 + t)", {}),
      make_expression("sinh(t) - cosh(t/2)*tanh(t) + 1/(1 + t^2) + (1 + t)^t + abs(t - 3)", {}),
      make_expression("sin(3*s)", {{"s", make_rest_to_rest(1, 2, 3, 0.7)}}),
      make_rest_to_rest(1, 2, 3, 0.7),
      make_hat(2, 1, 3),
      make_table({{0, 1}, {2, 5}}),
      Program(3.0)};
  for (const Program& program : all) {
    for (const double t : {0.3, 0.8, 1.4, 2.6}) {
      const double h = 1e-3;
      const auto a = [&](double at) { return program.evaluate(at).acceleration; };
      const double slope = (8 * (a(t + h) - a(t - h)) - (a(t + 2 * h) - a(t - 2 * h))) / (12 * h);
      EXPECT_NEAR(program.jerk(t), slope, 1e-8 * std::max(1.0, std::abs(slope))) << t;  // measured 3e-9
    }
  }
  EXPECT_EQ(make_expression("t^3", {}).jerk(0), 6);  // where value, rate and acceleration vanish
}

}  // namespace
}  // namespace torsor
