#include "torsor/model/muscle_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/base/norm.h"

namespace torsor {
namespace {

Muscle muscle_of(Muscle::Law law, double pennation, double strain) {
  Muscle muscle;
  muscle.law = law;
  muscle.excitation = make_expression("0.5 + 0.4*sin(20*t)", {});
  muscle.max_force = 800;
  muscle.fibre_length = 0.12;
  muscle.slack_length = 0.2;
  muscle.pennation = pennation;
  muscle.tendon_strain = strain;
  return muscle;
}

std::vector<Muscle> muscles(double strain) {
  std::vector<Muscle> all;
  for (const Muscle::Law law : {Muscle::Law::hill, Muscle::Law::mujoco}) {
    for (const double pennation : {0.0, 0.3}) all.push_back(muscle_of(law, pennation, strain));
  }
  return all;
}

/// mju_muscleGain and mju_muscleBias of MuJoCo 4.0 with range (0.75, 1.05), lmin 0.5, lmax 1.6, vmax 1.5, fpmax 1.3,
/// fvmax 1.2: lengthrange, force, length, velocity; minus gain, minus bias.
TEST(MuscleLaw, MujocoLawIsThatOfMujoco) {
  constexpr double kRows[][7] = {
      {0.30236432494005139, 0.7851391088977806, 114.87182572383519, -0.019485531031768033,
       -2.1724865278097814, 0.022974365144767066, 0},
      {0.38972988942744879, 0.59354943560314566, 240.49690203765905, 0.35575996506483265, 0.10190977308784843,
       88.502859949858475, 0},
      {0.36554051876408838, 0.62275974091074837, 297.31715945287681, 0.49415012983741841,
       -0.38582883321998995, 134.03057548135686, 0},
      {0.20551182264861367, 0.726053932602442, 292.16449094867517, 0.8128109509280802, 1.3013552748845709,
       331.11975640849846, 21.100768790737686},
      {0.26594634329981848, 0.7365286110285213, 186.43767318124026, 0.97181974489287259, 0.1176455669321757,
       157.69519856579905, 53.859772252358255},
      {0.29069957789613032, 0.54021250917414942, 231.40084390120816, 0.78972544045216864, -1.4970775876681146,
       0, 200.54739804771378},
      {0.24069104813522993, 0.57869400213255484, 387.66410268352365, 1.0856984331285424, 0,
       21.536894593529027, 587.95722240334453},
      {0.25608175159720803, 0.64555729232949055, 491.33173991055736, 1.4894209639161027, 0.29210665554921189,
       0, 1171.0073134534953},
      {0.39233143873275739, 0.71743698223206009, 293.5520849963454, 0.06722589523345468, 0.32510554349930271,
       0, 0},
      {0.25537824080907418, 0.54819560263253808, 486.46643594725964, 0.54819560263253808,
       -0.87845208547039166, 76.753593227234305, 8.783421760158868},
      {0.30321371710957579, 0.53475968374123106, 330.57038999187517, 0.34180471154818504, 0.34731894994748291,
       269.74543823337018, 0},
      {0.35533662286845963, 0.68390099031591212, 462.78396715590623, 0.90294390194754715,
       0.032856436744745247, 313.57470307872256, 208.89554073009688},
  };
  for (const auto& [low, high, force, length, rate, gain, bias] : kRows) {
    Muscle muscle;
    muscle.law = Muscle::Law::mujoco;
    muscle.max_force = force;
    muscle.max_velocity = 1.5;
    muscle.fibre_damping = 0;
    set_operating_range(muscle, {low, high});
    const MuscleLaw law(muscle);
    const LawPair at{length, length, rate, 0, 1, 0};
    EXPECT_NEAR(law.between(at, 0).tension, bias, 1e-12 * force);         // measured 1e-15
    EXPECT_NEAR(law.between(at, 1).tension, gain + bias, 1e-12 * force);  // measured 1e-15
    EXPECT_NEAR(law.between(at, 0.3).tension, 0.3 * gain + bias, 1e-12 * force);
  }
}

/// mju_muscleDynamics of MuJoCo 4.0 with timeconst (0.01, 0.04): control, activation, tausmooth; rate.
TEST(MuscleLaw, ActivationFollowsAsInMujoco) {
  constexpr double kRows[][4] = {{0.9, 0.1, 0, 123.07692307692307},
                                 {0.2, 0.7, 0, -19.374999999999996},
                                 {1, 0, 0, 200},
                                 {0, 1, 0, -50},
                                 {0.5, 0.45, 0.2, 3.5567879237117461},
                                 {0.45, 0.5, 0.2, -1.6676981205823911},
                                 {0.5, 0.5, 0.1, 0},
                                 {0.3, 0.42, 0.1, -3.3899999999999992},
                                 {1.4, 0.9, 0, 5.4054054054054035},
                                 {-0.2, 0.05, 0.3, -0.89012477513957466}};
  for (const auto& [control, activation, smoothing, rate] : kRows) {
    Muscle muscle;
    muscle.excitation = control;
    muscle.smoothing = smoothing;
    const MuscleLaw law(muscle);
    EXPECT_NEAR(law.activation_rate(law.excitation(0), activation), rate, 1e-12);  // measured 1.1e-16
  }
}

TEST(MuscleLaw, ForceVelocityIsOneAtRestAndIncreases) {
  for (const Muscle& muscle : muscles(0)) {
    EXPECT_NEAR(force_velocity(muscle, 0).value, 1, 1e-15);
    EXPECT_NEAR(force_velocity(muscle, -1).value, 0, 1e-15);
    EXPECT_NEAR(active_force_length(muscle, 1).value, 1, 1e-15);
    for (double v = -1.5; v < 1.5; v += 0.01) {
      EXPECT_LE(force_velocity(muscle, v).value, force_velocity(muscle, v + 0.01).value);
    }
  }
}

TEST(MuscleLaw, CurvesHaveTheirSlopesAndMeans) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> length(0.1, 2.4), speed(-1.3, 1.3);
  constexpr double kStep = 1e-6;
  for (const Muscle& muscle : muscles(0.04)) {
    const PassiveCurve passive{muscle.law, 0.5 * (muscle.greatest_length - 1), muscle.passive_force};
    for (int i = 0; i < 200; ++i) {
      const double x = length(random), y = length(random), v = speed(random);
      const auto slope = [&](auto&& f, double at) { return (f(at + kStep) - f(at - kStep)) / (2 * kStep); };
      EXPECT_NEAR(active_force_length(muscle, x).slope,
                  slope([&](double at) { return active_force_length(muscle, at).value; }, x), 1e-5);
      EXPECT_NEAR(force_velocity(muscle, v).slope,
                  slope([&](double at) { return force_velocity(muscle, at).value; }, v), 1e-5);
      EXPECT_NEAR(passive.at(x).slope, slope([&](double at) { return passive.at(at).value; }, x), 1e-5);
      EXPECT_NEAR(passive.at(x).value, slope([&](double at) { return passive.integral(at); }, x), 1e-8);
      for (const double b : {y, x + 0.01 * (y - x), x}) {
        const CurvePoint found = mean(passive, x, b);
        EXPECT_NEAR(found.value * (b - x), passive.integral(b) - passive.integral(x),
                    2e-14);  // measured 7e-16
        if (b == x) continue;
        EXPECT_NEAR(found.slope, slope([&](double at) { return mean(passive, x, at).value; }, b), 1e-4);
      }
    }
  }
}

/// T dl = dU - work + taken, taken >= 0: exactly, whatever the step.
TEST(MuscleLaw, AStepBalancesItsEnergyExactly) {
  std::mt19937 random(2);
  std::uniform_real_distribution<> length(0.24, 0.42), activation(0, 1), logarithm(-4, -1), fibre(0.6, 1.3);
  for (const double strain : {0.0, 0.04}) {
    for (const Muscle& muscle : muscles(strain)) {
      const MuscleLaw law(muscle);
      for (int i = 0; i < 300; ++i) {
        const double h = std::pow(10.0, logarithm(random)), a = length(random);
        const double b = a + std::clamp(h, 0.0, 0.03) * (activation(random) - 0.5), e = activation(random);
        const double p = strain > 0 ? a - 0.2 * (1 + 0.03 * fibre(random)) : 0;
        const LawPair pair{a, b, (b - a) / h, 0, 0.5, 1 / h};
        const MuscleEffort f = strain > 0 ? law.between(pair, e, p, h) : law.between(pair, e);
        const double stored = law.potential(b, f.share) - law.potential(a, p);
        const double scale = 800 * 0.12;
        EXPECT_NEAR(f.tension * (b - a), stored - h * f.work + h * f.taken,
                    1e-14 * scale);  // measured 1.4e-15
        EXPECT_GE(f.taken, 0);
      }
    }
  }
}

TEST(MuscleLaw, SlopesAreDerivatives) {
  std::mt19937 random(3);
  std::uniform_real_distribution<> length(0.29, 0.36), activation(0.1, 0.9), speed(-0.3, 0.3);
  constexpr double kStep = 1e-7, h = 0.01;
  double worst = 0;
  const auto compare = [&](double slope, double after, double before) {
    keep_largest(worst, std::abs(slope - (after - before) / (2 * kStep)) / (std::abs(slope) + 1e3));
  };
  for (const Muscle& muscle : muscles(0)) {
    const MuscleLaw law(muscle);
    for (int i = 0; i < 50; ++i) {
      const double a = length(random), b = a + 0.003 * speed(random), e = activation(random);
      const auto step = [&](double end) { return law.between({a, end, (end - a) / h, 0, 0.5, 1 / h}, e); };
      compare(step(b).by_length, step(b + kStep).tension, step(b - kStep).tension);
      const double rate = speed(random);
      const auto state = [&](double at, double v) { return law.between({at, at, v, 0, 1, 0}, e); };
      compare(state(b, rate).by_length, state(b + kStep, rate).tension, state(b - kStep, rate).tension);
      compare(state(b, rate).by_rate, state(b, rate + kStep).tension, state(b, rate - kStep).tension);
    }
  }
  for (const Muscle& muscle : muscles(0.04)) {
    const MuscleLaw law(muscle);
    for (int i = 0; i < 50; ++i) {
      const double a = length(random), b = a + 0.003 * speed(random), e = activation(random);
      const double p = law.start_share(a, e);
      const auto step = [&](double end) {
        return law.between({a, end, (end - a) / h, 0, 0.5, 1 / h}, e, p, h);
      };
      compare(step(b).by_length, step(b + kStep).tension, step(b - kStep).tension);
      const auto state = [&](double at) { return law.at(at, e, p); };
      compare(state(b).by_length, state(b + kStep).tension, state(b - kStep).tension);
      const auto implicit = [&](double at) { return law.implicit(at, e, p, h); };
      compare(implicit(b).by_length, implicit(b + kStep).tension, implicit(b - kStep).tension);
    }
  }
  EXPECT_LE(worst, 1e-7);  // measured 1e-9
}

TEST(MuscleLaw, FibresStartInBalanceAndStayThere) {
  for (const Muscle& muscle : muscles(0.04)) {
    const MuscleLaw law(muscle);
    for (const double length : {0.27, 0.3, 0.33, 0.36}) {
      for (const double activation : {0.0, 0.2, 1.0}) {
        const double p = law.start_share(length, activation);
        const MuscleEffort f = law.at(length, activation, p);
        EXPECT_NEAR(f.share_rate, 0, 1e-11);  // measured 8e-14
        EXPECT_NEAR(law.between({length, length, 0, 0, 0.5, 100}, activation, p, 0.01).share, p, 1e-14);
      }
    }
  }
}

TEST(MuscleLaw, ActivationStaysBetweenZeroAndOneInLongSteps) {
  Muscle muscle;
  muscle.excitation = make_table({{0, 0}, {0.1, 0}, {0.1001, 1}, {0.3, 1}, {0.3001, 0}});
  const MuscleLaw law(muscle);
  for (const double h : {0.001, 0.01, 0.05, 0.1}) {
    double a = 0;
    for (double t = 0; t < 0.6; t += h) {
      a = law.activation_after(a, t, t + h);
      EXPECT_GE(a, 0);
      EXPECT_LE(a, 1);
    }
  }
}

TEST(MuscleLaw, ActivationFollowsWithOrderFour) {
  Muscle muscle = muscle_of(Muscle::Law::hill, 0, 0);
  muscle.smoothing = 2;
  const MuscleLaw law(muscle);
  const auto after = [&](double h) {
    double a = 0.2;
    for (int i = 0; i < std::lround(0.1 / h); ++i) a = law.activation_after(a, i * h, (i + 1) * h);
    return a;
  };
  const double exact = after(1e-5), coarse = after(1e-3) - exact, fine = after(5e-4) - exact;
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);  // measured 4.02
}

TEST(MuscleLaw, ImplicitActivationSolvesItsEquation) {
  for (const double smoothing : {0.0, 0.3}) {
    Muscle muscle;
    muscle.smoothing = smoothing;
    for (const double u : {0.0, 0.3, 1.0}) {
      muscle.excitation = u;
      const MuscleLaw law(muscle);
      for (const double base : {-0.1, 0.0, 0.5, 1.0, 1.3}) {
        for (const double gain : {1e-3, 1e-2, 0.1}) {
          const double a = law.implicit_activation(base, gain, 0);
          EXPECT_NEAR(a, base + gain * law.activation_rate(u, a), 1e-13);  // measured 3e-16
        }
      }
    }
  }
}

}  // namespace
}  // namespace torsor
