#include "torsor/result/result_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "torsor/result/output_file.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBusy = "another program is writing it";

/// Where the file system cannot tell, whatever lies there is replaced.
bool put_where_nothing_is(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  return errno != EEXIST && std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

ResultPlace::ResultPlace(const std::string& path, std::string key)
    : path_(path), key_(std::move(key)), target_(path) {
  require_writable(path, key_);
  std::error_code fault;
  replaces_ = fs::exists(path, fault);
  if (replaces_) {
    target_ = fs::canonical(path, fault).string();  // a link stays a link
    if (!fs::is_regular_file(target_, fault)) throw unwritable(path, "it is no regular file", key_);
    const FileLock::Outcome outcome = old_.lock(target_);
    if (outcome == FileLock::Outcome::busy) throw unwritable(path, kBusy, key_);
    if (outcome == FileLock::Outcome::impossible) throw unwritable(path, std::strerror(errno), key_);
  }
  const fs::path folder = fs::absolute(target_).parent_path();
  working_ = target_;
  if (access(folder.c_str(), W_OK) != 0) return;
  const int made = make_passing_file(target_, passing_);
  if (made < 0) fail_to_make(path, errno, key_);
  close(made);
  working_ = passing_.path();
}

void ResultPlace::settle() {
  if (!is_in_place()) {
    own_.lock(working_);
    const bool done = replaces_ ? std::rename(working_.c_str(), target_.c_str()) == 0
                                : put_where_nothing_is(working_, target_);
    if (!done && errno == EEXIST) throw unwritable(path_, kBusy, key_);
    if (!done) fail_to_make(path_, errno, key_);
    passing_.keep();
    if (!put_folder_on_disk(target_)) throw write_failed(path_, std::strerror(errno), key_);
  } else if (!replaces_) {
    own_.lock(working_);
  }
}

}  // namespace torsor
