#pragma once

namespace torsor {

inline constexpr const char* kVersion = "0.1.0";  ///< as in CMakeLists.txt and CHANGELOG.md

}  // namespace torsor
