#pragma once
// Writes that a killed program ends all the same. For sources only.

#include <cstddef>
#include <cstdint>
#include <span>

namespace torsor {

/// Writes `bytes` at a place of a file: all of them, also if this process is killed (SIGKILL) meanwhile. The kernel then ends a
/// long write between two pages. So another process makes the call, in this one's memory, while this one waits. Other signals
/// reach this thread after that, once. False with errno where it cannot be written; and where no process can be made, the
/// call is an ordinary one.
bool write_whole_at(int file, std::uint64_t at, std::span<const std::byte> bytes);

}  // namespace torsor
