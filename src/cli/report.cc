#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/verbs.h"
#include "torsor/base/error.h"
#include "torsor/page/report.h"

namespace torsor {
namespace {

constexpr const char* kReportFooter = R"(Examples:
  torsor report result.h5
  torsor report mine.h5 theirs.h5 -o compared.html
  torsor report long_run.h5 --every 10
The page needs no network: open it in a browser, or send it to somebody.)";

struct ReportVerb {
  ReportOptions report;
  std::optional<int> every;
  std::string out = "report.html";
};

Status report(ReportVerb options) {
  if (options.every && *options.every < 1) {
    throw ModelError("--every", "1 or more", std::to_string(*options.every));
  }
  options.report.every = options.every;
  write_report(options.report, options.out);
  fmt::print(stderr, "report: {}\n", options.out);
  return kDone;
}

}  // namespace

RunVerb add_report(CLI::App& verb) {
  const auto options = std::make_shared<ReportVerb>();
  verb.add_option("RESULT", options->report.results, "result files of `torsor run --out FILE.h5`")
      ->required()
      ->expected(1, 2);
  verb.add_option("-o,--out", options->out, "the page")->type_name("FILE.html")->capture_default_str();
  verb.add_option("--every", options->every, "show every Nth record (as many as make a page of 12 MB)")
      ->type_name("N");
  verb.footer(kReportFooter);
  return [options] { return report(*options); };
}

}  // namespace torsor
