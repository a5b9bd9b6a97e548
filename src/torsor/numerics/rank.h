#pragma once
// Linear equations of any shape and rank, dense: for start-up and checks, not for steps.

#include <Eigen/Core>

namespace torsor {

/// Below this share of the largest, a pivot counts as zero. Far above what rounding leaves of rows that
/// repeat others (1e-15), far below what independent conditions show.
inline constexpr double kRankTolerance = 1e-9;

int rank(const Eigen::MatrixXd& A);

/// The shortest X that minimises |A X - B|, column by column.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// Orthonormal columns that span { x : A x = 0 }.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A);

}  // namespace torsor
