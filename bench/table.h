#pragma once
// What was measured, and how it is printed.

#include <optional>
#include <string>
#include <vector>

#include "bench/agreement.h"
#include "bench/contender.h"

namespace torsor::bench {

/// One algorithm on one mechanism; times in nanoseconds a state.
struct Row {
  std::string family;
  int joints;
  Algorithm algorithm;
  Errors errors;
  double one;
  std::optional<double> pack4, pack8;
  std::optional<double> pinocchio;   ///< the better of its conventions
  std::string pinocchio_convention;  ///< that one
};

const char* name_of(Algorithm algorithm);
void print_table(const std::vector<Row>& rows, Algorithm algorithm);
/// Growth of the time from 256 to 1024 revolute joints, where both were measured.
void print_scaling(const std::vector<Row>& rows);
void print_csv(const std::vector<Row>& rows, const std::string& label);

}  // namespace torsor::bench
