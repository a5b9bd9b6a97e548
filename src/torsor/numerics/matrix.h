#pragma once

#include <cstddef>
#include <vector>

namespace torsor {

/// A dense matrix, row by row: what public headers hand over. How Eigen's lay out their memory depends on the
/// flags that a file is compiled with.
struct Matrix {
  Matrix() = default;
  Matrix(int row_count, int column_count)
      : rows(row_count), columns(column_count), entries(static_cast<std::size_t>(rows) * columns, 0.0) {}

  double& operator()(int i, int j) { return entries[static_cast<std::size_t>(i) * columns + j]; }
  double operator()(int i, int j) const { return entries[static_cast<std::size_t>(i) * columns + j]; }

  int rows = 0, columns = 0;
  std::vector<double> entries;
};

}  // namespace torsor
