#pragma once
// What this build is, for results and for reports of faults.

#include <string>

namespace torsor {

extern const char* const kVersion;  ///< of CMakeLists.txt

/// `torsor 0.1.0`, then compiler, flags that bear on numbers and speed, and libraries, a line each.
std::string build_text();

}  // namespace torsor
