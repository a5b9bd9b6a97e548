#include "io/reproduction_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/svg_plot.h"
#include "io/version.h"
#include "reproduction/registry.h"
#include "reproduction/tables.h"

namespace torsor {
namespace {

template <class... Arguments>
void add(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2329; --soft: #5d6873; --line: #d9dee3; --ground: #fff; --card: #f7f8fa;
  --good: #17713c; --note: #8a5a00; --bad: #b3261e; --plain: #5d6873;
  --c0: #1f66b0; --c1: #c4541a; --c2: #2d7d46; --c3: #7a4fa3; --c4: #8c6d1f; --c5: #b0346e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --soft: #9aa5b0; --line: #363d45; --ground: #14181c;
  --card: #1b2026; --good: #5fc98a; --note: #e0ab4a; --bad: #ff8a80; --plain: #9aa5b0;
  --c0: #6cb0f5; --c1: #f09a62; --c2: #74c98f; --c3: #bd97e6; --c4: #d8b860; --c5: #ef86b4; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 5rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 3rem 0 .2rem; }
h3 { font-size: 1rem; margin: 0; } h3 code { font-weight: 400; color: var(--soft); margin-left: .6rem; }
p { margin: .4rem 0; } .soft { color: var(--soft); } code { font-size: .86em; }
a { color: var(--c0); }
article { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: 1rem 0; padding: 1rem 1.1rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .28rem .7rem .28rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); font-size: .85rem; }
tr.has-note td { border-bottom: 0; padding-bottom: 0; }
td.note { color: var(--soft); font-size: .9rem; padding-top: 0; }
.reproduced { color: var(--good); } .explained { color: var(--note); } .fell-short { color: var(--bad); font-weight: 600; }
.no-verdict { color: var(--plain); } td.verdict { white-space: nowrap; padding-right: 0; }
article td:nth-child(3), .whole { white-space: nowrap; }
.contents td:first-child { white-space: nowrap; }
figure { margin: 1rem 0 0; } figcaption { font-size: .9rem; font-weight: 600; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font-size: 11.5px; }
.grid { stroke: var(--line); stroke-width: 1; fill: none; } .frame { stroke: var(--soft); fill: none; }
.curve { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.legend { font-size: .86rem; color: var(--soft); } .legend span { margin-right: 1.1rem; white-space: nowrap; }
.legend i { display: inline-block; width: 1.1rem; height: .2rem; border-radius: 2px; margin-right: .35rem; vertical-align: middle; }
details { margin-top: .6rem; color: var(--soft); font-size: .9rem; } details li { overflow-wrap: anywhere; }
@media (max-width: 40rem) { svg text { font-size: 17px; } th:nth-child(4), td:nth-child(4):not(.note) { display: none; } body { padding: 1rem .8rem; } }
)";

std::string class_of(Verdict verdict) {
  std::string name = name_of(verdict);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

void add_style(std::string& page) {
  page += "<style>";
  page += kStyle;
  for (int c = 0; c < kPlotColours; ++c) {
    add(page,
        ".c{0} {{ stroke: var(--c{0}); }} .f{0} {{ fill: var(--c{0}); }} .b{0} {{ background: var(--c{0}); "
        "}}\n",
        c);
  }
  page += "</style>\n";
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

void add_figure(std::string& page, const NamedPlot& plot) {
  const std::string svg = svg_plot(plot);
  if (svg.empty()) return;
  add(page, "<figure><figcaption>{}</figcaption>{}", escaped(plot.title), svg);
  if (plot.curves.size() > 1) {
    page += "<div class=\"legend\">";
    for (std::size_t i = 0; i < plot.curves.size(); ++i) {
      add(page, "<span><i class=\"b{}\"></i>{}</span>", i % kPlotColours, escaped(plot.curves[i].label));
    }
    page += "</div>";
  }
  page += "</figure>\n";
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

Verdict worst(const ExperimentResult& e) {
  Verdict verdict = Verdict::none;
  for (const Row& row : e.rows) {
    if (row.verdict == Verdict::fell_short) return Verdict::fell_short;
    if (row.verdict == Verdict::explained) verdict = Verdict::explained;
    if (row.verdict == Verdict::reproduced && verdict == Verdict::none) verdict = Verdict::reproduced;
  }
  return verdict;
}

void add_contents(std::string& page, const Reproduction& reproduction) {
  page += "<table class=\"contents\"><tr><th>experiment</th><th>claim</th><th>verdict</th></tr>\n";
  for (const ExperimentResult& e : reproduction.experiments) {
    const Verdict verdict = worst(e);
    add(page, "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td class=\"verdict {2}\">{3}</td></tr>\n",
        escaped(e.name), escaped(e.claim), class_of(verdict), name_of(verdict));
  }
  page += "</table>\n";
}

}  // namespace

std::string reproduction_page(const Reproduction& reproduction) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Published experiments, re-made by Torsor</title>\n";
  add_style(page);
  page += "</head><body>\n<h1>Published experiments, re-made</h1>\n";
  add(page, "<p class=\"soft\">torsor {}: {}.</p>\n", kVersion, escaped(summary_of(reproduction)));
  page +=
      "<p>A row is <b class=\"reproduced\">reproduced</b> when our figure lies within the bound beside it. "
      "It is "
      "<b class=\"explained\">explained</b> where the publication cannot be met: the reason stands below, "
      "and the "
      "bound is that of the evidence. Times, set beside those of other machines, and counts carry no "
      "verdict.</p>\n";
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
  return page + "</body></html>\n";
}

}  // namespace torsor
