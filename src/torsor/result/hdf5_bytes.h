#pragma once
// Bytes of a file of strangers, read within bounds. For sources only.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace torsor {

/// Whether bytes beyond the end are a fault of the file, or read as zeros: what a damaged file has lost.
enum class MissingEnd { refused, zeros };

/// A file that is open for reading. All that is read counts against a budget in proportion to what the file holds on the
/// disk, holes left out, so that no file, however it was made, costs more time or memory than one of its size may.
class Hdf5Bytes {
 public:
  /// Throws ModelError where there is no such file, or no regular one: a folder, a device, a pipe.
  explicit Hdf5Bytes(const std::string& path, MissingEnd missing);
  Hdf5Bytes(Hdf5Bytes&& other) noexcept;
  Hdf5Bytes& operator=(Hdf5Bytes&&) = delete;
  ~Hdf5Bytes();

  std::uint64_t size() const { return size_; }
  /// Whether the file has these bytes. A run that goes on makes its file longer while it is read: it is measured again.
  bool holds(std::uint64_t at, std::uint64_t count) const;
  const std::string& path() const { return path_; }
  bool lenient() const { return missing_ == MissingEnd::zeros; }
  /// Throw ModelError beyond the end and beyond the budget.
  std::vector<std::byte> read(std::uint64_t at, std::uint64_t count) const;
  void read_into(std::uint64_t at, std::span<std::byte> bytes) const;
  /// Against the budget; called before memory is taken.
  void charge(double bytes) const;

  [[noreturn]] void refuse(const std::string& key, const std::string& expected,
                           const std::string& found) const;
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  mutable std::uint64_t size_ = 0;
  MissingEnd missing_;
  mutable double left_ = 0;  ///< of the budget [bytes]
};

/// Numbers one after the other, least byte first, as HDF5 keeps its structure.
class Hdf5Cursor {
 public:
  Hdf5Cursor(const Hdf5Bytes& file, std::span<const std::byte> bytes) : file_(&file), left_(bytes) {}

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > left_.size()) file_->damaged("a structure that ends too early");
    const std::span<const std::byte> taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
  void skip(std::uint64_t count) { take(count); }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const std::byte one : take(static_cast<std::uint64_t>(bytes))) {
      value |= std::to_integer<std::uint64_t>(one) << shift;
      shift += 8;
    }
    return value;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  std::size_t left() const { return left_.size(); }
  /// Throws where the next bytes are others.
  void expect(const char* signature, const char* what);

 private:
  const Hdf5Bytes* file_;
  std::span<const std::byte> left_;
};

}  // namespace torsor
