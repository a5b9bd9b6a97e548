#include "torsor/numerics/gathered_kkt.h"

#include <algorithm>

namespace torsor {
namespace {

/// Once the least pivot has fallen by so much since rows were chosen, others may be the better ones.
constexpr double kWorse = 0.1;
/// Below the one an eigenvalue counts as zero, and below the other a least pivot is that of a singular position, near
/// which iterations with all rows would not converge. `kUsual`: a pivot where none is known.
constexpr double kZero = 1e-11, kSingular = 1e-9, kUsual = 1e-6;
/// What is on the diagonal then, over the least pivot and what a joint's own bodies make of a row: by so much an
/// iteration falls short in the worst direction. With less, rounding shows in multipliers that act on nothing.
constexpr double kShift = 1e-5, kMostShift = 1e-2, kLeastShift = 1e-10;

}  // namespace

template <int W>
GatheredKkt<W>::GatheredKkt(const SparsePattern& pattern, int redundant)
    : kkt_(pattern), redundant_(redundant), x_(kkt_.size()), idle_before_(kkt_.size()) {}

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
  const double shift = std::max(kShift * pivot_, std::min(kLeastShift, kMostShift * pivot_));
  for (std::size_t row = 0; row < border_.size(); ++row) {
    kkt_.at(border_[row])(0, 0) -= shift * kkt_.scales()[border_entry(row)];
  }
  return kkt_.factorise();
}

template <int W>
bool GatheredKkt<W>::needs_all_rows() const {
  return redundant_ > 0 && pivot_ >= kSingular;
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
  if (!had_rows) {
    gather(sources);
    return kkt_.factorise();
  }
  kkt_.set_idle(idle_before_);
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
  gather(sources);
  for (std::size_t row = 0; row < border_.size(); ++row) {
    const double unit = border_unit(row);
    kkt_.at(border_[row])(0, 0) -= shift * unit * unit;
  }
  return kkt_.factorise();
}

template <int W>
void GatheredKkt<W>::drop_idle(std::span<double> nodes, std::span<double> border) const {
  if (kkt_.idle_count() == 0 || needs_all_rows()) return;
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
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = x_[entry_[i]];
  for (std::size_t i = 0; i < border.size(); ++i) border[i] = x_[entry_[nodes.size() + i]];
}

template class GatheredKkt<3>;
template class GatheredKkt<6>;

}  // namespace torsor
