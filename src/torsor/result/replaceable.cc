#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "torsor/base/error.h"
#include "torsor/result/hdf5_file.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

bool is_our_hdf5(const std::string& path) {
  try {
    const Hdf5File file(path, MissingEnd::zeros);
    return file.find("text/version") != nullptr || file.root().attributes.contains("version");
  } catch (const ModelError&) {
    return false;
  }
}

/// How our tables, answers, pages and matrices begin.
bool begins_like_ours(const std::string& head) {
  constexpr std::array kBeginnings{"time,",
                                   "time\n",
                                   "run,",
                                   "{\"model\":",
                                   "{\n \"model\":",
                                   "{\n \"version\":",
                                   "# Published experiments",
                                   "MATLAB 5.0 MAT-file, written by Torsor"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [&](const char* one) { return head.starts_with(one); }) ||
         head.find("<meta name=\"generator\" content=\"torsor") != std::string::npos;
}

}  // namespace

bool is_replaceable(const std::string& path) {
  std::error_code fault;
  if (!fs::is_regular_file(path, fault)) return true;
  std::string head(4096, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  if (head.empty()) return fs::file_size(path, fault) == 0;
  return head.starts_with("\x89HDF") ? is_our_hdf5(path) : begins_like_ours(head);
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
