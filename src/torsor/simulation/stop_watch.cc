#include "torsor/simulation/stop_watch.h"

#include <cmath>
#include <utility>

namespace torsor {

StopWatch::StopWatch(const Manifest& manifest) {
  for (const StoppedCoordinate& stop : manifest.stops) {
    for (const auto& [bound, side] : {std::pair(stop.lower, -1.0), {stop.upper, 1.0}}) {
      if (!std::isfinite(bound)) continue;
      TouchedStop touched;
      touched.name = stop.name;
      touched.turns = stop.turns;
      touched.of_tendon = stop.tendon >= 0;
      touched.bound = bound;
      stops_.push_back(touched);
      watched_.push_back({stop.joint, stop.coordinate, stop.tendon, side});
    }
  }
}

void StopWatch::feed(const Observation& seen) {
  const double time = seen.time;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    Watched& watched = watched_[i];
    TouchedStop& stop = stops_[i];
    const double last = watched.overshoot;
    const double value = watched.tendon >= 0 ? seen.tendons[watched.tendon].length
                                             : seen.joints[watched.joint].position[watched.coordinate];
    const double now = watched.side * (value - stop.bound);
    watched.overshoot = now;
    if (now <= 0) continue;  // what is not a number counts as beyond
    if (!fed_ || last <= 0) {
      const double share = fed_ && now > last ? -last / (now - last) : 0;
      if (stop.times == 0) stop.first_time = fed_ ? time_ + share * (time - time_) : time;
      ++stop.times;
    }
    if (!(now <= stop.overshoot)) {
      stop.overshoot = now;
      stop.time = time;
    }
  }
  time_ = time;
  fed_ = true;
}

void StopWatch::pass(StateTape& tape) {
  tape(time_, fed_);
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    TouchedStop& stop = stops_[i];
    tape(stop.first_time, stop.times, stop.overshoot, stop.time, watched_[i].overshoot);
  }
}

std::vector<TouchedStop> StopWatch::report() const {
  std::vector<TouchedStop> touched;
  for (const TouchedStop& stop : stops_) {
    if (stop.times > 0) touched.push_back(stop);
  }
  return touched;
}

}  // namespace torsor
