#include "torsor/tree/coriolis_matrix.hpp"

namespace torsor {

template struct CoriolisWorkspace<double>;
template void coriolis_matrix<double>(const Tree&, CoriolisWorkspace<double>&, std::span<const double>,
                                      std::span<const double>, std::span<double>);

}  // namespace torsor
