#pragma once
// What every writer of a result file asks of the disk before a run starts.

#include <string>

#include "torsor/base/error.h"
#include "torsor/simulation/record.h"

namespace torsor {

/// The error of an output path, for the reason given.
ModelError unwritable(const std::string& path, const std::string& reason);

/// How many states a run with these settings records.
double record_count(const RunSettings& settings);

/// Throws unwritable() where the folder does not exist or has less room than `bytes`.
void require_space(const std::string& path, double bytes);

}  // namespace torsor
