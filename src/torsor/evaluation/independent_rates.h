#pragma once
// Which rates of a mechanism with conditions G v = 0 are taken as independent.

#include <Eigen/Core>
#include <vector>

namespace torsor {

struct RateChoice {
  std::vector<int> independent, dependent;  ///< columns of G, each list increasing
};

/// As many dependent rates as G has rank; their columns are independent. Columns of a higher class depend first:
/// a class is given up where its columns no longer span anything that those chosen do not, but for what is ill
/// conditioned. Within a class the last of those that add much. Class 0 depends last of all, whatever the
/// condition: `forced` has the columns of it that had to.
struct RateClasses {
  const Eigen::MatrixXd& G;    ///< in comparable units
  const std::vector<int>& of;  ///< class of each column, 0 and up
  std::vector<int> forced{};   ///< result
  RateChoice choose();
};

}  // namespace torsor
