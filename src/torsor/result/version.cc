#include "torsor/result/version.h"

#include <fmt/format.h>

namespace torsor {

const char* const kVersion = TORSOR_VERSION;

std::string build_text() {
  return fmt::format("torsor {}\ncompiler   {}\nflags      {} (instructions: {})\nlibraries  {}", kVersion,
                     TORSOR_COMPILER, TORSOR_FLAGS, TORSOR_INSTRUCTIONS, TORSOR_LIBRARIES);
}

}  // namespace torsor
