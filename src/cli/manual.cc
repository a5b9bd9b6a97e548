#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>

#include "cli/described.h"
#include "cli/say.h"
#include "cli/verbs.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

/// For roff: a backslash and a dash mean something, and so does a line that starts with a dot or a quote.
std::string roff(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool at_start = i == 0 || text[i - 1] == '\n';
    if (at_start && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    text[i] == '\\' ? result += "\\e" : text[i] == '-' ? result += "\\-" : result += text[i];
  }
  return result;
}

void print_verbatim(const std::string& text) { print(".nf\n{}\n.fi\n", roff(text)); }

void print_verb(const DescribedVerb& verb) {
  print(".SS torsor {}", verb.name);
  for (const DescribedOption& option : verb.options) {
    if (option.positional) print(" {}{}", option.names.front(), option.repeats ? ".." : "");
  }
  print("\n{}.\n", roff(verb.what));
  for (const DescribedOption& option : verb.options) {
    print(".TP\n\\fB{}\\fR", roff(fmt::format("{}", fmt::join(option.names, ", "))));
    if (!option.value.empty() && !option.positional) print(" \\fI{}\\fR", roff(option.value));
    print("\n{}\n", roff(option.what));
  }
  if (!verb.examples.empty()) {
    print(".PP\n");
    print_verbatim(verb.examples);
  }
}

}  // namespace

RunVerb add_manual(CLI::App& verb) {
  return [&verb] {
    const CLI::App& program = *verb.get_parent();
    print(".TH TORSOR 1 \"\" \"torsor {}\" \"User Commands\"\n", kVersion);
    print(".SH NAME\ntorsor \\- structure\\-preserving simulation of rigid\\-body mechanisms\n");
    print(".SH SYNOPSIS\n\\fBtorsor\\fR \\fIVERB\\fR [\\fIARGUMENT\\fR]..\n");
    print(".SH DESCRIPTION\n{}\n", roff(program.get_description()));
    print_verbatim(program.get_footer());
    print(".SH VERBS\n");
    for (const DescribedVerb& entry : described_verbs(verb)) print_verb(entry);
    print(
        ".SH ENVIRONMENT\n.TP\n\\fBTORSOR_MODELS\\fR\nThe folder in which models are looked for by name, in "
        "place of the gallery that comes with the program.\n");
    return kDone;
  };
}

}  // namespace torsor
