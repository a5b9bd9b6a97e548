#pragma once
// An HDF5 file of strangers: its tree of names, its texts and its numbers. For sources only.

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "torsor/result/hdf5_object.h"

namespace torsor {

/// A table of numbers in the file: rows of `columns` numbers.
class Hdf5Numbers {
 public:
  /// Throws ModelError where the object is no table of numbers. Both must outlive it.
  Hdf5Numbers(const Hdf5Bytes& file, const Hdf5Object& object, const std::string& name);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t columns() const { return columns_; }
  /// Against the budget of the file (hdf5_bytes.h): before room for so many rows is taken.
  void charge(std::uint64_t count) const;
  /// Rows from `first` on into room for count x columns() numbers; what the file never wrote is zero.
  void read(std::uint64_t first, std::uint64_t count, double* numbers) const;

 private:
  struct Chunk {
    std::uint64_t row, column, at;
    std::uint32_t bytes;   ///< in the file
    std::uint32_t unused;  ///< bits of filters that were not applied
  };
  void add_chunks(std::uint64_t node, int level, std::set<std::uint64_t>& seen);
  std::vector<std::byte> unpacked(const Chunk& chunk) const;
  void read_chunk(const Chunk& chunk, std::uint64_t first, std::uint64_t count, double* numbers) const;

  const Hdf5Bytes& file_;
  const Hdf5Object& object_;
  std::uint64_t rows_ = 0, columns_ = 1, chunk_rows_ = 0, chunk_columns_ = 1;
  std::vector<Chunk> chunks_;  ///< in order of their places
};

class Hdf5File {
 public:
  /// Throws ModelError where it cannot be opened, or is none.
  explicit Hdf5File(const std::string& path, MissingEnd missing = MissingEnd::refused);

  const Hdf5Bytes& bytes() const { return bytes_; }
  const Hdf5Object& root() const { return object(root_); }
  /// `bodies/link1/com`; null where there is none.
  const Hdf5Object* find(const std::string& path) const;
  /// In alphabetical order; throws ModelError where the path names no group.
  std::vector<std::string> members(const std::string& path) const;
  /// Calls with the path of every dataset, in alphabetical order.
  void for_each_dataset(const std::function<void(const std::string&, const Hdf5Object&)>& call) const;
  /// An attribute, or a dataset of one text; empty where there is none.
  std::string attribute_text(const Hdf5Object& object, const std::string& name) const;
  std::string dataset_text(const std::string& path) const;

 private:
  using Names = std::map<std::string, std::uint64_t>;  ///< with the addresses of their objects

  const Hdf5Object& object(std::uint64_t at) const;
  const Names& names(const Hdf5Object& group) const;

  Hdf5Bytes bytes_;
  std::uint64_t root_ = 0;
  mutable std::unordered_map<std::uint64_t, Hdf5Object> objects_;
  mutable std::unordered_map<std::uint64_t, Names> names_;  ///< by the addresses of their trees
};

}  // namespace torsor
