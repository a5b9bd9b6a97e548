#pragma once
// What a model is, as `torsor check --json` says it.

#include <string>

#include "torsor/format/import_report.h"
#include "torsor/model/model.h"

namespace torsor {

/// One JSON object: bodies, joints, degrees of freedom, loops, what it conserves, which methods can simulate it; of a
/// model of another format `import`, what was converted. Throws ModelError on an inconsistent start.
std::string check_json(const Model& model, int indent = -1, const ImportReport& imported = {});

}  // namespace torsor
