#pragma once
// What writers ask of the disk, and texts written whole.

#include <chrono>
#include <string>

#include "torsor/base/error.h"
#include "torsor/simulation/record.h"

namespace torsor {

/// The error of an output path, for the reason given; `key` is the option that named the path.
ModelError unwritable(const std::string& path, const std::string& reason, const std::string& key = "--out");

/// Between two flushes of a result file that is being written.
inline constexpr std::chrono::seconds kFlushInterval{1};

/// How many states a run with these settings records.
double record_count(const RunSettings& settings);

/// Throws unwritable() where neither file nor folder lets us write. Asked before the work rather than after.
void require_writable(const std::string& path, const std::string& key = "--out");
/// The same, and where the folder has less room than `bytes`.
void require_space(const std::string& path, double bytes);

/// Writes a file whole or not at all: into a new one beside it, which then takes its place. Where that cannot be
/// (a device, a pipe, a folder that takes no new files) in place. Throws unwritable(), and then the old file
/// is as it was.
void write_text_file(const std::string& path, const std::string& text, const std::string& key = "--out");

}  // namespace torsor
