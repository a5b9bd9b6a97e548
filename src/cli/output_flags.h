#pragma once
// --force, of the verbs that write files.

#include <CLI/CLI.hpp>

namespace torsor {

inline void add_force(CLI::App& verb, bool& force) {
  verb.add_flag("--force", force, "overwrite a file that is not a result of torsor");
}

}  // namespace torsor
