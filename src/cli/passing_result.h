#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"

namespace torsor {

/// The result that a report is made of, where the run keeps none itself; removed with its folder.
class PassingResult {
 public:
  PassingResult() {
    std::string pattern = (std::filesystem::temp_directory_path() / "torsor-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw ModelError("--report", "room for a temporary result file", in_quotes(pattern));
    folder_ = pattern;
  }
  ~PassingResult() {
    std::error_code fault;
    std::filesystem::remove_all(folder_, fault);
  }
  PassingResult(const PassingResult&) = delete;
  PassingResult& operator=(const PassingResult&) = delete;
  std::string path() const { return folder_ / "run.h5"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace torsor
