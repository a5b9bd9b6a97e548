#pragma once
// Files of MATLAB, level 5, not compressed: what MATLAB, Octave and scipy.io.loadmat read.

#include <Eigen/Core>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace torsor {

/// A number is a 1 x 1 matrix, a list of texts a cell array of one column.
using MatValue = std::variant<Eigen::MatrixXd, Eigen::MatrixXcd, std::vector<std::string>>;

/// The bytes of a file with these variables.
std::string mat_file(const std::vector<std::pair<std::string, MatValue>>& variables);

}  // namespace torsor
