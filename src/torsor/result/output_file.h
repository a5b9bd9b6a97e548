#pragma once
// What writers ask of the disk, and texts written whole.

#include <chrono>
#include <string>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/simulation/record.h"

namespace torsor {

/// A file, or standard output, that could not be written to its end: a full disk, a reader that went away.
struct OutputFailure : ModelError {
  using ModelError::ModelError;
};

/// Of the path, for the reason given; `key` is the option that named it.
OutputFailure write_failed(const std::string& path, const std::string& reason,
                           const std::string& key = "--out");

/// The error of an output path that cannot be begun; likewise.
ModelError unwritable(const std::string& path, const std::string& reason, const std::string& key = "--out");

/// Throws write_failed() where the disk is full, else unwritable(): of a file that could not be made, for the `fault` of
/// errno.
[[noreturn]] void fail_to_make(const std::string& path, int fault, const std::string& key = "--out");

/// The entry of a file in its folder, which a new or renamed one has only in memory. False with errno.
bool put_folder_on_disk(const std::string& file);

/// Between two flushes of a result file that is being written.
inline constexpr std::chrono::seconds kFlushInterval{1};

/// How many states a run with these settings records.
double record_count(const RunSettings& settings);

/// Whether nothing is lost where this file is written over: there is none, it is empty, no regular one (a device), or a
/// result, table or page of ours.
bool is_replaceable(const std::string& path);
/// Throws ModelError at `key` where the path leads to one of the files that are read, also through links, or, unless `force`, to
/// one that is not replaceable.
void require_replaceable(const std::string& path, const std::string& key,
                         const std::vector<std::string>& inputs, bool force);

/// Throws unwritable() where neither file nor folder lets us write. Asked before the work rather than after.
void require_writable(const std::string& path, const std::string& key = "--out");
/// The same, and where the folder has less room than `bytes`.
void require_space(const std::string& path, double bytes);

/// Writes a file whole or not at all: into a new one beside it, which then takes its place. Where that cannot be
/// (a device, a pipe, a folder that takes no new files) in place. Throws unwritable(), also where another program writes
/// the file, or write_failed(). Then the old file is as it was, except where it was being written in place, or where only the
/// folder could not be put on the disk: the new one is there, and after a power cut it may be the old one again.
void write_text_file(const std::string& path, const std::string& text, const std::string& key = "--out");

}  // namespace torsor
