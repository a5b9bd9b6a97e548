#pragma once
// Coefficients of explicit Runge-Kutta methods.

#include <array>

namespace torsor {

inline constexpr int kMaxStages = 7;

/// Row i holds the weights of the stages before it.
struct ExplicitTableau {
  int stages = 0;
  std::array<std::array<double, kMaxStages>, kMaxStages> a{};
  std::array<double, kMaxStages> b{}, c{};
};

/// Dormand and Prince (1980), order 5: the last stage is the first of the next step.
inline constexpr ExplicitTableau kDormandPrince{
    7,
    {{{},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1}};

}  // namespace torsor
