#include "torsor/simulation/extrema.h"

#include "torsor/simulation/channels.h"

namespace torsor {

ExtremaWatch::ExtremaWatch(const std::vector<Channel>& channels) {
  for (const Channel& channel : channels) {
    for (int i = 0; i < channel.width(); ++i) {
      all_.push_back({column_name(channel, i), column_unit(channel, i)});
    }
  }
}

void ExtremaWatch::feed(double time, std::span<const double> row) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    Extremum& e = all_[i];
    if (!fed_ || row[i] < e.least) e.least = row[i], e.least_time = time;
    if (!fed_ || row[i] > e.greatest) e.greatest = row[i], e.greatest_time = time;
  }
  fed_ = true;
}

void ExtremaWatch::pass(StateTape& tape) {
  tape(fed_);
  for (Extremum& e : all_) tape(e.least, e.least_time, e.greatest, e.greatest_time);
}

std::vector<Extremum> ExtremaWatch::report() const {
  std::vector<Extremum> extrema;
  for (const Extremum& e : all_) {
    if (fed_ && e.name != "time") extrema.push_back(e);
  }
  return extrema;
}

}  // namespace torsor
