#pragma once
// Inverse dynamics with its first and second time derivative against inverse dynamics alone.

#include <string>
#include <vector>

#include "bench/timing.h"

namespace torsor::bench {

struct TimeDerivativesRow {
  std::string family;
  int joints;
  double plain, with_derivatives;  ///< nanoseconds a state: Q, and Q with Q', Q''
  double error;                    ///< largest relative difference of the two Q
};

std::vector<TimeDerivativesRow> measure_time_derivatives(const TimingOptions& timing);
void print_time_derivatives(const std::vector<TimeDerivativesRow>& rows);

}  // namespace torsor::bench
