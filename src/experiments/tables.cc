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
    const std::string wanted = row.verdict == Verdict::fell_short ? ", wanted " + row.wanted : "";
    cells.push_back({row.what, row.paper, row.ours, name_of(row.verdict) + wanted});
  }
  const std::vector<std::string> lines = aligned(cells);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    add(text, "  {}\n", lines[i]);
    if (i > 0 && !result.rows[i - 1].note.empty()) text += wrapped(result.rows[i - 1].note, 110, "      ");
  }
  return text;
}

std::string summary_of(const Reproduction& reproduction) {
  std::string text = fmt::format("{} experiment{}, ", reproduction.experiments.size(),
                                 reproduction.experiments.size() == 1 ? "" : "s");
  for (const Verdict verdict :
       {Verdict::reproduced, Verdict::explained, Verdict::fell_short, Verdict::none}) {
    add(text, "{} {}{}", reproduction.count(verdict),
        verdict == Verdict::none ? "rows only shown" : name_of(verdict),
        verdict == Verdict::none ? "" : ", ");
  }
  add(text, "; {:.0f} s on {} threads, {}", reproduction.seconds, reproduction.threads, reproduction.machine);
  return text;
}

std::string markdown_of(const Reproduction& reproduction) {
  std::string text = "# Published experiments\n";
  text +=
      "The results of the five documents that the engine builds on, re-made by `torsor reproduce`. This page "
      "is what\n"
      "`torsor reproduce --markdown` writes. A row is *reproduced* when our figure lies within the bound "
      "beside it. It is\n"
      "*explained* where the publication cannot be met: the reason stands below, and the bound is that of "
      "the evidence.\n"
      "Times, set beside those of other machines, and counts carry no verdict.\n\n";
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
