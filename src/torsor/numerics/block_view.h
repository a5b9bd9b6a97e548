#pragma once

namespace torsor {

/// A row-major block within a larger one.
struct BlockView {
  double* data;
  int stride;
  double& operator()(int i, int j) const { return data[i * stride + j]; }
};

}  // namespace torsor
