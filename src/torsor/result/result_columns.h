#pragma once
// What a result file holds, apart from how it is stored: a list of columns and how an observation fills one
// row of numbers.

#include <span>
#include <string>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// One quantity of `width` numbers: a dataset of a result file.
struct ResultColumn {
  std::vector<std::string> path;        ///< {"bodies", "link1", "com"}
  std::string unit;                     ///< SI; a list where the components differ
  std::vector<std::string> components;  ///< {"x", "y"}; {""} for a single number
  bool integral = false;                ///< counts

  int width() const { return static_cast<int>(components.size()); }
};

/// In the order in which fill_row writes them. Joints without coordinates (fixed) have a reaction only.
std::vector<ResultColumn> result_columns(const Model& model, const Manifest& manifest);

/// `bodies/link1/com`: where a result file has it.
std::string hdf5_path(const ResultColumn& column);

/// Names of which some may be equal (an actuator and a load), told apart: `push`, `push (2)`.
std::vector<std::string> distinct_names(const std::vector<std::string>& names);

int row_width(const std::vector<ResultColumn>& columns);

/// Writes the row that belongs to result_columns of the same run.
void fill_row(const Observation& observation, double energy_residual, int dimension, std::span<double> row);

/// Throws Error naming the first column that is not a finite number: no file ever holds a NaN.
void require_finite(const std::vector<ResultColumn>& columns, std::span<const double> row);

}  // namespace torsor
