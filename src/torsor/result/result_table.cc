#include "torsor/result/result_table.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "torsor/result/hdf5_id.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/json_scene.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

constexpr double kMostBytesKept = 16e9;
constexpr double kMostReserved = 1e6;  ///< rows: longer runs grow as they go

/// Files before version 0.1 had no names of components.
std::vector<std::string> components_of(const Hdf5Reader::Table& table) {
  if (table.columns == 1) return {""};
  if (static_cast<int>(table.components.size()) == table.columns) return table.components;
  std::vector<std::string> numbered;
  for (int i = 0; i < table.columns; ++i) numbered.push_back(std::to_string(i));
  return numbered;
}

/// As the file says it; what it does not name comes last.
void put_in_order(const std::string& order, std::vector<ResultDataset>& datasets) {
  std::map<std::string, std::size_t> places;
  std::istringstream lines(order);
  for (std::string path; std::getline(lines, path);) places.emplace(path, places.size());
  const auto place = [&](const ResultDataset& dataset) {
    const auto found = places.find(dataset.path);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(datasets.begin(), datasets.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

}  // namespace

Channel channel_of(const ResultDataset& dataset) {
  return {parts_of_hdf5_path(dataset.path), dataset.unit, dataset.components, dataset.integral};
}

const ResultDataset* ResultTable::find(const std::string& path) const {
  const auto found = std::find_if(datasets.begin(), datasets.end(),
                                  [&](const auto& dataset) { return dataset.path == path; });
  return found == datasets.end() ? nullptr : &*found;
}

void ResultTable::row(std::size_t index, std::vector<double>& numbers) const {
  numbers.clear();
  for (const ResultDataset& dataset : datasets) {
    const auto first = dataset.values.begin() + static_cast<std::ptrdiff_t>(index * dataset.width());
    numbers.insert(numbers.end(), first, first + static_cast<std::ptrdiff_t>(dataset.width()));
  }
}

void require_run(const Hdf5Reader& file, const std::string& path) {
  if (file.has_text("scene")) return;
  const bool is_sweep = file.has_text("sweep");
  throw ModelError("scene", "the text that every result file of a run has",
                   is_sweep ? "the table of a sweep, beside which `runs` holds results" : "none", path);
}

ResultTable read_result(const std::string& path) {
  const Hdf5Reader file(path);
  require_run(file, path);
  ResultTable table{{},
                    0,
                    file.text("model"),
                    file.text("scene"),
                    file.text("settings"),
                    file.text("version"),
                    file.text("ledger")};
  int rows = -1;
  for (const std::string& name : file.datasets()) {
    Hdf5Reader::Table read = file.table(name);
    rows = rows < 0 ? read.rows : std::min(rows, read.rows);
    table.datasets.push_back({name, read.unit, components_of(read), read.integral, std::move(read.values)});
  }
  table.rows = std::max(rows, 0);
  put_in_order(file.text("channels"), table.datasets);
  for (ResultDataset& dataset : table.datasets) dataset.values.resize(table.rows * dataset.width());
  return table;
}

ResultTable part_of(const ResultTable& table, const std::vector<std::string>& record, int every,
                    const std::string& key) {
  std::vector<std::vector<std::string>> paths;
  for (const ResultDataset& dataset : table.datasets) paths.push_back(parts_of_hdf5_path(dataset.path));
  const std::vector<bool> chosen = chosen_channels(paths, record, key);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < table.rows; row += static_cast<std::size_t>(every)) rows.push_back(row);
  if (!rows.empty() && rows.back() + 1 != table.rows) rows.push_back(table.rows - 1);
  ResultTable part{{}, rows.size(), table.model, table.scene, table.settings, table.version, table.ledger};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const ResultDataset& whole = table.datasets[i];
    part.datasets.push_back({whole.path, whole.unit, whole.components, whole.integral, {}});
    std::vector<double>& values = part.datasets.back().values;
    for (const std::size_t row : rows) {
      const auto first = whole.values.begin() + static_cast<std::ptrdiff_t>(row * whole.width());
      values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(whole.width()));
    }
  }
  return part;
}

std::vector<Extremum> extrema_of(const ResultTable& table) {
  const ResultDataset* time = table.find("time");
  if (!time) throw ModelError("time", "the times of the records", "none");
  std::vector<Channel> channels;
  for (const ResultDataset& dataset : table.datasets) channels.push_back(channel_of(dataset));
  ExtremaWatch watch(channels);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < table.rows; ++i) {
    table.row(i, numbers);
    watch.feed(time->values[i], numbers);
  }
  return watch.report();
}

TableKeeper::TableKeeper(const Model& model, std::string settings) {
  table_.model = model.text();
  table_.scene = scene_json(model);
  table_.settings = std::move(settings);
  table_.version = kVersion;
}

void TableKeeper::on_start(const Manifest& manifest, const RunSettings& settings) {
  manifest_ = manifest;
  row_ = RecordRow(manifest, settings.record);
  const double bytes = 8 * record_count(settings) * static_cast<double>(row_.size());
  if (bytes > kMostBytesKept) {
    throw ModelError("simulation.record_every",
                     "at most 16 GB of records in memory (or write them to a file)",
                     std::to_string(bytes / 1e9) + " GB");
  }
  const auto rows = static_cast<std::size_t>(std::min(record_count(settings), kMostReserved));
  for (const Channel& column : row_.channels()) {
    table_.datasets.push_back({hdf5_path(column.path), column.unit, column.components, column.integral, {}});
    table_.datasets.back().values.reserve(rows * column.width());
  }
}

void TableKeeper::on_record(const Observation& observation, double energy_residual) {
  const std::span<const double> row = row_.fill(observation, energy_residual, manifest_);
  auto next = row.begin();
  for (ResultDataset& dataset : table_.datasets) {
    const auto end = next + static_cast<std::ptrdiff_t>(dataset.width());
    dataset.values.insert(dataset.values.end(), next, end);
    next = end;
  }
  ++table_.rows;
  last_ = observation;
}

}  // namespace torsor
