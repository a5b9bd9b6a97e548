#include "torsor/study/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "torsor/base/norm.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/simulation/manifest.h"

namespace torsor {
namespace {

constexpr double kMeeting = 1e-9;            ///< relative
constexpr int kMostRecords = 400;            ///< of a track
constexpr double kMostNumbers = 4e6;         ///< of a track
constexpr double kNoErrors = 0.05;           ///< errors of the motion beyond which differences are no errors
constexpr double kRoundingOfMotion = 1e-12;  ///< differences of the motion below which they are rounding
constexpr double kRests = 1e-3;  ///< a channel that moves by less of the others of its quantity rests
constexpr double kNothing =
    1e-9;  ///< likewise of a quantity in another unit: moments that are rounding beside forces
constexpr double kTrusted[] = {1e-2, 1e-3};
constexpr double kInconclusive =
    1e-3;  ///< error of the motion from which a quarter of the step is asked, too

void keep(RunTrack& track, const Observation& observation, const TrackedChannels& channels) {
  track.times.push_back(observation.time);
  track.poses.push_back(poses_of(observation));
  std::vector<double> row(channels.width);
  if (channels.fill) channels.fill(observation, row);
  track.rows.push_back(std::move(row));
}

class TrackKeeper : public RunListener {
 public:
  explicit TrackKeeper(const TrackedChannels& channels) : channels_(channels) {}
  void on_record(const Observation& observation, double) override { keep(track, observation, channels_); }
  RunTrack track;

 private:
  const TrackedChannels& channels_;
};

/// For each row of the first track those of the others at its time; rows that not all have are left out.
std::vector<std::vector<std::size_t>> common_rows(const std::vector<RunTrack>& tracks) {
  std::vector<std::vector<std::size_t>> common;
  std::vector<std::size_t> at(tracks.size());
  for (std::size_t i = 0; i < tracks[0].times.size(); ++i) {
    at[0] = i;
    const double time = tracks[0].times[i], near = kMeeting * std::max(1.0, std::abs(time));
    bool all = true;
    for (std::size_t k = 1; k < tracks.size(); ++k) {
      const std::vector<double>& times = tracks[k].times;
      while (at[k] < times.size() && times[at[k]] < time - near) ++at[k];
      all = all && at[k] < times.size() && times[at[k]] <= time + near;
    }
    if (all) common.push_back(at);
  }
  return common;
}

std::string without_unit(const std::string& quantity) { return quantity.substr(0, quantity.find(" [")); }

/// Quaternions of two runs may have opposite signs.
double distance(std::span<const double> a, std::span<const double> b, bool is_quaternion) {
  double minus = 0, plus = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    minus += (a[i] - b[i]) * (a[i] - b[i]);
    plus += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return std::sqrt(is_quaternion ? std::min(minus, plus) : minus);
}

/// How far a channel swings along a run; an angle by a radian at most, a quaternion by 1.
double swing(const RunTrack& track, const TrackedChannel& channel) {
  if (channel.unit == "1" && channel.width == 4) return 1;
  double squared = 0;
  for (std::size_t i = channel.first; i < channel.first + channel.width; ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const std::vector<double>& row : track.rows) {
      low = std::min(low, row[i]);
      high = std::max(high, row[i]);
    }
    squared += (high - low) * (high - low);
  }
  const double range = std::sqrt(squared);
  return channel.unit == "rad" ? std::min(range, 1.0) : range;
}

/// Up to where the differences of the two coarsest runs are small, from the largest of both.
std::optional<double> observed_order(const std::vector<double>& coarse, const std::vector<double>& fine) {
  double c = 0, f = 0;
  for (std::size_t i = 0; i < coarse.size() && coarse[i] <= kNoErrors; ++i) {
    c = std::max(c, coarse[i]);
    f = std::max(f, fine[i]);
  }
  if (!(c > 10 * kRoundingOfMotion && f > kRoundingOfMotion)) return std::nullopt;
  return std::log2(c / f);
}

RunSettings refined(RunSettings settings, int factor, int every) {
  settings.step /= factor;
  for (StepSpan& span : settings.spans) span.steps *= factor;
  const double wide = static_cast<double>(factor) * every;
  settings.record_every = static_cast<int>(std::min<double>(wide, std::numeric_limits<int>::max()));
  return settings;
}

}  // namespace

Verification compare_tracks(const std::vector<RunTrack>& tracks, const TrackedChannels& channels,
                            const Manifest& manifest, double size, int order) {
  Verification result;
  result.order = order;
  result.size = size;
  const auto rows = common_rows(tracks);
  std::vector<double> coarse, fine;
  std::vector<int> bodies;
  const std::size_t best = tracks.size() - 1;
  for (const auto& at : rows) {
    const MotionError error = motion_error(tracks[0].poses[at[0]], tracks[best].poses[at[best]], size);
    coarse.push_back(best == 1 ? error.error
                               : motion_error(tracks[0].poses[at[0]], tracks[1].poses[at[1]], size).error);
    if (best > 1) fine.push_back(motion_error(tracks[1].poses[at[1]], tracks[2].poses[at[2]], size).error);
    bodies.push_back(error.body);
  }
  if (best > 1) result.observed_order = observed_order(coarse, fine);
  const double p = std::clamp(result.observed_order.value_or(order), 0.5, 1.0 + order);
  const double gain = 1 / (1 - std::pow(2.0, -p * static_cast<double>(best)));  // (1)

  const auto raise = [&](ChannelError& largest, double error, double time) {
    if (error <= largest.error) return false;
    largest.error = error;
    largest.time = time;
    return true;
  };
  result.motion.scale = 1;
  result.motion.unit = "1";
  for (const double to : kTrusted) result.trusted.push_back({to, {}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& at = rows[i];
    const double time = tracks[0].times[at[0]];
    const double error =
        gain * motion_error(tracks[0].poses[at[0]], tracks[best].poses[at[best]], size).error;
    if (raise(result.motion, error, time)) result.motion.name = manifest.bodies[bodies[i]];
    for (Verification::Trust& trust : result.trusted) {
      if (!trust.until && !(error <= trust.to)) trust.until = i > 0 ? tracks[0].times[rows[i - 1][0]] : time;
    }
  }

  std::map<std::string, double> swings;  // of quantities, and of those of all their units
  for (const TrackedChannel& channel : channels.list) {
    for (const std::string& quantity : {channel.quantity, without_unit(channel.quantity)}) {
      double& largest = swings[quantity];
      largest = std::max(largest, swing(tracks[best], channel));
    }
  }
  for (const TrackedChannel& channel : channels.list) {
    const double widest = swings[channel.quantity];
    ChannelError worst{channel.name, channel.unit, 0, 0, 0};
    if (widest > kNothing * swings[without_unit(channel.quantity)]) {
      worst.scale = std::max(swing(tracks[best], channel), kRests * widest);
    }
    const bool is_quaternion = channel.unit == "1" && channel.width == 4;
    for (const auto& at : rows) {
      const std::span<const double>
          a = std::span(tracks[0].rows[at[0]]).subspan(channel.first, channel.width),
          b = std::span(tracks[best].rows[at[best]]).subspan(channel.first, channel.width);
      raise(worst, gain * distance(a, b, is_quaternion), tracks[0].times[at[0]]);
    }
    const auto known = std::find(result.quantities.begin(), result.quantities.end(), channel.quantity);
    if (known == result.quantities.end()) {
      result.quantities.push_back(channel.quantity);
      result.groups.push_back(worst);
    } else {
      ChannelError& group = result.groups[known - result.quantities.begin()];
      if (worst.digits() < group.digits()) group = worst;
    }
    result.channels.push_back(std::move(worst));
  }
  return result;
}

Verifier::Verifier(const StudySubject& subject, const Method& method,
                   std::function<TrackedChannels(const Manifest&)> channels_of)
    : subject_(subject), method_(method), channels_of_(std::move(channels_of)) {}

int Verifier::spacing(const RunSettings& settings) {
  return static_cast<int>(std::clamp(std::floor(settings.duration / settings.step / kMostRecords), 1.0, 1e9));
}

void Verifier::on_start(const Manifest& manifest, const RunSettings& settings) {
  manifest_ = manifest;
  settings_ = settings;
  channels_ = channels_of_ ? channels_of_(manifest) : TrackedChannels{};
  track_ = {};
  seen_ = 0;
  const double most =
      std::clamp(kMostNumbers / static_cast<double>(channels_.width + 1), 16.0, 1.0 * kMostRecords);
  const double records = settings.duration / settings.step / settings.record_every;
  every_ = static_cast<int>(std::max(1.0, std::ceil(records / most)));
}

void Verifier::on_record(const Observation& observation, double) {
  if (seen_ == 0) size_ = mechanism_size(manifest_, observation);
  if (seen_++ % every_ == 0) keep(track_, observation, channels_);
}

Verification Verifier::verify(const StudyProgress& progress, RunListener* watcher) {
  const bool controlled = manifest_.controlled_to > 0;
  std::vector<RunTrack> tracks{track_};
  Verification result;
  Method method = method_;
  std::string against;
  for (const int factor : {2, 4}) {
    RunSettings finer = refined(settings_, controlled ? 1 : factor, every_ * settings_.record_every);
    if (controlled) {
      method.options = with_finer_tolerance(method.integrator, method.options);
      against += fmt::format("{}tolerance {:.2g}", against.empty() ? "" : " and ",
                             error_tolerance(method.integrator, method.options));
    } else {
      against += factor == 2 ? fmt::format("half the step, {:.4g} s", finer.step)
                             : fmt::format(" and a quarter of it, {:.4g} s", finer.step);
    }
    if (progress) progress("verification: " + against);
    const auto stepper = make_stepper(subject_.model, subject_.start, method);
    TrackKeeper keeper(channels_);
    std::vector<RunListener*> listeners{&keeper};
    if (watcher) listeners.push_back(watcher);
    const Record record = simulate(*stepper, finer, listeners, false);
    if (record.failure) {
      if (tracks.size() > 1) break;  // what half the step says stands
      result.failure = fmt::format("not verified: with {}, {}", against, record.failure->what());
      break;
    }
    tracks.push_back(std::move(keeper.track));
    result = compare_tracks(tracks, channels_, manifest_, size_, manifest_.order);
    if (controlled || result.motion.error <= kInconclusive) break;
  }
  result.against = against;
  return result;
}

}  // namespace torsor
