#include "torsor/result/hdf5_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "torsor/result/hdf5_id.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr std::size_t kSpare = std::size_t{4} << 20;  ///< bytes that HDF5 always finds
constexpr std::size_t kOfDataset = 20'000;            ///< and for each dataset that it may hold in memory

}  // namespace

void require_hdf5_memory(std::size_t datasets, const std::string& path, const std::string& key) {
  if (is_memory_left(kSpare + kOfDataset * std::min(datasets, kMostOpen))) return;
  throw write_failed(path, std::strerror(ENOMEM), key);
}

}  // namespace torsor
