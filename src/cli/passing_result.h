#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "torsor/base/error.h"
#include "torsor/result/passing_file.h"

namespace torsor {

/// The result that a report is made of, where the run keeps none itself; removed with its folder, by a signal too.
class PassingResult {
 public:
  PassingResult() {
    if (!make_passing_folder(folder_))
      throw ModelError("--report", "room for a temporary result file", std::strerror(errno));
    file_ = Passing(folder_.path() + "/run.h5", Passing::Kind::file);
  }
  PassingResult(const PassingResult&) = delete;
  PassingResult& operator=(const PassingResult&) = delete;
  std::string path() const { return file_.path(); }

 private:
  Passing folder_, file_;  // the file goes first
};

}  // namespace torsor
