#pragma once
// How many digits of a run stand: the same again with finer steps, and what differs.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "torsor/simulation/record.h"
#include "torsor/study/motion_error.h"
#include "torsor/study/study_run.h"

namespace torsor {

/// A quantity that is followed along a run: numbers of one unit.
struct TrackedChannel {
  std::string name;      ///< `bodies/link1/com`
  std::string quantity;  ///< `bodies/com`
  std::string unit;
  std::size_t first = 0, width = 1;  ///< in a row
};

struct TrackedChannels {
  std::vector<TrackedChannel> list;
  std::size_t width = 0;  ///< of a row
  std::function<void(const Observation&, std::span<double> row)> fill;
};

/// States of a run at some of its records.
struct RunTrack {
  std::vector<double> times;
  std::vector<std::vector<BodyPose>> poses;
  std::vector<std::vector<double>> rows;  ///< of channels
};

/// The run that is looked at, and those with half and, it may be, a quarter of its steps, at the same times. With the
/// differences of a method of order p
///   |y_h - y| = |y_h - y_(h/2)| / (1 - 2^-p)                                                       (1)
/// p the order that is seen where there are three of them.
Verification compare_tracks(const std::vector<RunTrack>& tracks, const TrackedChannels& channels,
                            const Manifest& manifest, double size, int order);

/// Listens to a run, then makes it again with finer steps.
class Verifier : public RunListener {
 public:
  /// All three outlive it. `channels_of` says what is followed.
  Verifier(const StudySubject& subject, const Method& method,
           std::function<TrackedChannels(const Manifest&)> channels_of);

  void on_start(const Manifest& manifest, const RunSettings& settings) override;
  void on_record(const Observation& observation, double residual) override;

  /// After the run. `watcher` listens to each step of the others and may end them by a StepFailure; it may be null.
  Verification verify(const StudyProgress& progress = {}, RunListener* watcher = nullptr);

  /// How many steps may lie between two records of a run that nobody else reads.
  static int spacing(const RunSettings& settings);

 private:
  const StudySubject& subject_;
  Method method_;
  std::function<TrackedChannels(const Manifest&)> channels_of_;
  TrackedChannels channels_;
  Manifest manifest_;
  RunSettings settings_;
  int every_ = 1, seen_ = 0;  ///< records
  double size_ = 1;
  RunTrack track_;
};

}  // namespace torsor
