#pragma once
// An integrator for reference solutions: it shares nothing with those of the engine.

#include <array>
#include <cstddef>

namespace torsor::testing {

/// Gragg's modified midpoint rule extrapolated by Bulirsch and Stoer (Aitken-Neville in h^2), order 16, in
/// equal basic steps. y' = f(t, y); State is a list of Real.
template <class Real, class State, class Function>
State gragg_bulirsch_stoer(const Function& f, State y, Real start, Real end, int basic_steps) {
  constexpr int kColumns = 8;
  const Real H = (end - start) / basic_steps;
  const auto add = [](State a, Real factor, const State& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
    return a;
  };
  for (int step = 0; step < basic_steps; ++step) {
    const Real t = start + step * H;
    std::array<State, kColumns> row;
    for (int k = 0; k < kColumns; ++k) {
      const int n = 2 * (k + 1);
      const Real h = H / n;
      State before = y, now = add(y, h, f(t, y));
      for (int m = 1; m < n; ++m) {
        const State next = add(before, 2 * h, f(t + m * h, now));
        before = now;
        now = next;
      }
      State left = add(now, h, f(t + H, now));
      for (std::size_t i = 0; i < left.size(); ++i) left[i] = (before[i] + left[i]) / 2;
      for (int j = 1; j <= k; ++j) {  // Aitken-Neville along the row, in place
        const Real ratio = Real(n) / Real(2 * (k - j + 1));
        State improved = left;
        for (std::size_t i = 0; i < improved.size(); ++i) {
          improved[i] += (left[i] - row[j - 1][i]) / (ratio * ratio - 1);
        }
        row[j - 1] = left;
        left = improved;
      }
      row[k] = left;
    }
    y = row[kColumns - 1];
  }
  return y;
}

}  // namespace torsor::testing
