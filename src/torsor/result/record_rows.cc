#include "torsor/result/record_rows.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <sstream>

#include "torsor/base/error.h"
#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/checksum.h"

namespace torsor {
namespace {

constexpr std::uint64_t kBlock = 4096;  ///< rows

}  // namespace

RecordRows::RecordRows(const Hdf5File& file, const std::string& order)
    : rows_(std::numeric_limits<std::uint64_t>::max()) {
  std::istringstream lines(order);
  for (std::string path; std::getline(lines, path);) {
    const Hdf5Object* object = file.find(path);
    if (!object) file.bytes().refuse(path, "a dataset of the result file", "none");
    datasets_.emplace_back(file.bytes(), *object, path);
    rows_ = std::min(rows_, datasets_.back().rows());
  }
  if (datasets_.empty()) rows_ = 0;
}

bool RecordRows::read(std::size_t index, std::uint64_t first, std::uint64_t count, double* numbers) const {
  try {
    datasets_[index].charge(count);
    datasets_[index].read(first, count, numbers);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

void RecordRows::keep_whole(std::vector<StoredCheckpoint>& checkpoints) const {
  std::erase_if(checkpoints, [&](const StoredCheckpoint& one) {
    return one.rows > rows_ || one.row_sums.size() != datasets_.size();
  });
  for (std::size_t i = 0; i < datasets_.size() && !checkpoints.empty(); ++i) {
    const std::uint64_t width = datasets_[i].columns();
    datasets_[i].charge(std::min(kBlock, rows_));
    std::vector<double> block(std::min(kBlock, rows_) * width);
    std::uint64_t sum = kSumStart, row = 0;
    bool readable = true;
    // From the oldest, which has the fewest rows, on.
    for (auto one = checkpoints.rbegin(); one != checkpoints.rend(); ++one) {
      while (readable && row < one->rows) {
        const std::uint64_t count = std::min(kBlock, one->rows - row);
        readable = read(i, row, count, block.data());
        for (std::size_t n = 0; n < count * width; ++n) {
          sum = add_to_sum(sum, std::bit_cast<std::uint64_t>(block[n]));
        }
        row += count;
      }
      if (!readable || sum != one->row_sums[i]) one->row_sums.clear();
    }
    std::erase_if(checkpoints, [](const StoredCheckpoint& one) { return one.row_sums.empty(); });
  }
}

}  // namespace torsor
