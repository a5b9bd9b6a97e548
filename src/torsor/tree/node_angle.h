#pragma once

namespace torsor {

/// Sine and cosine of a node's angle.
template <class S>
struct SineCosine {
  S sine{}, cosine{};
};

}  // namespace torsor
