#include "torsor/format/beside_program.h"

namespace torsor {

namespace fs = std::filesystem;

constexpr int kFoldersUp = 4;  ///< build/sanitize/bin lies three below the source tree

fs::path find_beside_program(std::initializer_list<const char*> places,
                             const std::function<bool(const fs::path&)>& holds) {
  std::error_code fault;
  fs::path folder = fs::read_symlink("/proc/self/exe", fault).parent_path();
  for (int i = 0; i < kFoldersUp && !folder.empty(); ++i, folder = folder.parent_path()) {
    for (const char* place : places) {
      if (holds(folder / place)) return folder / place;
    }
  }
  return {};
}

}  // namespace torsor
