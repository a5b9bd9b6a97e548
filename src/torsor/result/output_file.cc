#include "torsor/result/output_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace torsor {

ModelError unwritable(const std::string& path, const std::string& reason) {
  return ModelError("--out", "a file that can be written", fmt::format("'{}': {}", path, reason));
}

double record_count(const RunSettings& settings) {
  if (!(settings.step > 0)) return 1;
  return std::ceil(settings.duration / settings.step / std::max(1, settings.record_every)) + 1;
}

void require_space(const std::string& path, double bytes) {
  const std::filesystem::path parent = std::filesystem::absolute(path).parent_path();
  std::error_code fault;
  if (!std::filesystem::is_directory(parent, fault)) {
    throw unwritable(path, fmt::format("no folder '{}'", parent.string()));
  }
  const std::filesystem::space_info space = std::filesystem::space(parent, fault);
  if (fault || bytes <= static_cast<double>(space.available)) return;
  throw unwritable(path,
                   fmt::format("about {:.0f} MB to write, {:.0f} MB free (record less often: --record-every)",
                               bytes / 1e6, static_cast<double>(space.available) / 1e6));
}

}  // namespace torsor
