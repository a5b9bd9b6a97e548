#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/output_flags.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/result/json_parts.h"
#include "torsor/result/output_file.h"
#include "torsor/result/result_table.h"

namespace torsor {
namespace {

constexpr const char* kExportFooter = R"(Examples:
  torsor export result.h5 result.csv --units
  torsor export result.h5 hand.json --record points.hand --record energy
  torsor export result.h5 small.h5 --record "joints.*.reaction" --every 10
A .csv file is the one that `torsor run --out FILE.csv` writes.)";

struct ExportOptions {
  std::string result, out;
  std::vector<std::string> record;
  int every = 1;
  bool units = false, json = false, force = false;
};

Status export_result(const ExportOptions& options) {
  if (options.every < 1) throw ModelError("--every", "1 or more", std::to_string(options.every));
  require_replaceable(options.out, "OUT", {options.result}, options.force);
  const ResultTable table = part_of(read_result(options.result), options.record, options.every);
  write_result(table, options.out, "OUT", options.units);
  if (options.json) {
    Json channels = Json::array();
    for (const ResultDataset& dataset : table.datasets) channels.push_back(dataset.path);
    print("{}\n", json_text({{"out", options.out}, {"rows", table.rows}, {"channels", channels}}, 1));
  }
  say("export: {} ({} records of {} channels)\n", options.out, table.rows, table.datasets.size());
  return kDone;
}

}  // namespace

RunVerb add_export(CLI::App& verb) {
  const auto options = std::make_shared<ExportOptions>();
  verb.add_option("RESULT", options->result, "result file of `torsor run --out FILE.h5`")->required();
  verb.add_option("OUT", options->out, "the table, .csv, .json or .h5")->required();
  verb.add_option("--record", options->record, "channels by name or beginning, with * and ? (default: all)")
      ->type_name("CHANNEL")
      ->allow_extra_args(false);
  verb.add_option("--every", options->every, "every Nth record, and the last")->type_name("N");
  verb.add_flag("--units", options->units,
                "in a .csv file a second line, which begins with #, says the units");
  verb.add_flag("--json", options->json, "what was written as one JSON object");
  add_force(verb, options->force);
  verb.footer(kExportFooter);
  return [options] { return export_result(*options); };
}

}  // namespace torsor
