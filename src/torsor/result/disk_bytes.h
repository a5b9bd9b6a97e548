#pragma once
// How much of a file is there: one with holes may be long and hold nothing. For sources only.

#include <cstdint>

namespace torsor {

/// Bytes outside of holes; all of them where the file system does not tell. Moves the descriptor's place.
std::uint64_t bytes_on_disk(int file);

}  // namespace torsor
