#pragma once
// The table paper | ours | verdict, for a terminal and for a document.

#include "experiments/reproduce.h"

namespace torsor {

/// One experiment as lines of text.
std::string text_of(const ExperimentResult& result);
/// What a row of each class is, worst last.
const std::vector<std::pair<Match, const char*>>& meanings();
/// How many rows of each class: `31 matches the published number, ..`.
std::string counts_of(const Reproduction& reproduction);
/// The counts, time, threads, machine: one line.
std::string summary_of(const Reproduction& reproduction);
/// A whole document in Markdown.
std::string markdown_of(const Reproduction& reproduction);

}  // namespace torsor
