#include "torsor/result/result_channels.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "torsor/result/hdf5_id.h"
#include "torsor/simulation/channels.h"

namespace torsor {
namespace {

constexpr std::array<std::string_view, 8> kBooks{"time",     "energy",   "work",        "dissipated",
                                                 "sampling", "momentum", "constraints", "solver"};

void add_channels(const Channel& column, std::size_t first, std::vector<TrackedChannel>& all) {
  std::vector<std::string> units;
  for (int i = 0; i < column.width(); ++i) units.push_back(column_unit(column, i));
  const bool mixed = std::any_of(units.begin(), units.end(), [&](const auto& u) { return u != units[0]; });
  const std::string& kind = column.path.front();
  const bool by_unit =
      kind == "joints" || kind == "actuators" || kind == "controllers" || kind == "couplings";
  for (std::size_t i = 0; i < units.size();) {
    std::size_t end = i + 1;
    while (end < units.size() && units[end] == units[i]) ++end;
    const std::string unit = " [" + units[i] + "]";
    all.push_back({hdf5_path(column.path) + (mixed ? unit : ""),
                   kind + "/" + column.path.back() + (by_unit ? unit : ""), units[i], first + i, end - i});
    i = end;
  }
}

}  // namespace

TrackedChannels result_channels(const Manifest& manifest) {
  TrackedChannels channels;
  for (const Channel& column : manifest.channels) {
    const bool is_booked =
        std::find(kBooks.begin(), kBooks.end(), std::string_view(column.path[0])) != kBooks.end();
    if (!is_booked && !column.components.empty()) add_channels(column, channels.width, channels.list);
    channels.width += column.components.size();
  }
  channels.fill = [manifest](const Observation& observation, std::span<double> row) {
    fill_row(observation, 0, manifest, row);
  };
  return channels;
}

}  // namespace torsor
