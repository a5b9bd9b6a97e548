#include "torsor/result/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>

#include "torsor/result/result_place.h"

namespace torsor {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) { return fs::absolute(path).parent_path(); }
bool may_write(const fs::path& path) { return access(path.c_str(), W_OK) == 0; }

/// Also into a pipe.
bool write_from_here(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return true;
}

bool is_on_disk(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS; }

/// False with errno where anything went wrong; the file is closed in any case.
bool write_and_close(int descriptor, const std::string& text) {
  const bool written = write_from_here(descriptor, std::as_bytes(std::span(text))) && is_on_disk(descriptor);
  const int fault = errno;
  const bool closed = close(descriptor) == 0;
  if (!written) errno = fault;
  return written && closed;
}

}  // namespace

ModelError unwritable(const std::string& path, const std::string& reason, const std::string& key) {
  return ModelError(key, "a file that can be written", fmt::format("'{}': {}", path, reason));
}

OutputFailure write_failed(const std::string& path, const std::string& reason, const std::string& key) {
  return OutputFailure(key, "room for all that is to be written", fmt::format("'{}': {}", path, reason));
}

void fail_to_make(const std::string& path, int fault, const std::string& key) {
  const bool is_full = fault == ENOSPC || fault == EDQUOT;
  if (is_full) throw write_failed(path, std::strerror(fault), key);
  throw unwritable(path, std::strerror(fault), key);
}

bool put_folder_on_disk(const std::string& file) {
  const int folder = open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;  // one that may be written and not be read
  const bool done = is_on_disk(folder);
  const int fault = errno;
  close(folder);
  errno = fault;
  return done;
}

double record_count(const RunSettings& settings) {
  if (!(settings.step > 0)) return 1;
  return std::ceil(settings.duration / settings.step / std::max(1, settings.record_every)) + 1;
}

void require_writable(const std::string& path, const std::string& key) {
  std::error_code fault;
  if (fs::is_directory(path, fault)) throw unwritable(path, "it is a folder", key);
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, fault)) {
    throw unwritable(path, fmt::format("no folder '{}'", folder.string()), key);
  }
  const bool exists = fs::exists(path, fault);
  if (!exists && fs::is_symlink(fs::symlink_status(path, fault))) {
    const std::string target = fs::read_symlink(path, fault).string();
    throw unwritable(path, fmt::format("it is a link to '{}', where nothing is", target), key);
  }
  if (may_write(exists ? fs::path(path) : folder)) return;
  const std::string what = exists ? "the file" : fmt::format("the folder '{}'", folder.string());
  throw unwritable(path, fmt::format("{} is read-only: {}", what, std::strerror(errno)), key);
}

void require_space(const std::string& path, double bytes) {
  require_writable(path);
  std::error_code fault;
  const fs::space_info space = fs::space(folder_of(path), fault);
  if (fault || bytes <= static_cast<double>(space.available)) return;
  throw unwritable(path,
                   fmt::format("about {:.0f} MB to write, {:.0f} MB free (record less often: --record-every)",
                               bytes / 1e6, static_cast<double>(space.available) / 1e6));
}

namespace {

/// Over what is there: a device, a pipe, or the empty file that is to take another's place.
int opened(const std::string& place, const std::string& path, const std::string& key) {
  const int descriptor = open(place.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (descriptor < 0) fail_to_make(path, errno, key);
  return descriptor;
}

void write_whole(int descriptor, const std::string& text, const std::string& path, const std::string& key) {
  if (!write_and_close(descriptor, text)) throw write_failed(path, std::strerror(errno), key);
}

}  // namespace

void write_text_file(const std::string& path, const std::string& text, const std::string& key) {
  require_writable(path, key);
  struct stat before = {};
  const bool exists = stat(path.c_str(), &before) == 0;
  if (exists && !S_ISREG(before.st_mode)) return write_whole(opened(path, path, key), text, path, key);
  ResultPlace place(path, key);
  const int descriptor = opened(place.working(), path, key);
  if (exists && fchmod(descriptor, before.st_mode & 07777) != 0) {
    // It keeps the permissions of a new file.
  }
  write_whole(descriptor, text, path, key);
  place.settle();
}

}  // namespace torsor
