#pragma once
// Flags of a verb that belong to one of its kinds alone.

#include <CLI/CLI.hpp>
#include <string>

#include "torsor/base/error.h"

namespace torsor {

/// Throws ModelError where `flag` was given, which goes with `owner`.
inline void require_absent(const CLI::App& verb, const char* flag, const std::string& owner) {
  if (verb.count(flag) > 0) throw ModelError(flag, "only with `" + owner + "`", "it here");
}

}  // namespace torsor
