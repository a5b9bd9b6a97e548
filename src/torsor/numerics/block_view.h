#pragma once

namespace torsor {

/// A row-major block within a larger one.
template <class S>
struct BlockViewOf {
  S* data;
  int stride;
  S& operator()(int i, int j) const { return data[i * stride + j]; }
};
using BlockView = BlockViewOf<double>;

}  // namespace torsor
