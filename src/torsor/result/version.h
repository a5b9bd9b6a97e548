#pragma once
// What this build is, for results and for reports of faults.

#include <string>

namespace torsor {

extern const char* const kVersion;  ///< of CMakeLists.txt

/// `torsor 0.1.0`, then compiler, flags and instructions that bear on numbers and speed, and libraries, a line each. Where it differs,
/// runs may differ in their last digits.
std::string build_text();

}  // namespace torsor
