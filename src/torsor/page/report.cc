#include "torsor/page/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/format/beside_program.h"
#include "torsor/format/yaml_text.h"
#include "torsor/integrator/catalogue.h"
#include "torsor/page/page.h"
#include "torsor/result/base64.h"
#include "torsor/result/hdf5_reader.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/output_file.h"
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
  if (!result.file.has_attribute("scene")) {
    throw ModelError("scene", "the attribute that every result of `torsor run --out FILE.h5` has", "none",
                     path);
  }
  result.datasets = result.file.datasets();
  int least = -1;
  for (const std::string& name : result.datasets) {
    const int rows = result.file.rows(name);
    least = least < 0 ? rows : std::min(least, rows);
  }
  if (least < 1) throw ModelError("time", "a record or more", "none", path);
  result.rows = least;
  return result;
}

/// Of these the page shows differences or poses; of all others curves, for which six digits do.
bool needs_double(const std::string& dataset) {
  for (const char* group : {"joints/", "controllers/", "points/"}) {
    if (dataset.starts_with(group)) return false;
  }
  for (const char* quantity : {"/velocity", "/angular_velocity", "/acceleration", "/angular_acceleration"}) {
    if (dataset.ends_with(quantity)) return false;
  }
  return true;
}

/// What others imply, and a page of many records does without.
bool is_spare(const std::string& dataset) {
  for (const char* quantity : {"acceleration", "/reaction_world", "/reaction_parent"}) {
    if (dataset.ends_with(quantity)) return true;
  }
  return dataset.starts_with("points/") && dataset.ends_with("/velocity");
}

double bytes_of_frame(const Result& result) {
  double bytes = 0;
  for (const std::string& name : result.datasets)
    bytes += (needs_double(name) ? 8.0 : 4.0) * result.file.columns(name) * 4 / 3;
  return bytes;
}

double bytes_of(const std::vector<Result>& results) {
  double bytes = 0;
  for (const Result& result : results) bytes += bytes_of_frame(result) * result.rows;
  return bytes;
}

/// Every Nth record and the last.
std::vector<int> frames_of(int rows, int every) {
  std::vector<int> frames;
  for (int i = 0; i < rows; i += every) frames.push_back(i);
  if (frames.back() != rows - 1) frames.push_back(rows - 1);
  return frames;
}

Json columns_of(const Result& result, const std::vector<int>& frames) {
  Json columns = Json::object();
  for (const std::string& name : result.datasets) {
    const Hdf5Reader::Table table = result.file.table(name);
    std::vector<double> values;
    values.reserve(frames.size() * table.columns);
    for (int frame : frames) {
      const auto row = table.values.begin() + std::ptrdiff_t(frame) * table.columns;
      values.insert(values.end(), row, row + table.columns);
    }
    const bool in_double = needs_double(name);
    columns[name] = {{"unit", table.unit},
                     {"width", table.columns},
                     {"type", in_double ? "float64" : "float32"},
                     {"data", in_double ? base64_float64(values) : base64_float32(values)}};
  }
  return columns;
}

Json parsed_attribute(const Result& result, const char* name) {
  if (!result.file.has_attribute(name)) return nullptr;
  Json json = Json::parse(result.file.attribute(name), nullptr, false);
  return json.is_discarded() ? Json(nullptr) : json;
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

Json result_json(const Result& result, int every) {
  const std::vector<int> frames = frames_of(result.rows, every);
  const Json settings = parsed_attribute(result, "settings");
  return {{"name", std::filesystem::path(result.path).stem().string()},
          {"version", result.file.attribute("version")},
          {"records", result.rows},
          {"every", every},
          {"frames", frames.size()},
          {"scene", parsed_attribute(result, "scene")},
          {"model", result.file.attribute("model")},
          {"settings", settings},
          {"claims", claims_of(settings)},
          {"ledger", parsed_attribute(result, "ledger")},
          {"columns", columns_of(result, frames)}};
}

std::filesystem::path page_place() {
  namespace fs = std::filesystem;
  const fs::path place = find_beside_program({"share/torsor/report.html"}, [](const fs::path& file) {
    std::error_code fault;
    return fs::is_regular_file(file, fault);
  });
  if (place.empty()) {
    throw ModelError("report", "the page that `make build` builds with Node (share/torsor/report.html)",
                     "none near the program: install nodejs and npm, then `make build`");
  }
  return place;
}

}  // namespace

std::string report_data(const ReportOptions& options) {
  std::vector<Result> opened;
  for (const std::string& path : options.results) opened.push_back(open_result(path));
  if (bytes_of(opened) > kReportBytes) {
    for (Result& result : opened) std::erase_if(result.datasets, is_spare);
  }
  const int fitting = std::max(1, static_cast<int>(std::ceil(bytes_of(opened) / kReportBytes)));
  Json results = Json::array();
  for (const Result& result : opened) results.push_back(result_json(result, options.every.value_or(fitting)));
  const Json data{{"format", 1}, {"version", kVersion}, {"results", results}};
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
