#include "torsor/page/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/format/beside_program.h"
#include "torsor/format/yaml_text.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/page/load_columns.h"
#include "torsor/page/model_differences.h"
#include "torsor/page/page.h"
#include "torsor/page/report_frames.h"
#include "torsor/page/stored_parts.h"
#include "torsor/result/base64.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/json_reading.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_table.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

constexpr const char* kPlace = "@torsor-data@";  ///< of the data, in viewer/index.html

struct Result {
  std::string path;
  Hdf5Reader file;
  std::vector<std::string> datasets;
  int rows = 0;  ///< that every dataset has: a run that was killed may have written some of them further
};

Result open_result(const std::string& path) {
  Result result{path, Hdf5Reader(path), {}, 0};
  require_run(result.file, path);
  result.datasets = result.file.datasets();
  int least = -1;
  for (const std::string& name : result.datasets) {
    const int rows = result.file.rows(name);
    least = least < 0 ? rows : std::min(least, rows);
  }
  if (least < 1) throw ModelError("time", "a record or more", "none", path);
  if (result.file.columns("time") != 1)
    throw ModelError("time", "a time for each record", "more numbers", path);
  result.rows = least;
  return result;
}

std::vector<ReportColumn> columns_in(const Result& result) {
  std::vector<ReportColumn> columns;
  for (const std::string& name : result.datasets) columns.push_back({name, result.file.columns(name)});
  return columns;
}

Json column_json(const std::string& unit, const std::vector<std::string>& components, int width,
                 bool in_double, const std::vector<double>& values) {
  Json column{{"unit", unit},
              {"width", width},
              {"type", in_double ? "float64" : "float32"},
              {"data", in_double ? base64_float64(values) : base64_float32(values)}};
  if (width > 1 && !components.empty()) column["components"] = components;
  return column;
}

Json columns_of(const Result& result, const std::vector<int>& frames, ReportThrift thrift) {
  Json columns = Json::object();
  std::vector<double> times;
  for (const std::string& name : result.datasets) {
    if (!is_kept(name, thrift)) continue;
    const Hdf5Reader::Table table = result.file.table(name);
    std::vector<double> values;
    values.reserve(frames.size() * table.columns);
    for (int frame : frames) {
      const auto row = table.values.begin() + std::ptrdiff_t(frame) * table.columns;
      values.insert(values.end(), row, row + table.columns);
    }
    if (name == "time") times = values;
    columns[name] =
        column_json(table.unit, table.components, table.columns, needs_double(name, thrift), values);
  }
  for (const LoadColumn& load : load_columns(result.file.text("model"), times)) {
    columns[load.dataset] = column_json(load.unit, {"x", "y", "z"}, 3, false, load.values);
  }
  return columns;
}

Json parsed_attribute(const Result& result, const char* name) {
  const std::string text = result.file.text(name);
  return text.empty() ? Json(nullptr) : parse_json(text, name, result.path);
}

/// Without them the page would stay empty.
Json scene_of(const Result& result) {
  Json scene = parsed_attribute(result, "scene");
  require_scene(scene, result.path);
  return scene;
}
Json ledger_of(const Result& result) {
  Json ledger = parsed_attribute(result, "ledger");
  require_ledger(ledger, result.file.text("ledger"), result.path);
  return ledger;
}
Json settings_of(const Result& result) {
  Json settings = parsed_attribute(result, "settings");
  require_settings(settings, result.path);
  return settings;
}

/// What the integrator promises, beside which the page sets what the ledger found.
Json claims_of(const Json& settings) {
  const bool is_named =
      settings.is_object() && settings.contains("integrator") && settings["integrator"].is_string();
  const IntegratorEntry* entry = is_named ? integrators().find(settings["integrator"]) : nullptr;
  if (!entry) return nullptr;
  return {{"order", entry->order},
          {"energy", name_of(entry->energy)},
          {"energy_exact", entry->energy == EnergyClaim::exact},
          {"momenta_exact", entry->exact_momenta},
          {"constraints", entry->constraints},
          {"symplectic", entry->symplectic}};
}

Json result_json(const Result& result, const ReportSize& size) {
  const std::vector<int> frames = frames_of(result.rows, size.every);
  const Json settings = settings_of(result);
  return {{"name", std::filesystem::path(result.path).stem().string()},
          {"version", result.file.text("version")},
          {"records", result.rows},
          {"every", size.every},
          {"frames", frames.size()},
          {"left_out", left_out(columns_in(result), size.thrift)},
          {"single", size.thrift == ReportThrift::places_only},
          {"scene", scene_of(result)},
          {"model", result.file.text("model")},
          {"settings", settings},
          {"claims", claims_of(settings)},
          {"ledger", ledger_of(result)},
          {"columns", columns_of(result, frames, size.thrift)}};
}

std::filesystem::path page_place() {
  namespace fs = std::filesystem;
  const fs::path place = find_beside_program({"share/torsor/report.html"}, [](const fs::path& file) {
    std::error_code fault;
    return fs::is_regular_file(file, fault);
  });
  if (place.empty()) {
    throw ModelError("(page)", "the page that `make build` builds with Node (share/torsor/report.html)",
                     "none near the program: install nodejs and npm, then `make build`");
  }
  return place;
}

}  // namespace

std::string report_data(const ReportOptions& options) {
  std::vector<Result> opened;
  for (const std::string& path : options.results) opened.push_back(open_result(path));
  std::vector<std::vector<ReportColumn>> columns;
  std::vector<int> records;
  std::vector<std::string> models, settings;
  for (const Result& result : opened) {
    columns.push_back(columns_in(result));
    records.push_back(result.rows);
    models.push_back(result.file.text("model"));
    settings.push_back(result.file.text("settings"));
  }
  ReportSize size = fitting_size(columns, records, options.bytes.value_or(kReportBytes));
  if (options.every) size.every = *options.every;
  Json results = Json::array();
  for (const Result& result : opened) results.push_back(result_json(result, size));
  Json data{{"format", 1}, {"version", kVersion}, {"results", results}};
  if (opened.size() > 1) {
    Json differences = Json::array();
    for (const auto& [key, values] : model_differences(models, settings)) {
      Json cells = Json::array();
      for (const auto& value : values) cells.push_back(value ? Json(*value) : Json(nullptr));
      differences.push_back({{"key", key}, {"values", cells}});
    }
    data["differences"] = differences;
  }
  return without_tags(json_text(data));
}

std::string report_page() { return read_file(page_place()).value_or(""); }

std::string fill_report_page(const std::string& page, const std::string& data) {
  const std::size_t at = page.find(kPlace);
  if (at == std::string::npos) throw ModelError("report", "a page with a place for data", "one without");
  return page.substr(0, at) + data + page.substr(at + std::string(kPlace).size());
}

void require_report_place(const std::string& path, const std::string& key) {
  page_place();
  require_page_place(path, key);
}

void write_report(const ReportOptions& options, const std::string& path, const std::string& key) {
  require_report_place(path, key);
  write_text_file(path, fill_report_page(report_page(), report_data(options)), key);
}

}  // namespace torsor
