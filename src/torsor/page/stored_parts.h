#pragma once
// What a result must hold so that its page can show it: the viewer reads these without a look (viewer/src/payload.ts).
// For sources only.

#include <string>

#include "torsor/result/json_parts.h"

namespace torsor {

/// Throw ModelError, which names the file and the key, where a part is missing or of another kind.
void require_scene(const Json& scene, const std::string& file);
/// Or null, of a mode and of a run that was killed. `text`: of the same.
void require_ledger(const Json& ledger, const std::string& text, const std::string& file);
/// Or null, of a result made in code.
void require_settings(const Json& settings, const std::string& file);

}  // namespace torsor
