#pragma once
// What a run may record, apart from how it is stored: a list of channels, how an observation fills one row of
// numbers, and which of them were asked for.

#include <span>
#include <string>
#include <vector>

#include "torsor/model/model.h"
#include "torsor/simulation/observation.h"

namespace torsor {

/// All of them, in the order in which fill_row writes them. Joints without coordinates (fixed) have reactions only. Where `like`
/// has the same, as of a model with other numbers, it is shared.
ChannelList make_channels(const Model& model, const Manifest& manifest, const ChannelList& like = {});

/// `bodies.link1.com`
std::string name_of(const Channel& channel);
/// `bodies.link1.com.x`: of each number of the channel, and its unit.
std::string column_name(const Channel& channel, int component);
std::string column_unit(const Channel& channel, int component);
/// Of `N m, N, N` one; of a single unit that.
std::string unit_of_component(const std::string& units, int component);

/// Names of which some may be equal (an actuator and a load), told apart: `push`, `push (2)`.
std::vector<std::string> distinct_names(const std::vector<std::string>& names);

int row_width(const std::vector<Channel>& channels);

/// Whether Stepper::observe_balance and observe_motion are enough to know it: no accelerations, reactions, efforts.
bool follows_from_motion(const Channel& channel);

/// Writes the row that belongs to all channels of the manifest.
void fill_row(const Observation& observation, double energy_residual, const Manifest& manifest,
              std::span<double> row);

/// Throws Error naming the first number that is not finite: no file ever holds a NaN. row[0] is the time.
void require_finite(const std::vector<Channel>& channels, std::span<const double> row);

/// Whether a path of a result file is meant: a name, the beginning of one (`points.hand`, `energy`), with `*` for any
/// text and `?` for any character, parts parted by `.` or `/`.
bool matches(const std::string& pattern, const std::vector<std::string>& path);

/// Which of the channels are asked for, `time` always; all where nothing is asked. Throws ModelError at `key` on a
/// pattern that matches none.
std::vector<bool> chosen_channels(const std::vector<std::vector<std::string>>& paths,
                                  const std::vector<std::string>& patterns, const std::string& key);
std::vector<bool> chosen_channels(const std::vector<Channel>& channels,
                                  const std::vector<std::string>& patterns, const std::string& key);

/// The numbers of a record, as they were asked for.
class RecordRow {
 public:
  RecordRow() = default;
  /// Throws ModelError as chosen_channels does.
  RecordRow(const Manifest& manifest, const std::vector<std::string>& patterns,
            const std::string& key = "simulation.record");

  const std::vector<Channel>& channels() const { return channels_; }
  std::size_t size() const { return row_.size(); }
  /// Of an observation of this run; valid until the next.
  std::span<const double> fill(const Observation& observation, double energy_residual,
                               const Manifest& manifest);

 private:
  std::vector<Channel> channels_;
  std::vector<int> places_;  ///< in the whole row
  std::vector<double> whole_, row_;
};

}  // namespace torsor
