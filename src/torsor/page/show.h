#pragma once
// A model before it runs: the page of its assembled start, with a slider for each coordinate that may be moved.

#include <string>

#include "torsor/model/model.h"

namespace torsor {

/// The numbers of the page as one JSON object, harmless inside a script element. Of a tree the parts of all joints, which
/// the page moves itself. With loops or couplings tables of closed positions along each independent coordinate, the others
/// of them held, as far as they close: actuated joints come first, and motions with several axes follow. Throws ModelError
/// on a start that cannot be assembled.
std::string show_data(const Model& model);

/// Into a file. Throws ModelError at `key` where it cannot be written, and where the page was not built.
void write_show(const Model& model, const std::string& path, const std::string& key = "--out");

}  // namespace torsor
