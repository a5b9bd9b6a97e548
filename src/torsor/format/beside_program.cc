#include "torsor/format/beside_program.h"

#include <dlfcn.h>

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr int kFoldersUp = 4;  ///< build/sanitize/bin lies three below the source tree

/// The file that this code was loaded from: a library, or a module of an interpreter. Of a program it may be a
/// relative path, which says nothing once the folder has changed: then empty.
fs::path file_of_code() {
  Dl_info info;
  static const char place = 0;
  if (!dladdr(&place, &info) || !info.dli_fname) return {};
  std::error_code fault;
  const fs::path file(info.dli_fname);
  return file.is_absolute() ? fs::canonical(file, fault) : fs::path();
}

}  // namespace

fs::path find_beside_program(std::initializer_list<const char*> places,
                             const std::function<bool(const fs::path&)>& holds) {
  std::error_code fault;
  for (const fs::path& file : {file_of_code(), fs::read_symlink("/proc/self/exe", fault)}) {
    fs::path folder = file.parent_path();
    for (int i = 0; i < kFoldersUp && !folder.empty(); ++i, folder = folder.parent_path()) {
      for (const char* place : places) {
        if (holds(folder / place)) return folder / place;
      }
    }
  }
  return {};
}

}  // namespace torsor
