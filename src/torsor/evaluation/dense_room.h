#pragma once
// How large matrices of rates may be: evaluations at a state are dense, and their size is the square of the mechanism's.
// Included by .cc files alone.

namespace torsor {

inline constexpr double kMostEntries = 2e7;  ///< of a matrix that is an answer: 0.2 GB, and a text of 0.4 GB
inline constexpr double kMostReducedEntries = 4e6;  ///< of one of some twenty (reduced_mechanism.h)

/// Throws ModelError where rows times columns are more than `most`; `what` is the matrix, in words.
void require_dense_room(const char* what, double rows, double columns, double most = kMostEntries);

}  // namespace torsor
