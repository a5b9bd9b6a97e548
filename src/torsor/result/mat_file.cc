#include "torsor/result/mat_file.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace torsor {
namespace {

static_assert(std::endian::native == std::endian::little, "the file says that its bytes are in this order");

// Types of data and classes of arrays in the file.
enum : std::uint32_t { kInt8 = 1, kUint16 = 4, kInt32 = 5, kUint32 = 6, kDouble = 9, kMatrix = 14 };
enum : std::uint32_t { kCell = 1, kText = 4, kNumbers = 6, kComplex = 0x800 };

/// A tag, the data, and zeros up to a multiple of eight.
void add_data(std::string& to, std::uint32_t type, const void* data, std::size_t bytes) {
  const std::uint32_t tag[2] = {type, static_cast<std::uint32_t>(bytes)};
  to.append(reinterpret_cast<const char*>(tag), sizeof tag);
  to.append(static_cast<const char*>(data), bytes);
  to.append((8 - bytes % 8) % 8, '\0');
}

std::string array_head(std::uint32_t flags, Eigen::Index rows, Eigen::Index columns,
                       const std::string& name) {
  std::string head;
  const std::uint32_t both[2] = {flags, 0};
  const std::int32_t size[2] = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)};
  add_data(head, kUint32, both, sizeof both);
  add_data(head, kInt32, size, sizeof size);
  add_data(head, kInt8, name.data(), name.size());
  return head;
}

void add_numbers(std::string& to, const Eigen::MatrixXd& A) {
  add_data(to, kDouble, A.data(), sizeof(double) * static_cast<std::size_t>(A.size()));
}

std::string array(const std::string& name, const Eigen::MatrixXd& A) {
  std::string all = array_head(kNumbers, A.rows(), A.cols(), name);
  add_numbers(all, A);
  return all;
}
std::string array(const std::string& name, const Eigen::MatrixXcd& A) {
  std::string all = array_head(kNumbers | kComplex, A.rows(), A.cols(), name);
  add_numbers(all, A.real());
  add_numbers(all, A.imag());
  return all;
}
std::string array(const std::string& name, const std::vector<std::string>& texts) {
  std::string all = array_head(kCell, static_cast<Eigen::Index>(texts.size()), 1, name);
  for (const std::string& text : texts) {
    const std::vector<std::uint16_t> letters(text.begin(), text.end());
    std::string cell = array_head(kText, 1, static_cast<Eigen::Index>(letters.size()), "");
    add_data(cell, kUint16, letters.data(), 2 * letters.size());
    add_data(all, kMatrix, cell.data(), cell.size());
  }
  return all;
}

}  // namespace

std::string mat_file(const std::vector<std::pair<std::string, MatValue>>& variables) {
  std::string file = "MATLAB 5.0 MAT-file, written by Torsor";
  file.resize(124, ' ');
  std::memset(file.data() + 116, 0, 8);
  file += {'\0', '\1', 'I', 'M'};
  for (const auto& [name, value] : variables) {
    const std::string content = std::visit([&name = name](const auto& of) { return array(name, of); }, value);
    add_data(file, kMatrix, content.data(), content.size());
  }
  return file;
}

}  // namespace torsor
