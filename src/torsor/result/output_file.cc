#include "torsor/result/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>

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

/// A descriptor for writing; a full disk is another fault than a place where no file can be.
int opened(const fs::path& place, int flags, const std::string& path, const std::string& key) {
  const int descriptor = open(place.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor >= 0) return descriptor;
  if (errno == ENOSPC || errno == EDQUOT) throw write_failed(path, std::strerror(errno), key);
  throw unwritable(path, std::strerror(errno), key);
}

}  // namespace

void write_text_file(const std::string& path, const std::string& text, const std::string& key) {
  require_writable(path, key);
  std::error_code fault;
  const bool exists = fs::exists(path, fault);
  const fs::path target = exists ? fs::canonical(path, fault) : fs::path(path);  // a link stays a link
  if (exists && (!fs::is_regular_file(target, fault) || !may_write(folder_of(target)))) {
    if (write_and_close(opened(target, O_TRUNC, path, key), text)) return;
    throw write_failed(path, std::strerror(errno), key);
  }
  const std::string passing = fmt::format("{}.{}.tmp", target.string(), getpid());
  bool done = write_and_close(opened(passing, O_CREAT | O_TRUNC, path, key), text);
  if (done && exists) fs::permissions(passing, fs::status(target, fault).permissions(), fault);
  done = done && std::rename(passing.c_str(), target.c_str()) == 0;
  if (done) return;
  const std::string reason = std::strerror(errno);
  unlink(passing.c_str());
  throw write_failed(path, reason, key);
}

}  // namespace torsor
