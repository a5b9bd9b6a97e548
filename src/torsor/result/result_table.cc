#include "torsor/result/result_table.h"

#include <algorithm>

#include "torsor/result/hdf5_reader.h"
#include "torsor/result/json_scene.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

constexpr double kMostReserved = 1e6;  ///< rows: longer runs grow as they go

/// Files before version 0.1 had no names of components.
std::vector<std::string> components_of(const Hdf5Reader::Table& table) {
  if (table.columns == 1) return {""};
  if (static_cast<int>(table.components.size()) == table.columns) return table.components;
  std::vector<std::string> numbered;
  for (int i = 0; i < table.columns; ++i) numbered.push_back(std::to_string(i));
  return numbered;
}

}  // namespace

const ResultDataset* ResultTable::find(const std::string& path) const {
  const auto found = std::find_if(datasets.begin(), datasets.end(),
                                  [&](const auto& dataset) { return dataset.path == path; });
  return found == datasets.end() ? nullptr : &*found;
}

ResultTable read_result(const std::string& path) {
  const Hdf5Reader file(path);
  if (!file.has_attribute("scene")) {
    throw ModelError("scene", "the attribute that every result file has", "none", path);
  }
  ResultTable table{{},
                    0,
                    file.attribute("model"),
                    file.attribute("scene"),
                    file.attribute("settings"),
                    file.attribute("version"),
                    file.attribute("ledger")};
  int rows = -1;
  for (const std::string& name : file.datasets()) {
    Hdf5Reader::Table read = file.table(name);
    rows = rows < 0 ? read.rows : std::min(rows, read.rows);
    table.datasets.push_back({name, read.unit, components_of(read), read.integral, std::move(read.values)});
  }
  table.rows = std::max(rows, 0);
  for (ResultDataset& dataset : table.datasets) dataset.values.resize(table.rows * dataset.width());
  return table;
}

TableKeeper::TableKeeper(const Model& model, std::string settings) : model_(model) {
  table_.model = model.text();
  table_.scene = scene_json(model);
  table_.settings = std::move(settings);
  table_.version = kVersion;
}

void TableKeeper::on_start(const Manifest& manifest, const RunSettings& settings) {
  const std::vector<ResultColumn> columns = result_columns(model_, manifest);
  row_.resize(row_width(columns));
  const auto rows = static_cast<std::size_t>(std::min(record_count(settings), kMostReserved));
  for (const ResultColumn& column : columns) {
    table_.datasets.push_back({hdf5_path(column), column.unit, column.components, column.integral, {}});
    table_.datasets.back().values.reserve(rows * column.width());
  }
}

void TableKeeper::on_record(const Observation& observation, double energy_residual) {
  fill_row(observation, energy_residual, model_.dimension(), row_);
  auto next = row_.begin();
  for (ResultDataset& dataset : table_.datasets) {
    const auto end = next + static_cast<std::ptrdiff_t>(dataset.width());
    dataset.values.insert(dataset.values.end(), next, end);
    next = end;
  }
  ++table_.rows;
  last_ = observation;
}

}  // namespace torsor
