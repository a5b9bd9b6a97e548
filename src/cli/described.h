#pragma once
// What the program's own parser says of its verbs and options: what completions and the manual are made of.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace torsor {

struct DescribedOption {
  std::vector<std::string> names;  ///< "-o", "--out"; or the one of a positional argument
  bool positional = false, repeats = false;
  std::string value;  ///< what follows, as the help shows it; empty: a flag
  std::string what;
  std::vector<std::string> words;  ///< that it can be, as far as known
  bool is_file = false;            ///< or a file
};

struct DescribedVerb {
  std::string name, what, examples;
  std::vector<DescribedOption> options;
};

/// Of the program that `verb` belongs to.
std::vector<DescribedVerb> described_verbs(const CLI::App& verb);

}  // namespace torsor
