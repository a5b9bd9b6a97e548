#include "bench/agreement.h"
#include "torsor/base/norm.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace torsor::bench {
namespace {

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double scale = 0, worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!std::isfinite(a[k])) return std::numeric_limits<double>::infinity();
    scale = larger(scale, std::abs(b[k]));
    worst = larger(worst, std::abs(a[k] - b[k]));
  }
  return worst / scale;
}

double relative_difference(const Blocks& a, const Blocks& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = larger(worst, relative_difference(a[k], b[k]));
  return worst;
}

/// -M^-1 dQ/dq, -M^-1 dQ/dqd and M^-1 of the first contenders for M and the derivatives of Q, by a dense
/// Cholesky decomposition: a way that shares nothing with the articulated recursions.
std::vector<Blocks> dense_derivatives(std::span<const Contender> contenders, const States& states) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto first = [&](Algorithm algorithm) {
    return std::find_if(contenders.begin(), contenders.end(),
                        [=](const Contender& contender) { return contender.algorithm == algorithm; });
  };
  const auto mass = first(Algorithm::mass_matrix);
  const auto derivatives = first(Algorithm::inverse_dynamics_derivatives);
  std::vector<Blocks> all;
  for (int i = 0; i < states.size() && derivatives != contenders.end(); ++i) {
    const auto n = static_cast<Eigen::Index>(states.qd[i].size());
    const Blocks M = mass->result(i), Q = derivatives->result(i);
    const Eigen::LLT<Matrix> factor(Eigen::Map<const Matrix>(M[0].data(), n, n));
    Blocks blocks(3, std::vector<double>(M[0].size()));
    for (int k = 0; k < 2; ++k)
      Eigen::Map<Matrix>(blocks[k].data(), n, n) = -factor.solve(Eigen::Map<const Matrix>(Q[k].data(), n, n));
    Eigen::Map<Matrix>(blocks[2].data(), n, n) = factor.solve(Matrix::Identity(n, n));
    all.push_back(std::move(blocks));
  }
  return all;
}

}  // namespace

Errors errors(std::span<const Contender> contenders, Algorithm algorithm, const States& states) {
  std::vector<Blocks> truth;
  if (algorithm == Algorithm::forward_dynamics)
    for (const auto& qdd : states.qdd) truth.push_back({qdd});
  if (algorithm == Algorithm::forward_dynamics_derivatives) truth = dense_derivatives(contenders, states);
  Errors result;
  double best = std::numeric_limits<double>::infinity();
  for (const Contender& contender : contenders) {
    if (contender.algorithm != algorithm) continue;
    for (int i = static_cast<int>(truth.size()); i < states.size(); ++i) truth.push_back(contender.result(i));
    double worst = 0;
    for (int i = 0; i < states.size(); ++i)
      worst = larger(worst, relative_difference(contender.result(i), truth[i]));
    if (contender.engine == "torsor")
      result.ours = larger(result.ours, worst);
    else
      result.pinocchio = best = smaller(best, worst);
  }
  return result;
}

}  // namespace torsor::bench
