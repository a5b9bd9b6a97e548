#include "torsor/page/report_frames.h"

#include <algorithm>
#include <cmath>

namespace torsor {
namespace {

constexpr int kEnoughFrames = 1000;  ///< for a motion that is looked at

bool starts_with_any(const std::string& text, std::initializer_list<const char*> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char* start) { return text.starts_with(start); });
}
bool ends_with_any(const std::string& text, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return text.ends_with(end); });
}

/// Others imply it.
bool is_derived(const std::string& dataset) {
  return ends_with_any(dataset, {"acceleration", "/reaction_world", "/reaction_parent"}) ||
         (dataset.starts_with("points/") && dataset.ends_with("/velocity"));
}

bool is_place(const std::string& dataset) {
  if (dataset.starts_with("bodies/")) return ends_with_any(dataset, {"/com", "/angle", "/quaternion"});
  if (dataset.starts_with("joints/")) return dataset.ends_with("/position");
  return !dataset.starts_with("points/");
}

double bytes_of_frame(const std::vector<ReportColumn>& columns, ReportThrift thrift) {
  double bytes = 0;
  for (const auto& [dataset, width] : columns) {
    if (is_kept(dataset, thrift)) bytes += (needs_double(dataset, thrift) ? 8.0 : 4.0) * width * 4 / 3;
  }
  return bytes;
}

}  // namespace

bool needs_double(const std::string& dataset, ReportThrift thrift) {
  if (starts_with_any(dataset, {"joints/", "controllers/", "points/", "loads/"})) return false;
  if (thrift == ReportThrift::places_only && dataset.starts_with("bodies/")) return false;
  return !ends_with_any(dataset,
                        {"/velocity", "/angular_velocity", "/acceleration", "/angular_acceleration"});
}

bool is_kept(const std::string& dataset, ReportThrift thrift) {
  if (thrift != ReportThrift::none && is_derived(dataset)) return false;
  return thrift != ReportThrift::places_only || is_place(dataset);
}

ReportSize fitting_size(const std::vector<std::vector<ReportColumn>>& results,
                        const std::vector<int>& records, double most_bytes) {
  const int longest = records.empty() ? 0 : *std::max_element(records.begin(), records.end());
  ReportSize size;
  for (const ReportThrift thrift :
       {ReportThrift::none, ReportThrift::without_derived, ReportThrift::places_only}) {
    double bytes = 0;
    for (std::size_t i = 0; i < results.size(); ++i) bytes += bytes_of_frame(results[i], thrift) * records[i];
    size = {thrift,
            static_cast<int>(std::clamp(std::ceil(bytes / most_bytes), 1.0, double(std::max(1, longest))))};
    const int fewest = thrift == ReportThrift::none ? longest : std::min(longest, kEnoughFrames);
    if (longest / size.every >= fewest) break;
  }
  return size;
}

std::vector<int> frames_of(int records, int every) {
  std::vector<int> frames;
  for (int i = 0; i < records; i += every) frames.push_back(i);
  if (frames.back() != records - 1) frames.push_back(records - 1);
  return frames;
}

std::vector<std::string> left_out(const std::vector<ReportColumn>& columns, ReportThrift thrift) {
  std::vector<std::string> kinds;
  for (const auto& [dataset, width] : columns) {
    if (is_kept(dataset, thrift)) continue;
    const std::size_t first = dataset.find('/'), last = dataset.rfind('/');
    const std::string kind =
        last > first ? dataset.substr(0, first + 1) + "*" + dataset.substr(last) : dataset;
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace torsor
