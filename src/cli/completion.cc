#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/described.h"
#include "cli/say.h"
#include "cli/verbs.h"

namespace torsor {
namespace {

using Verbs = std::vector<DescribedVerb>;

constexpr const char* kCompletionFooter = R"(Examples:
  torsor completion bash > ~/.local/share/bash-completion/completions/torsor
  torsor completion zsh > ~/.zfunc/_torsor      # a folder of $fpath
  torsor completion fish > ~/.config/fish/completions/torsor.fish)";

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// Without what ends or divides a description in the shells' own files.
std::string plain(std::string text) {
  for (char& c : text) {
    if (c == '\'' || c == '`') c = '"';
    if (c == '[') c = '(';
    if (c == ']') c = ')';
    if (c == ':') c = ',';
  }
  return text;
}

// Bash: after an option its words, else options after a dash and the words of arguments; files where they may
// be meant.
void print_bash(const Verbs& verbs) {
  std::string names, cases;
  for (const DescribedVerb& verb : verbs) {
    names += verb.name + " ";
    std::string options, words, files = "";
    for (const DescribedOption& option : verb.options) {
      if (option.positional) {
        words += joined(option.words) + " ";
        if (option.is_file) files = " files=1";
        continue;
      }
      options += joined(option.names) + " ";
      if (option.value.empty()) continue;
      std::string keys;
      for (const std::string& name : option.names) {
        keys.append(keys.empty() ? "" : "|").append(verb.name).append(",").append(name);
      }
      cases += fmt::format("    {}) words='{}'{} ;;\n", keys, joined(option.words),
                           option.is_file ? " files=1" : "");
    }
    cases += fmt::format("    {},*) if [[ $cur == -* ]]; then words='{}'; else words='{}'{}; fi ;;\n",
                         verb.name, options, words, files);
  }
  print(R"(# bash completion of torsor
_torsor() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words= files=
  if ((COMP_CWORD == 1)); then prev=; words='{}--help --version'; fi
  ((COMP_CWORD == 1)) || case "${{COMP_WORDS[1]}},$prev" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur") ${{files:+$(compgen -f -- "$cur")}})
}}
complete -o filenames -F _torsor torsor
)",
        names, cases);
}

std::string zsh_values(const DescribedOption& option) {
  if (option.words.empty()) return option.is_file ? "_files" : " ";
  if (!option.is_file) return fmt::format("({})", joined(option.words));
  return fmt::format("{{_alternative \"words:name:({})\" \"files:file:_files\"}}", joined(option.words));
}

void print_zsh(const Verbs& verbs) {
  std::string names, cases;
  for (const DescribedVerb& verb : verbs) {
    names += fmt::format("    '{}:{}'\n", verb.name, plain(verb.what));
    cases += fmt::format("    {}) _arguments", verb.name);
    for (const DescribedOption& option : verb.options) {
      if (option.positional) {
        cases += fmt::format(" \\\n      '{}:{}:{}'", option.repeats ? "*" : "", option.names.front(),
                             zsh_values(option));
        continue;
      }
      for (const std::string& name : option.names) {
        cases +=
            fmt::format(" \\\n      '{}{}[{}]{}'", option.repeats ? "*" : "", name, plain(option.what),
                        option.value.empty() ? "" : ":" + plain(option.value) + ":" + zsh_values(option));
      }
    }
    cases += " ;;\n";
  }
  print(R"(#compdef torsor
_torsor() {{
  local -a verbs=(
{}  )
  local state line
  _arguments -C '--help[help]' '--version[version]' '1:verb:->verb' '*::argument:->rest'
  if [[ $state == verb ]]; then _describe verb verbs; return; fi
  case $line[1] in
{}  esac
}}
_torsor "$@"
)",
        names, cases);
}

void print_fish(const Verbs& verbs) {
  print("# fish completion of torsor\ncomplete -c torsor -f\n");
  for (const DescribedVerb& verb : verbs) {
    print("complete -c torsor -n __fish_use_subcommand -a {} -d '{}'\n", verb.name, plain(verb.what));
    const std::string when = fmt::format("-n '__fish_seen_subcommand_from {}'", verb.name);
    for (const DescribedOption& option : verb.options) {
      const std::string words = option.words.empty() ? "" : fmt::format(" -a '{}'", joined(option.words));
      if (option.positional) {
        if (!words.empty() || option.is_file)
          print("complete -c torsor {}{}{}\n", when, words, option.is_file ? " -F" : "");
        continue;
      }
      std::string names;
      for (const std::string& name : option.names) {
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      const char* follows = option.value.empty() ? "" : option.is_file ? " -r -F" : " -x";
      print("complete -c torsor {}{}{}{} -d '{}'\n", when, names, follows, words, plain(option.what));
    }
  }
}

}  // namespace

RunVerb add_completion(CLI::App& verb) {
  const auto shell = std::make_shared<std::string>();
  verb.add_option("SHELL", *shell, "whose completions to print")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  verb.footer(kCompletionFooter);
  return [shell, &verb] {
    const Verbs verbs = described_verbs(verb);
    *shell == "bash" ? print_bash(verbs) : *shell == "zsh" ? print_zsh(verbs) : print_fish(verbs);
    return kDone;
  };
}

}  // namespace torsor
