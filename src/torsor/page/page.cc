#include "torsor/page/page.h"

#include "torsor/base/nearest.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

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
.matches-the-published-number, .matches-the-published-curve { color: var(--good); } .same-behaviour { color: inherit; }
.consistent-with-itself { color: var(--soft); } .explained { color: var(--note); } .fell-short { color: var(--bad); font-weight: 600; }
.no-verdict { color: var(--plain); } td.verdict { white-space: nowrap; padding-right: 0; }
article td:nth-child(3), .whole { white-space: nowrap; }
.contents td:first-child { white-space: nowrap; }
figure { margin: 1rem 0 0; } figcaption { font-size: .9rem; font-weight: 600; }
svg { width: 100%; height: auto; display: block; } svg text { fill: var(--soft); font-size: 11.5px; }
.grid { stroke: var(--line); stroke-width: 1; fill: none; } .frame { stroke: var(--soft); fill: none; }
.guide { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 5 4; fill: none; }
.curve { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.legend { font-size: .86rem; color: var(--soft); } .legend span { margin-right: 1.1rem; white-space: nowrap; }
.legend i { display: inline-block; width: 1.1rem; height: .2rem; border-radius: 2px; margin-right: .35rem; vertical-align: middle; }
details { margin-top: .6rem; color: var(--soft); font-size: .9rem; } details li { overflow-wrap: anywhere; }
@media (max-width: 40rem) { svg text { font-size: 17px; } th:nth-child(4), td:nth-child(4):not(.note) { display: none; } body { padding: 1rem .8rem; } }
)";

}  // namespace

void require_page_place(const std::string& path, const std::string& key) {
  if (!path.ends_with(".html")) throw ModelError(key, "a file name that ends in .html", in_quotes(path));
  require_writable(path, key);
}

std::string page_start(const std::string& title) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-torsor'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"torsor\">\n";
  add(page, "<title>{}</title>\n<style nonce=\"torsor\">{}", escaped(title), kStyle);
  for (int c = 0; c < kPlotColours; ++c) {
    add(page,
        ".c{0} {{ stroke: var(--c{0}); }} .f{0} {{ fill: var(--c{0}); }} .b{0} {{ background: var(--c{0}); "
        "}}\n",
        c);
  }
  return page + "</style>\n</head><body>\n";
}

std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (char c : json) c == '<' ? text.append("\\u003c") : text.append(1, c);
  return text;
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

}  // namespace torsor
