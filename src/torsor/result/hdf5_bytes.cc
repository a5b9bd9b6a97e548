#include "torsor/result/hdf5_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "torsor/base/error.h"
#include "torsor/result/disk_bytes.h"
#include "torsor/result/journal.h"

namespace torsor {
namespace {

constexpr double kFreeBytes = 64e6;  ///< that any file may cost
constexpr double kTimesItsSize = 32;

}  // namespace

Hdf5Bytes::Hdf5Bytes(const std::string& path, MissingEnd missing) : path_(path), missing_(missing) {
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe would wait for its writer
  struct stat status = {};
  if (descriptor_ < 0) refuse("", "a result file (HDF5)", std::strerror(errno));
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(std::exchange(descriptor_, -1));
    refuse("", "a result file (HDF5)", S_ISDIR(status.st_mode) ? "a folder" : "no regular file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  left_ = kFreeBytes + kTimesItsSize * static_cast<double>(bytes_on_disk(descriptor_));
}

Hdf5Bytes::Hdf5Bytes(Hdf5Bytes&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      missing_(other.missing_),
      left_(other.left_) {}

Hdf5Bytes::~Hdf5Bytes() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Hdf5Bytes::charge(double bytes) const {
  left_ -= bytes;
  if (!(left_ >= 0)) {
    refuse("", "a file that unpacks to at most 64 MB and 32 times its size", "more than that");
  }
}

bool Hdf5Bytes::holds(std::uint64_t at, std::uint64_t count) const {
  const auto fits = [&] { return at <= size_ && count <= size_ - at; };
  struct stat status = {};
  if (!fits() && fstat(descriptor_, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
  return fits();
}

void Hdf5Bytes::read_into(std::uint64_t at, std::span<std::byte> bytes) const {
  if (missing_ == MissingEnd::refused && !holds(at, bytes.size())) {
    damaged("something that lies beyond the end of the file");
  }
  if (at > std::uint64_t(1) << 62 || !read_at(descriptor_, at, bytes)) damaged("bytes that cannot be read");
}

std::vector<std::byte> Hdf5Bytes::read(std::uint64_t at, std::uint64_t count) const {
  charge(static_cast<double>(count));
  std::vector<std::byte> bytes(count);
  read_into(at, bytes);
  return bytes;
}

void Hdf5Bytes::refuse(const std::string& key, const std::string& expected, const std::string& found) const {
  throw ModelError(key, expected, found, path_);
}

void Hdf5Bytes::damaged(const std::string& what) const {
  refuse("", "a result file (HDF5) that is whole", what);
}

void Hdf5Cursor::expect(const char* signature, const char* what) {
  const std::size_t length = std::strlen(signature);
  if (left() < length || std::memcmp(take(length).data(), signature, length) != 0) file_->damaged(what);
}

}  // namespace torsor
