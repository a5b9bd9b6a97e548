#pragma once
// HDF5 crashes without memory: what its writers ask before they call it. For sources only.

#include <cstddef>
#include <string>

namespace torsor {

inline constexpr std::size_t kMostOpen = 2000;  ///< datasets: each takes 15 kB while it is open
inline constexpr std::size_t kLookEvery = 64;   ///< datasets, whether there is memory

/// Throws write_failed() (output_file.h) unless there is some left for what HDF5 does next in a file of so many datasets, and
/// to close it after a fault. Asked before the file is made, before every kLookEvery-th dataset and before a flush.
void require_hdf5_memory(std::size_t datasets, const std::string& path, const std::string& key = "--out");

}  // namespace torsor
