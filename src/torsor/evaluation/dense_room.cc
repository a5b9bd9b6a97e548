#include "torsor/evaluation/dense_room.h"

#include <fmt/format.h>

#include "torsor/base/error.h"

namespace torsor {

void require_dense_room(const char* what, double rows, double columns, double most) {
  if (rows * columns <= most) return;
  throw ModelError("joints", fmt::format("at most {:g} entries in {}", most, what),
                   fmt::format("{:.0f} x {:.0f}", rows, columns));
}

}  // namespace torsor
