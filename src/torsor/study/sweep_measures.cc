#include "torsor/study/sweep_measures.h"

#include <algorithm>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {
namespace {

using Series = std::vector<double>;

/// By the trapezoidal rule; of a single state its value.
template <class Of>
double time_mean(const Series& times, const Series& values, Of of) {
  const double span = times.back() - times.front();
  if (!(span > 0)) return of(values.back());
  double sum = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    sum += 0.5 * (times[i] - times[i - 1]) * (of(values[i]) + of(values[i - 1]));
  }
  return sum / span;
}

/// Periods between the first and the last upward passage of the mean, over the time between them; 0 where it passes less
/// than twice.
double frequency(const Series& times, const Series& values) {
  const double mean = time_mean(times, values, [](double v) { return v; });
  double first = 0, last = 0;
  int passages = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double before = values[i - 1] - mean, after = values[i] - mean;
    if (!(before < 0 && after >= 0)) continue;
    last = times[i - 1] + (times[i] - times[i - 1]) * before / (before - after);
    if (passages++ == 0) first = last;
  }
  return passages < 2 ? 0 : (passages - 1) / (last - first);
}

double number_of(SweepMeasure::Kind kind, const Series& times, const Series& values) {
  using Kind = SweepMeasure::Kind;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  switch (kind) {
    case Kind::initial:
      return values.front();
    case Kind::final:
      return values.back();
    case Kind::min:
      return *least;
    case Kind::max:
      return *most;
    case Kind::range:
      return *most - *least;
    case Kind::mean:
      return time_mean(times, values, [](double v) { return v; });
    case Kind::rms:
      return std::sqrt(time_mean(times, values, [](double v) { return v * v; }));
    case Kind::frequency:
      return frequency(times, values);
    case Kind::time_of_min:
      return times[least - values.begin()];
    case Kind::time_of_max:
      return times[std::max_element(values.begin(), values.end()) - values.begin()];
  }
  return 0;
}

std::string unit_of(SweepMeasure::Kind kind, const std::string& channel) {
  using Kind = SweepMeasure::Kind;
  if (kind == Kind::frequency) return "Hz";
  return kind == Kind::time_of_min || kind == Kind::time_of_max ? "s" : channel;
}

}  // namespace

MeasureKeeper::MeasureKeeper(std::vector<SweepMeasure> measures)
    : measures_(std::move(measures)), series_(measures_.size()) {}

bool MeasureKeeper::needs_all_states() const {
  return std::any_of(measures_.begin(), measures_.end(), [](const SweepMeasure& measure) {
    return measure.kind != SweepMeasure::Kind::initial && measure.kind != SweepMeasure::Kind::final;
  });
}

void MeasureKeeper::find_columns(const Manifest& manifest) {
  std::vector<std::string> names, units, channels;
  for (const Channel& channel : manifest.channels) {
    for (int i = 0; i < channel.width(); ++i) {
      names.push_back(column_name(channel, i));
      units.push_back(column_unit(channel, i));
      channels.push_back(name_of(channel));
    }
  }
  columns_.clear();
  units_.clear();
  patterns_.clear();
  channels_ = manifest.channels;
  row_.resize(names.size());
  for (const SweepMeasure& measure : measures_) {
    const auto found = std::find(names.begin(), names.end(), measure.channel);
    if (found == names.end()) {
      throw ModelError("measure." + measure.name, "a column of the result, such as " + names[1],
                       did_you_mean(measure.channel, names));
    }
    columns_.push_back(static_cast<int>(found - names.begin()));
    patterns_.push_back(channels[columns_.back()]);
    units_.push_back(unit_of(measure.kind, units[columns_.back()]));
  }
}

void MeasureKeeper::find(const Manifest& manifest) {
  if (columns_.size() != measures_.size() || channels_.key() != manifest.channels.key())
    find_columns(manifest);
}

void MeasureKeeper::on_start(const Manifest& manifest, const RunSettings&) {
  find(manifest);
  manifest_ = &manifest;
  times_.clear();
  for (Series& series : series_) series.clear();
}

void MeasureKeeper::on_record(const Observation& observation, double energy_residual) {
  fill_row(observation, energy_residual, *manifest_, row_);
  times_.push_back(observation.time);
  for (std::size_t i = 0; i < measures_.size(); ++i) series_[i].push_back(row_[columns_[i]]);
}

std::vector<double> MeasureKeeper::numbers() const {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    numbers.push_back(number_of(measures_[i].kind, times_, series_[i]));
  }
  return numbers;
}

}  // namespace torsor
