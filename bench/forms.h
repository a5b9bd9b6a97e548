#pragma once
// Inverse dynamics in the four representations, against each other: operations counted, times measured.

#include <vector>

#include "bench/timing.h"
#include "torsor/base/counted.h"
#include "torsor/tree/representation.h"

namespace torsor::bench {

/// Of inverse dynamics in one representation on a chain of revolute joints.
struct FormRow {
  Representation form;
  int joints;
  Operations operations;
  double nanoseconds;  ///< a state
  double error;        ///< largest relative difference from the body-fixed form
};

/// The body-fixed form first, for each number of joints.
std::vector<FormRow> measure_forms(const TimingOptions& timing);
void print_forms(const std::vector<FormRow>& rows);

}  // namespace torsor::bench
