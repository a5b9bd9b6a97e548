#include "torsor/result/sweep_table.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_id.h"
#include "torsor/result/hdf5_memory.h"
#include "torsor/result/journaled_file.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_place.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

/// Nothing in the file tells when it was made.
class TableFile {
 public:
  /// Asks again and again whether HDF5 may go on, which throws if not.
  TableFile(const std::string& path, std::function<void()> require_memory)
      : require_memory_(std::move(require_memory)),
        dataset_(H5Pcreate(H5P_DATASET_CREATE)),
        links_(H5Pcreate(H5P_LINK_CREATE)) {
    const Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_file_locking(access.get(), false, true);
    set_journaled_access(access);
    H5Pset_obj_track_times(dataset_.get(), false);
    H5Pset_create_intermediate_group(links_.get(), 1);
    file_ = Hdf5Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
    whole_ = static_cast<bool>(file_);
  }

  void text(const char* name, const std::string& text) {
    whole_ = whole_ && write_result_text(file_, name, text);
  }
  void runs(const std::string& path, const std::vector<long>& values) {
    const Hdf5Id data = make(path, H5T_STD_I64LE, values.size());
    write(data, H5T_NATIVE_LONG, values.data(), values.size());
  }
  void numbers(const std::string& path, const SweepColumn& column, const std::vector<double>& values) {
    const Hdf5Id data = make(path, H5T_IEEE_F64LE, values.size());
    write(data, H5T_NATIVE_DOUBLE, values.data(), values.size());
    whole_ = whole_ && write_hdf5_text(data, "unit", column.unit);
  }
  void texts(const std::string& path, const std::vector<std::string>& texts) {
    std::size_t longest = 1;
    for (const std::string& text : texts) longest = std::max(longest, text.size());
    std::string all;
    for (const std::string& text : texts) all.append(text).append(longest - text.size(), '\0');
    const Hdf5Id type(H5Tcopy(H5T_C_S1));
    H5Tset_size(type.get(), longest);
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    const Hdf5Id data = make(path, type.get(), texts.size());
    write(data, type.get(), all.data(), texts.size());
  }
  bool close() {
    require_memory_();
    whole_ = whole_ && H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0;
    return file_.close() && whole_;
  }

 private:
  Hdf5Id make(const std::string& path, std::int64_t type, std::size_t count) {
    if (!whole_) return {};
    if (made_++ % kLookEvery == 0) require_memory_();
    const std::array<hsize_t, 1> size{count};
    const Hdf5Id space(H5Screate_simple(1, size.data(), nullptr));
    Hdf5Id data(
        H5Dcreate2(file_.get(), path.c_str(), type, space.get(), links_.get(), dataset_.get(), H5P_DEFAULT));
    whole_ = static_cast<bool>(data);
    return data;
  }
  void write(const Hdf5Id& data, std::int64_t type, const void* values, std::size_t count) {
    whole_ = whole_ && (count == 0 || H5Dwrite(data.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  }

  std::function<void()> require_memory_;
  std::size_t made_ = 0;  ///< datasets
  Hdf5Id dataset_, links_, file_;
  bool whole_ = false;
};

void write_hdf5(const SweepTable& table, const std::string& path, const std::string& key) {
  const std::size_t most = 3 * table.columns.size() + 3;  // datasets
  const auto require_memory = [&] { require_hdf5_memory(most, path, key); };
  ResultPlace place(path, key);  // whole, or as before
  require_memory();
  silence_hdf5();
  TableFile file(place.working(), require_memory);
  file.text("sweep", table.sweep);
  file.text("model", table.model);
  file.text("version", table.version);
  file.runs("run", table.runs);
  for (const SweepColumn& column : table.columns) {
    file.numbers(hdf5_path({name_of(column.group), column.name}), column, column.values);
    if (!column.labels.empty()) file.texts(hdf5_path({"labels", column.name}), column.labels);
  }
  std::vector<long> failed;
  std::vector<std::string> reasons;
  for (const SweepTable::Failed& one : table.failed) {
    failed.push_back(one.run);
    reasons.push_back(one.reason);
  }
  file.runs("failed/run", failed);
  file.texts("failed/reason", reasons);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const SweepColumn& column = table.columns[i];
    if (column.group != SweepColumn::Group::inputs) break;
    std::vector<double> values;
    for (const SweepTable::Failed& one : table.failed) values.push_back(one.inputs[i]);
    file.numbers(hdf5_path({"failed", "inputs", column.name}), column, values);
  }
  if (!file.close()) throw write_failed(path, "HDF5 cannot finish it (disk full?)", key);
  place.settle();
}

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

std::string csv_value(const SweepColumn& column, double value) {
  return column.labels.empty() ? fmt::format("{}", value)
                               : csv_text(column.labels[static_cast<std::size_t>(value)]);
}

/// All runs in their order; those that failed without measures, with the reason in the last column.
std::string csv(const SweepTable& table) {
  std::string text = "run";
  for (const SweepColumn& column : table.columns) {
    text.append(",").append(csv_text(fmt::format("{}.{}", name_of(column.group), column.name)));
  }
  text.append(",failure\n");
  std::size_t row = 0, failure = 0;
  while (row < table.runs.size() || failure < table.failed.size()) {
    const bool failed = row == table.runs.size() ||
                        (failure < table.failed.size() && table.failed[failure].run < table.runs[row]);
    fmt::format_to(std::back_inserter(text), "{}", failed ? table.failed[failure].run : table.runs[row]);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const SweepColumn& column = table.columns[c];
      text.append(",");
      if (!failed) text.append(csv_value(column, column.values[row]));
      if (failed && column.group == SweepColumn::Group::inputs) {
        text.append(csv_value(column, table.failed[failure].inputs[c]));
      }
    }
    text.append(",").append(failed ? csv_text(table.failed[failure].reason) : "").append("\n");
    ++(failed ? failure : row);
  }
  return text;
}

}  // namespace

const char* name_of(SweepColumn::Group group) {
  constexpr const char* kNames[] = {"inputs", "measures", "ledger"};
  return kNames[static_cast<int>(group)];
}

const SweepColumn* SweepTable::find(SweepColumn::Group group, const std::string& name) const {
  for (const SweepColumn& column : columns) {
    if (column.group == group && column.name == name) return &column;
  }
  return nullptr;
}

SweepTable make_sweep_table(const SweepDescription& description, std::vector<SweepRow> rows,
                            const std::vector<std::string>& units) {
  std::sort(rows.begin(), rows.end(), [](const SweepRow& a, const SweepRow& b) { return a.run < b.run; });
  const SweepSamples samples(description);
  SweepTable table;
  table.planned = samples.count();
  table.version = kVersion;
  for (const SweepVariable& variable : description.variables) {
    table.columns.push_back({SweepColumn::Group::inputs, variable.path, variable.unit, variable.items, {}});
  }
  for (std::size_t i = 0; i < description.measures.size(); ++i) {
    table.columns.push_back({SweepColumn::Group::measures,
                             description.measures[i].name,
                             i < units.size() ? units[i] : "",
                             {},
                             {}});
  }
  for (const SweepFigure& figure : kSweepLedger) {
    table.columns.push_back({SweepColumn::Group::ledger, figure.name, figure.unit, {}, {}});
  }
  std::vector<double> inputs(description.variables.size());
  for (const SweepRow& row : rows) {
    samples.values(row.run, inputs);
    if (!row.done()) {
      table.failed.push_back({row.run, inputs, row.failure});
      continue;
    }
    require_size("numbers", row.numbers.size(), table.columns.size() - inputs.size());
    table.runs.push_back(row.run);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      table.columns[c].values.push_back(c < inputs.size() ? inputs[c] : row.numbers[c - inputs.size()]);
    }
  }
  return table;
}

void write_sweep_table(const SweepTable& table, const std::string& path, const std::string& key) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return write_hdf5(table, path, key);
  if (ending == ".csv") return write_text_file(path, csv(table), key);
  throw ModelError(key, "a file that ends in .h5 or .csv", "'" + path + "'");
}

std::string sweep_json(const SweepTable& table) {
  Json measures = Json::object(), failures = Json::object(), inputs = Json::array();
  for (const SweepColumn& column : table.columns) {
    if (column.group == SweepColumn::Group::inputs) inputs.push_back(column.name);
    if (column.group == SweepColumn::Group::inputs || column.values.empty()) continue;
    const auto [least, most] = std::minmax_element(column.values.begin(), column.values.end());
    double sum = 0;
    for (const double value : column.values) sum += value;
    Json entry{{"min", *least},
               {"max", *most},
               {"mean", sum / static_cast<double>(column.values.size())},
               {"unit", column.unit}};
    const std::string name =
        column.group == SweepColumn::Group::ledger ? "ledger." + column.name : column.name;
    measures[name] = std::move(entry);
  }
  std::map<std::string, long> reasons;
  for (const SweepTable::Failed& failed : table.failed) ++reasons[failed.reason];
  for (const auto& [reason, count] : reasons) failures[reason] = count;
  return json_text({{"inputs", inputs},
                    {"runs", table.planned},
                    {"done", table.runs.size()},
                    {"failed", table.failed.size()},
                    {"measures", measures},
                    {"failures", failures}},
                   1);
}

}  // namespace torsor
