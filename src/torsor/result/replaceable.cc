#include <fmt/format.h>

#include <filesystem>

#include "torsor/base/error.h"
#include "torsor/result/our_files.h"
#include "torsor/result/output_file.h"

namespace torsor {

namespace fs = std::filesystem;

bool is_replaceable(const std::string& path) {
  std::error_code fault;
  if (!fs::is_regular_file(path, fault)) return true;
  return fs::file_size(path, fault) == 0 || is_our_file(path);
}

void require_replaceable(const std::string& path, const std::string& key,
                         const std::vector<std::string>& inputs, bool force) {
  if (path.empty()) return;
  std::error_code fault;
  for (const std::string& input : inputs) {
    if (!input.empty() && fs::equivalent(path, input, fault)) {
      throw ModelError(key, "another file than those that are read",
                       fmt::format("'{}': it is '{}'", path, input));
    }
  }
  if (!force && !is_replaceable(path)) {
    throw ModelError(key, "a new file, or a result that may be written over (--force writes over any other)",
                     fmt::format("'{}': it is not a result of torsor", path));
  }
}

}  // namespace torsor
