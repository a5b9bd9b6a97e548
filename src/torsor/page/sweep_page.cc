#include "torsor/page/sweep_page.h"

#include <algorithm>
#include <set>

#include "torsor/page/page.h"
#include "torsor/page/report.h"
#include "torsor/result/base64.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"
#include "torsor/study/sensitivity.h"

namespace torsor {
namespace {

constexpr std::size_t kMostRows = 20'000, kMostFailures = 200;

/// Rows that are shown: every nth, and those of kept runs.
std::vector<std::size_t> shown_rows(const SweepTable& table, const std::vector<KeptRun>& kept) {
  std::set<long> wanted;
  for (const KeptRun& run : kept) wanted.insert(run.run);
  const std::size_t every = (table.runs.size() + kMostRows - 1) / kMostRows;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    if (i % every == 0 || wanted.contains(table.runs[i])) rows.push_back(i);
  }
  return rows;
}

Json column_object(const SweepColumn& column, const std::vector<std::size_t>& rows) {
  std::vector<double> shown;
  for (const std::size_t row : rows) shown.push_back(column.values[row]);
  return {{"group", name_of(column.group)},
          {"name", column.name},
          {"unit", column.unit},
          {"labels", column.labels},
          {"values", base64_float64(shown)}};
}

Json sensitivities(const SweepTable& table) {
  Json all = Json::array();
  for (const SweepColumn& measure : table.columns) {
    if (measure.group != SweepColumn::Group::measures) continue;
    Json shares = Json::array();
    for (const SweepColumn& input : table.columns) {
      if (input.group != SweepColumn::Group::inputs) continue;
      shares.push_back({{"input", input.name}, {"first", first_order_index(input.values, measure.values)}});
    }
    all.push_back({{"measure", measure.name}, {"shares", shares}});
  }
  return all;
}

}  // namespace

std::string sweep_data(const SweepTable& table, const std::string& title, const std::vector<KeptRun>& kept) {
  const std::vector<std::size_t> rows = shown_rows(table, kept);
  std::vector<std::int32_t> runs;
  for (const std::size_t row : rows) runs.push_back(static_cast<std::int32_t>(table.runs[row]));
  Json columns = Json::array(), failed = Json::array(), links = Json::array();
  for (const SweepColumn& column : table.columns) columns.push_back(column_object(column, rows));
  for (const SweepTable::Failed& one : table.failed) {
    if (failed.size() == kMostFailures) break;
    failed.push_back({{"run", one.run}, {"inputs", one.inputs}, {"reason", one.reason}});
  }
  for (const KeptRun& run : kept) links.push_back({{"run", run.run}, {"link", run.link}});
  const Json sweep{{"title", title},
                   {"planned", table.planned},
                   {"done", table.runs.size()},
                   {"failed", table.failed.size()},
                   {"runs", base64_int32(runs)},
                   {"columns", columns},
                   {"failures", failed},
                   {"kept", links},
                   {"sensitivities", sensitivities(table)},
                   {"sweep", table.sweep},
                   {"model", table.model}};
  return without_tags(
      json_text({{"format", 1}, {"version", kVersion}, {"results", Json::array()}, {"sweep", sweep}}));
}

void write_sweep_page(const SweepTable& table, const std::string& title, const std::vector<KeptRun>& kept,
                      const std::string& path, const std::string& key) {
  require_report_place(path, key);
  write_text_file(path, fill_report_page(report_page(), sweep_data(table, title, kept)), key);
}

}  // namespace torsor
