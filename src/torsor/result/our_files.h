#pragma once
// Whether a file is one that torsor wrote: a table, an answer, a page, matrices, a result. For sources only.

#include <string>

namespace torsor {

/// Told by all that our writers put at a file's beginning, not by one word of it: what merely resembles ours is somebody
/// else's.
bool is_our_file(const std::string& path);

}  // namespace torsor
