#include "torsor/study/sweep_samples.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/numerics/normal_quantile.h"
#include "torsor/numerics/sobol.h"

namespace torsor {
namespace {

using Bits = std::uint64_t;

/// The finaliser of splitmix64: a bijection of 64 bits without visible structure.
Bits mixed(Bits x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
Bits mixed(Bits a, Bits b, Bits c) { return mixed(mixed(mixed(a) ^ b) ^ c); }

/// In (0, 1), never at an end.
double unit(Bits bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

/// A permutation of 0 .. count - 1 as a function: a Feistel network on the next power of four, walked until it falls
/// into the range.
long permuted(long index, long count, Bits key) {
  const int half = std::max(1, static_cast<int>(std::bit_width(static_cast<Bits>(count - 1)) + 1) / 2);
  const Bits mask = (Bits{1} << half) - 1;
  Bits x = static_cast<Bits>(index);
  do {
    Bits left = x >> half, right = x & mask;
    for (Bits round = 0; round < 4; ++round) {
      const Bits next = left ^ (mixed(key, round, right) & mask);
      left = right;
      right = next;
    }
    x = (left << half) | right;
  } while (x >= static_cast<Bits>(count));
  return static_cast<long>(x);
}

/// How many values a variable has; 0: any.
long levels(const SweepVariable& variable) {
  return variable.kind == SweepVariable::Kind::list ? static_cast<long>(variable.items.size())
                                                    : variable.count;
}

double value_at(const SweepVariable& variable, double u) {
  const double a = variable.first, b = variable.second;
  switch (variable.kind) {
    case SweepVariable::Kind::log:
      return a * std::pow(b / a, u);
    case SweepVariable::Kind::normal:
      return a + b * normal_quantile(u);
    case SweepVariable::Kind::list:
      return u;  // never asked: lists have levels
    default:
      return a + (b - a) * u;
  }
}

double value_of_level(const SweepVariable& variable, long level) {
  const long count = levels(variable);
  if (variable.kind == SweepVariable::Kind::list) return static_cast<double>(level);
  if (variable.kind == SweepVariable::Kind::range || variable.kind == SweepVariable::Kind::log) {
    if (level == 0) return variable.first;
    if (level == count - 1) return variable.second;  // the end itself, without rounding
    return value_at(variable, static_cast<double>(level) / static_cast<double>(count - 1));
  }
  return value_at(variable, (static_cast<double>(level) + 0.5) / static_cast<double>(count));
}

}  // namespace

const std::vector<std::string>& sweep_variable_words() {
  static const std::vector<std::string> words{"range", "log", "list", "uniform", "normal"};
  return words;
}
const std::vector<std::string>& sweep_method_words() {
  static const std::vector<std::string> words{"grid", "sobol", "latin-hypercube", "random"};
  return words;
}
const std::vector<std::string>& sweep_measure_words() {
  static const std::vector<std::string> words{"initial", "final", "min",       "max",         "range",
                                              "mean",    "rms",   "frequency", "time_of_min", "time_of_max"};
  return words;
}

SweepSamples::SweepSamples(const SweepDescription& description)
    : variables_(description.variables), sampling_(description.sampling), count_(description.sampling.count) {
  if (sampling_.method == SweepMethod::sobol && variables_.size() > kSobolDimensions) {
    throw ModelError("samples.method", fmt::format("at most {} variables with sobol", kSobolDimensions),
                     fmt::format("{}; latin-hypercube takes any number", variables_.size()));
  }
  if (sampling_.method != SweepMethod::grid) return;
  double runs = 1;
  for (const SweepVariable& variable : variables_) {
    if (levels(variable) == 0) {
      throw ModelError("vary." + variable.path, "a count of levels, since samples are a grid",
                       "none; or choose `samples: {method: sobol, count: N}`");
    }
    runs *= static_cast<double>(levels(variable));
  }
  if (runs > static_cast<double>(kMostRuns)) {
    throw ModelError("vary", fmt::format("a grid of at most {} runs", kMostRuns),
                     fmt::format("{:.3g}", runs));
  }
  const long found = static_cast<long>(runs);
  if (count_ != 0 && count_ != found) {
    throw ModelError("samples.count", fmt::format("{}, the size of the grid, or no count", found),
                     std::to_string(count_));
  }
  count_ = found;
}

double SweepSamples::coordinate(long run, std::size_t variable) const {
  const Bits r = static_cast<Bits>(run), v = variable;
  switch (sampling_.method) {
    case SweepMethod::sobol:  // with a digital shift, which keeps its evenness
      return unit(sobol_point(r, static_cast<int>(variable)) ^ mixed(sampling_.seed, v, 1));
    case SweepMethod::latin_hypercube: {
      const long cell = permuted(run, count_, mixed(sampling_.seed, v, 2));
      return (static_cast<double>(cell) + unit(mixed(sampling_.seed ^ v, r, 3))) /
             static_cast<double>(count_);
    }
    default:
      return unit(mixed(sampling_.seed, r, v));
  }
}

void SweepSamples::values(long run, std::span<double> values) const {
  require_size("values", values.size(), variables_.size());
  if (run < 0 || run >= count_) {
    throw ModelError("run", fmt::format("0 to {}", count_ - 1), std::to_string(run));
  }
  long rest = run;
  for (std::size_t i = variables_.size(); i-- > 0;) {  // the last variable runs through its levels first
    const SweepVariable& variable = variables_[i];
    const long count = levels(variable);
    if (sampling_.method == SweepMethod::grid) {
      values[i] = value_of_level(variable, rest % count);
      rest /= count;
      continue;
    }
    const double u = coordinate(run, i);
    values[i] = count == 0
                    ? value_at(variable, u)
                    : value_of_level(variable,
                                     std::min(count - 1, static_cast<long>(u * static_cast<double>(count))));
  }
}

}  // namespace torsor
