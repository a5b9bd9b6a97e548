#include "torsor/result/record_rows.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <sstream>

#include "torsor/result/checkpoint_slots.h"
#include "torsor/result/checksum.h"

namespace torsor {
namespace {

constexpr std::uint64_t kBlock = 4096;  ///< rows
constexpr hsize_t kWidest = 1 << 20;

}  // namespace

RecordRows::RecordRows(const Hdf5Id& file, const std::string& order)
    : rows_(std::numeric_limits<std::uint64_t>::max()) {
  std::istringstream lines(order);
  for (std::string path; std::getline(lines, path);) {
    Dataset dataset{Hdf5Id(H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT))};
    std::array<hsize_t, 2> size{0, 1};
    const Hdf5Id space(H5Dget_space(dataset.id.get()));
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank == 1 || rank == 2) H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
    if (size[1] > kWidest) size = {0, 1};
    dataset.width = static_cast<int>(size[1]);
    rows_ = std::min<std::uint64_t>(rows_, size[0]);
    datasets_.push_back(std::move(dataset));
  }
  if (datasets_.empty()) rows_ = 0;
}

bool RecordRows::read(std::size_t index, std::uint64_t first, std::uint64_t count, double* numbers) const {
  const Dataset& dataset = datasets_[index];
  const int rank = dataset.width == 1 ? 1 : 2;
  const std::array<hsize_t, 2> start{first, 0}, size{count, hsize_t(dataset.width)};
  const Hdf5Id in_file(H5Dget_space(dataset.id.get())),
      in_memory(H5Screate_simple(rank, size.data(), nullptr));
  return H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr) >=
             0 &&
         H5Dread(dataset.id.get(), H5T_NATIVE_DOUBLE, in_memory.get(), in_file.get(), H5P_DEFAULT, numbers) >=
             0;
}

void RecordRows::keep_whole(std::vector<StoredCheckpoint>& checkpoints) const {
  std::erase_if(checkpoints, [&](const StoredCheckpoint& one) {
    return one.rows > rows_ || one.row_sums.size() != datasets_.size();
  });
  for (std::size_t i = 0; i < datasets_.size() && !checkpoints.empty(); ++i) {
    std::vector<double> block(kBlock * datasets_[i].width);
    std::uint64_t sum = kSumStart, row = 0;
    bool readable = true;
    // From the oldest, which has the fewest rows, on.
    for (auto one = checkpoints.rbegin(); one != checkpoints.rend(); ++one) {
      while (readable && row < one->rows) {
        const std::uint64_t count = std::min(kBlock, one->rows - row);
        readable = read(i, row, count, block.data());
        for (std::size_t n = 0; n < count * datasets_[i].width; ++n) {
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
