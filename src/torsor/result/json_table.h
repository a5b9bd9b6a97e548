#pragma once
// A result as JSON: for programs that read no HDF5.

#include <string>

#include "torsor/result/result_table.h"

namespace torsor {

/// One object: `model`, `version`, `settings`, `ledger`, `rows`, and `channels` by their paths, each with its `unit`,
/// the names of its `components` where it has several, and `values`, one for each record.
std::string table_json(const ResultTable& table);

}  // namespace torsor
