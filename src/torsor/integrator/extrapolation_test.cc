#include "torsor/integrator/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace torsor {
namespace {

/// Whole numbers, so that nothing is rounded. The sizes fill blocks of eight in part, once and more.
TEST(StepExtrapolation, ContinuesPolynomialsExactly) {
  for (const std::size_t size : {1u, 7u, 8u, 9u, 20u}) {
    for (int degree = 0; degree <= 8; ++degree) {
      Extrapolation history(size, 8);
      std::vector<double> x(size);
      const auto set = [&](int n) {
        for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<double>(i + 1) * std::pow(n, degree);
      };
      for (int n = 0; n <= 40; ++n) {
        set(n);
        history.remember(x);
      }
      std::vector<double> guess(size);
      history.predict(guess);
      set(41);
      EXPECT_EQ(guess, x) << size << ", degree " << degree;
    }
  }
}

/// What swings from step to step is better kept than continued.
TEST(StepExtrapolation, DoesNotContinueNoise) {
  Extrapolation history(1, 8);
  for (int n = 0; n < 30; ++n) {
    const std::vector<double> x{n % 2 == 0 ? 1.0 : -1.0};
    history.remember(x);
  }
  std::vector<double> guess(1);
  history.predict(guess);
  EXPECT_EQ(guess[0], -1);
}

}  // namespace
}  // namespace torsor
