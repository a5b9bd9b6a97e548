#include "torsor/numerics/gathered_kkt.h"

#include <algorithm>

namespace torsor {
namespace {

/// Once the least pivot has fallen by so much since rows were chosen, others may be the better ones.
constexpr double kWorse = 0.1;
/// Below it an eigenvalue counts as zero. `kUsual`: a pivot where none is known.
constexpr double kZero = 1e-11, kUsual = 1e-6;
/// What is on the diagonal where all rows are taken, over the least pivot and what a joint's own bodies make of a row.
/// With less, rounding shows in multipliers that act on nothing; so in a singular position, where no pivot is left, it is
/// that of the least one that still is a pivot.
constexpr double kShift = 1e-3, kLeastPivot = 1e-9;
/// A direction that adds less, squared, to what is left of a solution is rounding.
constexpr double kNothing = 1e-8;
/// Refinements that may always be made. By a fold more directions than these are softer than the shift, and without their
/// part Newton's method stalls. So there are more of them as long as more than `kEnough`, squared, is left of what the
/// first solution left; elsewhere that is seldom so.
constexpr int kFirst = 3;
constexpr double kEnough = 1e-12;

}  // namespace

template <int W>
GatheredKkt<W>::GatheredKkt(const SparsePattern& pattern, int redundant)
    : kkt_(pattern), redundant_(redundant), x_(kkt_.size()), idle_before_(kkt_.size()) {
  if (redundant == 0) return;
  z_.fill(std::vector<double>(kkt_.size()));
  w_.fill(std::vector<double>(kkt_.size()));
  left_.resize(kkt_.size());
}

template <int W>
void GatheredKkt<W>::gather(const Sources& sources) {
  kkt_.clear();
  for (const Copy& copy : copies_) {
    const double* from = sources[copy.source] + copy.from;
    const BlockView to = kkt_.at(copy.to);
    for (int i = 0; i < copy.rows; ++i, from += copy.stride) {
      for (int j = 0; j < copy.columns; ++j) to(i, j) = from[j];
    }
  }
}

template <int W>
bool GatheredKkt<W>::factorise(const Sources& sources) {
  if (!needs_all_rows()) {
    choose_rows_again();
    gather(sources);
    return kkt_.factorise();
  }
  take_all_rows();
  gather(sources);
  shift_ = kShift * std::max(pivot_, kLeastPivot);
  for (std::size_t row = 0; row < border_.size(); ++row) {
    kkt_.at(border_[row])(0, 0) -= shift_ * kkt_.scales()[border_entry(row)];
  }
  return kkt_.factorise();
}

template <int W>
void GatheredKkt<W>::take_all_rows() {
  if (takes_all_rows_) return;
  idle_before_ = kkt_.idle();
  kkt_.clear_idle();
  takes_all_rows_ = true;
}

template <int W>
void GatheredKkt<W>::choose_rows_again() {
  if (takes_all_rows_) kkt_.set_idle(idle_before_);
  takes_all_rows_ = false;
}

template <int W>
bool GatheredKkt<W>::factorise_bare(const Sources& sources) {
  choose_rows_again();
  gather(sources);
  if (redundant_ == 0) kkt_.clear_idle();
  if (kkt_.idle_count() == redundant_) {
    const bool regular = kkt_.factorise_and_watch();
    pivot_ = kkt_.least_pivot();
    if (redundant_ == 0 || (regular && pivot_ > kWorse * chosen_pivot_)) return regular;
    gather(sources);
  }
  idle_before_ = kkt_.idle();
  const bool usable = kkt_.factorise_and_judge();
  pivot_ = kkt_.least_pivot();
  if (kkt_.idle_count() == redundant_) {
    chosen_pivot_ = pivot_;
    return usable;
  }
  // Rounding of rows that are left out may look like an independent row. In a singular position more rows depend on
  // others than those that are left out.
  const bool had_rows = std::count(idle_before_.begin(), idle_before_.end(), 1) == redundant_;
  gather(sources);
  kkt_.shift_joints(kZero, kkt_.scales());
  if (kkt_.count_below() == redundant_) pivot_ = had_rows ? chosen_pivot_ : kUsual;
  if (had_rows) kkt_.set_idle(idle_before_);
  gather(sources);
  return kkt_.factorise();
}

template <int W>
bool GatheredKkt<W>::factorise_what_is_independent(const Sources& sources) {
  choose_rows_again();
  gather(sources);
  return kkt_.factorise_and_judge();
}

template <int W>
bool GatheredKkt<W>::factorise_shifted(const Sources& sources, double shift) {
  take_all_rows();
  shift_ = 0;
  gather(sources);
  for (std::size_t row = 0; row < border_.size(); ++row) {
    const double unit = border_unit(row);
    kkt_.at(border_[row])(0, 0) -= shift * unit * unit;
  }
  return kkt_.factorise();
}

template <int W>
void GatheredKkt<W>::drop_idle(std::span<double> nodes, std::span<double> border) const {
  if (needs_all_rows()) {
    // A step begins without: what acts on nothing would stay, and grow from step to step.
    if (!takes_all_rows_) std::fill(border.begin(), border.end(), 0.0);
    return;
  }
  if (kkt_.idle_count() == 0) return;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = kkt_.idle()[entry_[i]] ? 0 : nodes[i];
  for (std::size_t i = 0; i < border.size(); ++i) {
    border[i] = kkt_.idle()[entry_[nodes.size() + i]] ? 0 : border[i];
  }
}

template <int W>
void GatheredKkt<W>::solve(std::span<double> nodes, std::span<double> border) {
  for (std::size_t i = 0; i < nodes.size(); ++i) x_[entry_[i]] = nodes[i];
  for (std::size_t i = 0; i < border.size(); ++i) x_[entry_[nodes.size() + i]] = border[i];
  kkt_.solve(x_);
  if (takes_all_rows_ && shift_ > 0) refine();
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = x_[entry_[i]];
  for (std::size_t i = 0; i < border.size(); ++i) border[i] = x_[entry_[nodes.size() + i]];
}

/// With D = diag(shift) on the border and z = (A - D)^-1 r, A z = r + D nu(z): what is left of a solution lies in the
/// border's rows alone, and its next corrections come without the matrix. They are combined so that the least is left
/// (GCR; Eisenstat, Elman, Schultz 1983), for the directions in which A is smaller than D.
template <int W>
void GatheredKkt<W>::refine() {
  const std::size_t n = border_.size();
  const auto scale = [&](std::size_t i) { return shift_ * kkt_.scales()[border_entry(i)]; };
  const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i] / scale(i);
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) left_[i] = -scale(i) * x_[border_entry(i)];
  const double first = dot(left_, left_);
  for (int k = 0; k < kRefinements; ++k) {
    if (k >= kFirst && dot(left_, left_) <= kEnough * first) return;
    std::vector<double>&z = z_[k], &w = w_[k];
    std::fill(z.begin(), z.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) z[border_entry(i)] = left_[i];
    kkt_.solve(z);
    for (std::size_t i = 0; i < n; ++i) w[i] = left_[i] + scale(i) * z[border_entry(i)];
    for (int j = 0; j < k; ++j) {
      const double part = dot(w, w_[j]) / size_[j];
      for (std::size_t i = 0; i < n; ++i) w[i] -= part * w_[j][i];
      for (std::size_t i = 0; i < z.size(); ++i) z[i] -= part * z_[j][i];
    }
    size_[k] = dot(w, w);
    if (!(size_[k] > kNothing * dot(left_, left_))) return;
    const double part = dot(left_, w) / size_[k];
    for (std::size_t i = 0; i < n; ++i) left_[i] -= part * w[i];
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] += part * z[i];
  }
}

template class GatheredKkt<3>;
template class GatheredKkt<6>;

}  // namespace torsor
