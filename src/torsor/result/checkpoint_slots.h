#pragma once
// Checkpoints in a result file: the group `checkpoint`. For sources only.

#include <cstdint>
#include <optional>
#include <vector>

#include "torsor/result/hdf5_id.h"
#include "torsor/simulation/record.h"

namespace torsor {

class Hdf5File;

inline constexpr const char* kCheckpointGroup = "checkpoint";
/// Of what checkpoints hold and how; grows with every change of either.
inline constexpr int kCheckpointFormat = 2;

/// A checkpoint and the records that belong to it.
struct StoredCheckpoint {
  std::uint64_t sequence = 0;
  std::uint64_t rows = 0;               ///< of every dataset
  std::vector<std::uint64_t> row_sums;  ///< of these rows, dataset by dataset (checksum.h)
  RunCheckpoint run;
};

/// Each lies in a dataset of bytes with a checksum over all. The one of sequence 0, the start, stays; number s > 0 takes
/// the place of the one before it with as many trailing zeros in s. So there is always one of half the age, of a quarter,
/// .., whatever was damaged at the file's end; and the newest is never written over.
class CheckpointSlots {
 public:
  CheckpointSlots() = default;
  explicit CheckpointSlots(Hdf5Id group) : group_(std::move(group)) {}

  const Hdf5Id& group() const { return group_; }
  bool write(const StoredCheckpoint& checkpoint);  ///< false if the library could not

 private:
  Hdf5Id group_;
};

/// Those that are whole, the newest first.
std::vector<StoredCheckpoint> read_checkpoints(const Hdf5File& file);

}  // namespace torsor
