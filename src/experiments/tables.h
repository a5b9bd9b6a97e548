#pragma once
// The table paper | ours | verdict, for a terminal and for a document.

#include "experiments/reproduce.h"

namespace torsor {

/// One experiment as lines of text.
std::string text_of(const ExperimentResult& result);
/// How many rows of each verdict, time, threads, machine: one line.
std::string summary_of(const Reproduction& reproduction);
/// A whole document in Markdown.
std::string markdown_of(const Reproduction& reproduction);

}  // namespace torsor
