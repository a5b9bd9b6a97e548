#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/output_flags.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/page/report.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr const char* kReportFooter = R"(Examples:
  torsor report result.h5
  torsor report mine.h5 theirs.h5 -o compared.html
  torsor report coarse.h5 middle.h5 fine.h5 -o steps.html
  torsor report long_run.h5 --every 10
  torsor report long_run.h5 --size 2
The page needs no network: open it in a browser, or send it to somebody.)";

constexpr int kMostResults = 12;  ///< that a picture can tell apart

struct ReportVerb {
  ReportOptions report;
  std::optional<int> every;
  std::optional<double> megabytes;
  std::string out = "report.html";
  bool force = false;
};

Status report(ReportVerb options) {
  if (options.every && *options.every < 1) {
    throw ModelError("--every", "1 or more", std::to_string(*options.every));
  }
  if (options.megabytes && !(*options.megabytes > 0)) {
    throw ModelError("--size", "a number above 0 [MB]", fmt::format("{}", *options.megabytes));
  }
  options.report.every = options.every;
  if (options.megabytes) options.report.bytes = 1e6 * *options.megabytes;
  require_replaceable(options.out, "--out", options.report.results, options.force);
  write_report(options.report, options.out);
  say("report: {}\n", options.out);
  return kDone;
}

}  // namespace

RunVerb add_report(CLI::App& verb) {
  const auto options = std::make_shared<ReportVerb>();
  verb.add_option("RESULT", options->report.results, "result files of `torsor run --out FILE.h5`")
      ->required()
      ->expected(1, kMostResults);
  verb.add_option("-o,--out", options->out, "the page")->type_name("FILE.html")->capture_default_str();
  verb.add_option("--every", options->every, "show every Nth record (as many as fit)")->type_name("N");
  verb.add_option("--size", options->megabytes, "what the numbers of the page may take (12)")
      ->type_name("MB");
  add_force(verb, options->force);
  verb.footer(kReportFooter);
  return [options] { return report(*options); };
}

}  // namespace torsor
