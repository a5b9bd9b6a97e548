#pragma once
// Rows of the datasets of a result file, block by block, as far as they can be read. For sources only.

#include <cstdint>
#include <string>
#include <vector>

#include "torsor/result/hdf5_file.h"

namespace torsor {

struct StoredCheckpoint;

class RecordRows {
 public:
  /// Of an open file, which must outlive it; `order` names the datasets, a line each, as its text `channels` does.
  RecordRows(const Hdf5File& file, const std::string& order);

  std::size_t count() const { return datasets_.size(); }
  std::uint64_t rows() const { return rows_; }  ///< that all have, as the file says
  std::uint64_t width(std::size_t dataset) const { return datasets_[dataset].columns(); }
  /// Into room for count x width(dataset) numbers; false where they cannot be read.
  bool read(std::size_t dataset, std::uint64_t first, std::uint64_t count, double* numbers) const;
  /// Takes out of the list those whose records are not what they were.
  void keep_whole(std::vector<StoredCheckpoint>& checkpoints) const;

 private:
  std::vector<Hdf5Numbers> datasets_;
  std::uint64_t rows_ = 0;
};

}  // namespace torsor
