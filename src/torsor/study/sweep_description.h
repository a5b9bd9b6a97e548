#pragma once
// What a sweep is: which values of a model vary, how they are sampled, and what is kept of each run. Plain data, as a
// sweep file has it.

#include <cstdint>
#include <string>
#include <vector>

namespace torsor {

/// A value of the model that varies.
struct SweepVariable {
  enum class Kind { range, log, list, uniform, normal };

  std::string path;  ///< `tendons.biarticular.stiffness`
  Kind kind = Kind::range;
  double first = 0, second = 0;    ///< ends; of `normal` mean and standard deviation [SI]
  long count = 0;                  ///< levels, equally spaced (`log`: in the logarithm); 0: any value between
  std::vector<std::string> items;  ///< of a list, as YAML; its values are their indices
  std::string unit = {};           ///< SI; empty: a plain number, a list
};

enum class SweepMethod { grid, sobol, latin_hypercube, random };

struct SweepSampling {
  SweepMethod method = SweepMethod::grid;
  long count = 0;  ///< runs; of a grid it follows from the levels
  std::uint64_t seed = 0;
};

/// A number that is kept of each run.
struct SweepMeasure {
  enum class Kind { initial, final, min, max, range, mean, rms, frequency, time_of_min, time_of_max };

  std::string name;
  Kind kind = Kind::final;
  std::string channel;  ///< a column of a result: `points.hand.position.x`
};

/// The words of the file, in the order of the enumerations.
const std::vector<std::string>& sweep_variable_words();
const std::vector<std::string>& sweep_method_words();
const std::vector<std::string>& sweep_measure_words();

struct SweepDescription {
  std::vector<SweepVariable> variables;
  SweepSampling sampling;
  std::vector<SweepMeasure> measures;
  long kept_records = 0;  ///< runs of which the whole record is kept
};

}  // namespace torsor
