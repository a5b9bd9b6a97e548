#pragma once

#include <span>

namespace torsor {

/// Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations, in rows (Golub, Van Loan, Matrix
/// Computations, 8.5). It allocates nothing, and finds small eigenvalues of a well scaled positive matrix to
/// more digits than a tridiagonal form does (Demmel, Veselic 1992).
/// The matrix becomes diag(lambda), in no order; row k of `vectors` is the orthonormal eigenvector of
/// lambda_k.
void jacobi_eigen(int n, std::span<double> matrix, std::span<double> vectors);

}  // namespace torsor
