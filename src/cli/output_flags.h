#pragma once
// --force, of the verbs that write files.

#include <CLI/CLI.hpp>

namespace torsor {

inline void add_force(CLI::App& verb, bool& force) {
  verb.add_flag("--force", force, "write over a file that is no result of torsor");
}

}  // namespace torsor
