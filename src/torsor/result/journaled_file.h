#pragma once
// A file under HDF5 that is whole at any moment, wherever the program or the machine stops. For sources only.

#include <string>

#include "torsor/result/hdf5_id.h"

namespace torsor {

/// From now on files of this access list are written so: HDF5's own structure, which it changes in many places, is held
/// back until a flush. That
///   1. writes what lies beyond the end that the file has had, where nothing refers to it yet,
///   2. appends a journal of the places that change, with a checksum,
///   3. changes them,
///   4. cuts the journal off,
/// each on the disk before the next. Numbers of datasets are written at once: they lie where no structure that is on the
/// disk refers to, or are told from damaged ones by sums of their own.
void set_journaled_access(const Hdf5Id& access);

/// Of a file that was cut off in 3: does 3 and 4 again. Nothing where there is no journal. Waits for a program that is
/// in the middle of it. Throws ModelError where the file needs it and cannot be written.
void finish_journal(const std::string& path);

}  // namespace torsor
