#include "experiments/reproduction_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/registry.h"
#include "experiments/tables.h"
#include "torsor/page/page.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

std::string class_of(Match verdict) {
  std::string name = name_of(verdict);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

/// Words with an exponent stay in one piece: browsers break lines at the hyphen of 1e-14.
std::string with_whole_numbers(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = escaped(text.substr(at, end - at));
    result += word.find("e-") == std::string::npos ? word : "<span class=\"whole\">" + word + "</span>";
    if (end < text.size()) result += ' ';
    at = end + 1;
  }
  return result;
}

void add_rows(std::string& page, const ExperimentResult& e) {
  page += "<table><tr><th></th><th>paper</th><th>ours</th><th>bound</th><th>verdict</th></tr>\n";
  for (const Row& row : e.rows) {
    add(page, "<tr{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"verdict {}\">{}</td></tr>\n",
        row.note.empty() ? "" : " class=\"has-note\"", escaped(row.what), with_whole_numbers(row.paper),
        escaped(row.ours), escaped(row.wanted), class_of(row.verdict), name_of(row.verdict));
    if (!row.note.empty())
      add(page, "<tr><td class=\"note\" colspan=\"5\">{}</td></tr>\n", escaped(row.note));
  }
  page += "</table>\n";
}

void add_experiment(std::string& page, const ExperimentResult& e) {
  add(page, "<article id=\"{0}\"><h3>{1}<code>{0}</code></h3>\n<p>{2}</p>\n", escaped(e.name),
      escaped(e.item), escaped(e.claim));
  add_rows(page, e);
  for (const NamedPlot& plot : e.plots) add_figure(page, plot);
  page += "<details><summary>Runs</summary><ul>";
  for (const std::string& run : e.runs) add(page, "<li><code>{}</code></li>", escaped(run));
  page += "</ul></details></article>\n";
}

/// The weakest class among the rows of an experiment.
Match worst(const ExperimentResult& e) {
  Match worst = Match::none;
  for (const Row& row : e.rows) {
    if (row.verdict == Match::none) continue;
    worst = worst == Match::none ? row.verdict : std::max(worst, row.verdict);
  }
  return worst;
}

void add_contents(std::string& page, const Reproduction& reproduction) {
  page += "<table class=\"contents\"><tr><th>experiment</th><th>claim</th><th>verdict</th></tr>\n";
  for (const ExperimentResult& e : reproduction.experiments) {
    const Match verdict = worst(e);
    add(page, "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td class=\"verdict {2}\">{3}</td></tr>\n",
        escaped(e.name), escaped(e.claim), class_of(verdict), name_of(verdict));
  }
  page += "</table>\n";
}

}  // namespace

std::string reproduction_page(const Reproduction& reproduction) {
  std::string page = page_start("Published experiments, re-made by Torsor");
  page += "<h1>Published experiments, re-made</h1>\n";
  add(page, "<p class=\"soft\">torsor {}: {}.</p>\n", kVersion, escaped(summary_of(reproduction)));
  page += "<table><tr><th>class</th><th>meaning</th><th>rows</th></tr>\n";
  for (const auto& [match, meaning] : meanings()) {
    add(page, "<tr><td class=\"verdict {}\">{}</td><td>{}</td><td>{}</td></tr>\n", class_of(match),
        name_of(match), meaning, reproduction.count(match));
  }
  page += "</table>\n<p class=\"soft\">Times and counts of operations have no verdict.</p>\n";
  add_contents(page, reproduction);
  for (const Source& source : sources()) {
    bool first = true;
    for (const ExperimentResult& e : reproduction.experiments) {
      if (e.source != source.key) continue;
      if (first) {
        add(page, "<h2>{}</h2>\n", escaped(source.citation));
        if (!source.machine.empty()) {
          add(page, "<p class=\"soft\">Published times: {}.</p>\n", escaped(source.machine));
        }
      }
      first = false;
      add_experiment(page, e);
    }
  }
  return page + kPageEnd;
}

}  // namespace torsor
