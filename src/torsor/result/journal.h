#pragma once
// Places of a file that change together or not at all: what journaled_file.h writes at its end. For sources only.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace torsor {

inline constexpr std::uint64_t kSector = 512;  ///< bytes that a disk writes whole
using Sector = std::array<std::byte, kSector>;
using Sectors = std::map<std::uint64_t, Sector>;  ///< by their place in the file

/// False with errno. Reads of what lies beyond the end are zeros.
bool write_at(int file, std::uint64_t at, std::span<const std::byte> bytes);
bool read_at(int file, std::uint64_t at, std::span<std::byte> bytes);

/// All of steps 1 to 4 (journaled_file.h) for a file that ended at `end` and shall end at `new_end`; false with errno, and
/// then the file is as it was.
bool commit(int file, const Sectors& changed, std::uint64_t end, std::uint64_t new_end);

struct Journal {
  Sectors sectors;
  std::uint64_t new_end = 0;
};
/// At the end of the file; false where there is none, or a part.
bool read_journal(int file, Journal& journal);
/// Steps 3 and 4.
bool apply(int file, const Journal& journal);

}  // namespace torsor
