#include "torsor/page/sweep_page.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/format/model_tree.h"
#include "torsor/page/page.h"
#include "torsor/page/report.h"
#include "torsor/result/base64.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/output_file.h"
#include "torsor/result/version.h"
#include "torsor/study/sensitivity.h"

namespace torsor {
namespace {

constexpr std::size_t kMostRows = 20'000, kMostFailures = 2'000;
constexpr double kGoldenSection = 0.6180339887498949;

/// At most `most` of `count` things: one of each `every` neighbours, at places that do not beat with the levels of a grid or
/// with the digits of Sobol's sequence, whose even runs all lie in one half of the first range.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  const std::size_t every = std::max<std::size_t>(1, (count + most - 1) / most);
  std::vector<std::size_t> taken;
  for (std::size_t group = 0; group * every < count; ++group) {
    const double share = std::fmod(kGoldenSection * static_cast<double>(group), 1.0);
    const std::size_t place = static_cast<std::size_t>(share * static_cast<double>(every));
    taken.push_back(std::min(group * every + place, count - 1));
  }
  return taken;
}

/// Rows that are shown: those of kept runs among them, always.
std::vector<std::size_t> shown_rows(const SweepTable& table, const std::vector<KeptRun>& kept) {
  const std::vector<std::size_t> some = thinned(table.runs.size(), kMostRows);
  std::set<std::size_t> rows(some.begin(), some.end());
  for (const KeptRun& run : kept) {
    const auto place = std::lower_bound(table.runs.begin(), table.runs.end(), run.run);
    if (place != table.runs.end() && *place == run.run)
      rows.insert(static_cast<std::size_t>(place - table.runs.begin()));
  }
  return {rows.begin(), rows.end()};
}

/// What the sweep file says of all runs, from which the page makes the command of one: the model, and what is set in it.
Json command_object(const YamlNode& file) {
  Json set = Json::array();
  const auto add = [&](const char* key, const std::string& before) {
    const YamlEntry* section = file.find(key);
    if (!section) return;
    for (const YamlEntry& entry : section->value.entries)
      set.push_back({before + entry.key, yaml_line(entry.value)});
  };
  add("simulation", "simulation.");
  add("set", "");
  const YamlEntry* model = file.find("model");
  return {{"model", model ? model->value.text : "MODEL"}, {"set", set}};
}

/// Inputs that vary in the logarithm.
std::vector<std::string> logarithmic_inputs(const YamlNode& file) {
  std::vector<std::string> names;
  const YamlEntry* vary = file.find("vary");
  if (!vary) return names;
  for (const YamlEntry& entry : vary->value.entries) {
    if (entry.value.find("log")) names.push_back(entry.key);
  }
  return names;
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
  for (const std::size_t i : thinned(table.failed.size(), kMostFailures)) {
    const SweepTable::Failed& one = table.failed[i];
    failed.push_back({{"run", one.run}, {"inputs", one.inputs}, {"reason", one.reason}});
  }
  for (const KeptRun& run : kept) links.push_back({{"run", run.run}, {"link", run.link}});
  Json sweep{{"title", title},
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
  if (!table.sweep.empty()) {
    const YamlNode file = parse_yaml(table.sweep, title);
    sweep["command"] = command_object(file);
    sweep["logarithmic"] = logarithmic_inputs(file);
  }
  return without_tags(
      json_text({{"format", 1}, {"version", kVersion}, {"results", Json::array()}, {"sweep", sweep}}));
}

void write_sweep_page(const SweepTable& table, const std::string& title, const std::vector<KeptRun>& kept,
                      const std::string& path, const std::string& key) {
  require_report_place(path, key);
  write_text_file(path, fill_report_page(report_page(), sweep_data(table, title, kept)), key);
}

}  // namespace torsor
