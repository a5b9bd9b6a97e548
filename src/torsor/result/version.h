#pragma once

namespace torsor {

inline constexpr const char* kVersion = TORSOR_VERSION;  ///< of CMakeLists.txt

}  // namespace torsor
