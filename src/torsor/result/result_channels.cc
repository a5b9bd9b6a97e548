#include "torsor/result/result_channels.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "torsor/result/result_columns.h"

namespace torsor {
namespace {

constexpr std::array<std::string_view, 8> kBooks{"time",     "energy",   "work",        "dissipated",
                                                 "sampling", "momentum", "constraints", "solver"};

/// One for each component.
std::vector<std::string> units_of(const ResultColumn& column) {
  std::vector<std::string> units;
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 2) {
    to = column.unit.find(", ", from);
    units.push_back(column.unit.substr(from, to == std::string::npos ? to : to - from));
  }
  units.resize(column.components.size(), units.front());
  return units;
}

void add_channels(const ResultColumn& column, std::size_t first, std::vector<Channel>& all) {
  const std::vector<std::string> units = units_of(column);
  const bool mixed = std::any_of(units.begin(), units.end(), [&](const auto& u) { return u != units[0]; });
  const std::string& kind = column.path.front();
  const bool by_unit =
      kind == "joints" || kind == "actuators" || kind == "controllers" || kind == "couplings";
  for (std::size_t i = 0; i < units.size();) {
    std::size_t end = i + 1;
    while (end < units.size() && units[end] == units[i]) ++end;
    const std::string unit = " [" + units[i] + "]";
    all.push_back({hdf5_path(column) + (mixed ? unit : ""),
                   kind + "/" + column.path.back() + (by_unit ? unit : ""), units[i], first + i, end - i});
    i = end;
  }
}

}  // namespace

Channels result_channels(const Model& model, const Manifest& manifest) {
  Channels channels;
  for (const ResultColumn& column : result_columns(model, manifest)) {
    const bool is_booked =
        std::find(kBooks.begin(), kBooks.end(), std::string_view(column.path[0])) != kBooks.end();
    if (!is_booked && !column.components.empty()) add_channels(column, channels.width, channels.list);
    channels.width += column.components.size();
  }
  channels.fill = [dimension = model.dimension()](const Observation& observation, std::span<double> row) {
    fill_row(observation, 0, dimension, row);
  };
  return channels;
}

}  // namespace torsor
