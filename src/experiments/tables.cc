#include "experiments/tables.h"

#include <algorithm>

#include "experiments/registry.h"
#include "torsor/base/text_table.h"
#include "torsor/page/page.h"

namespace torsor {
namespace {

/// Lines of at most so many letters; a word longer than that keeps its own.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string lines, line = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (line.size() > indent.size() && line.size() + 1 + (end - at) > width) {
      lines += line + "\n";
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line.append(text, at, end - at);
    at = end + 1;
  }
  return lines + line + "\n";
}

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped.empty() ? "-" : escaped;
}

}  // namespace

std::string text_of(const ExperimentResult& result) {
  std::string text = fmt::format("{}  ({})\n", result.name, result.item);
  text += wrapped(result.claim, 110, "  ");
  std::vector<std::vector<std::string>> cells{{"", "paper", "ours", "verdict"}};
  for (const Row& row : result.rows) {
    const std::string wanted = row.verdict == Match::fell_short ? ", wanted " + row.wanted : "";
    cells.push_back({row.what, row.paper, row.ours, name_of(row.verdict) + wanted});
  }
  const std::vector<std::string> lines = aligned(cells);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    add(text, "  {}\n", lines[i]);
    if (i > 0 && !result.rows[i - 1].note.empty()) text += wrapped(result.rows[i - 1].note, 110, "      ");
  }
  return text;
}

std::string counts_of(const Reproduction& reproduction) {
  std::string text;
  for (const Match match : kMatches) {
    if (match == Match::none) continue;
    add(text, "{}{}: {}", text.empty() ? "" : ", ", name_of(match), reproduction.count(match));
  }
  return text;
}

std::string summary_of(const Reproduction& reproduction) {
  const auto experiments = reproduction.experiments.size();
  return fmt::format("{} experiment{}; {}; without a verdict: {}; {:.0f} s on {} thread{}, {}", experiments,
                     experiments == 1 ? "" : "s", counts_of(reproduction), reproduction.count(Match::none),
                     reproduction.seconds, reproduction.threads, reproduction.threads == 1 ? "" : "s",
                     reproduction.machine);
}

const std::vector<std::pair<Match, const char*>>& meanings() {
  static const std::vector<std::pair<Match, const char*>> all{
      {Match::number,
       "the text or a table gives a number, and ours is within the bound and within half a decade of it"},
      {Match::curve, "the text or a table gives points of a curve, and ours lies within the bound of them"},
      {Match::behaviour,
       "the text describes the behaviour in words, and ours is the same; or ours is within the bound but far "
       "from the published number, as rounding errors are: the note says how far"},
      {Match::itself,
       "the publication gives only a picture, or nothing, to compare with; ours agrees with an independent "
       "formulation, with finer steps or with a law of mechanics"},
      {Match::explained,
       "the published value cannot be reached; the note says why, and the bound follows from that reason"},
      {Match::fell_short, "outside the bound, or not measurable"}};
  return all;
}

std::string markdown_of(const Reproduction& reproduction) {
  std::string text = "# Published experiments\n";
  text +=
      "The results of the five publications that the engine builds on, recomputed by `torsor reproduce`. "
      "The\n"
      "program writes this page itself (`torsor reproduce --markdown`). Each row is in one of six "
      "classes:\n\n"
      "| class | meaning | rows |\n| --- | --- | --- |\n";
  for (const auto& [match, meaning] : meanings()) {
    add(text, "| {} | {} | {} |\n", name_of(match), meaning, reproduction.count(match));
  }
  add(text,
      "\nTimes, which were published for other machines, and counts of operations are shown without a "
      "verdict "
      "({} rows).\n\n",
      reproduction.count(Match::none));
  text += summary_of(reproduction) + ".\n";
  for (const Source& source : sources()) {
    bool first = true;
    for (const ExperimentResult& e : reproduction.experiments) {
      if (e.source != source.key) continue;
      if (first) {
        add(text, "\n## {}\n{}.\n", source.key, source.citation);
        if (!source.machine.empty()) add(text, "Published times: {}.\n", source.machine);
      }
      first = false;
      add(text, "\n### {}: {}\n{}\n\n", e.name, e.item, e.claim);
      text += "| | paper | ours | bound | verdict |\n| --- | --- | --- | --- | --- |\n";
      for (const Row& row : e.rows) {
        add(text, "| {} | {} | {} | {} | {} |\n", cell(row.what), cell(row.paper), cell(row.ours),
            cell(row.wanted), name_of(row.verdict));
      }
      for (const Row& row : e.rows) {
        if (!row.note.empty()) add(text, "\n*{}*: {}.\n", row.what, row.note);
      }
      text += "\n";
      for (const std::string& run : e.runs) add(text, "- `{}`\n", run);
    }
  }
  return text;
}

}  // namespace torsor
