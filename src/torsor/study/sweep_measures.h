#pragma once
// The numbers that a sweep keeps of a run, gathered while it goes.

#include <vector>

#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"
#include "torsor/study/sweep_description.h"

namespace torsor {

/// Used again for run after run of one mechanism.
class MeasureKeeper : public RunListener {
 public:
  explicit MeasureKeeper(std::vector<SweepMeasure> measures);

  /// Looks its columns up in what a run may record, before the run begins. Throws ModelError at `measure.NAME` where it has
  /// no such column.
  void find(const Manifest& manifest);
  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double energy_residual) override;

  /// Of the run so far, in the order of the measures.
  std::vector<double> numbers() const;
  const std::vector<std::string>& units() const { return units_; }  ///< of the measures, once they are found
  /// Of the last run, for the next stepper to share.
  const ChannelList& channels() const { return channels_; }
  /// Whether states between the first and the last matter.
  bool needs_all_states() const;
  /// The channels that are read, for RunSettings::record, once they are found.
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  void find_columns(const Manifest& manifest);

  std::vector<SweepMeasure> measures_;
  std::vector<int> columns_;  ///< of the measures, in the row of all channels
  std::vector<std::string> units_, patterns_;
  const Manifest* manifest_ = nullptr;
  ChannelList channels_;  ///< in which the columns were found
  std::vector<double> row_;
  std::vector<double> times_;
  std::vector<std::vector<double>> series_;  ///< of each measure
};

}  // namespace torsor
