#include "torsor/tree/mass_matrix.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

template struct MassMatrixWorkspace<double>;
template void mass_matrix<double>(const Tree&, MassMatrixWorkspace<double>&, std::span<const double>,
                                  std::span<double>);

template struct MassMatrixWorkspace<Pack4>;
template void mass_matrix<Pack4>(const Tree&, MassMatrixWorkspace<Pack4>&, std::span<const Pack4>,
                                 std::span<Pack4>);

template struct MassMatrixWorkspace<Pack8>;
template void mass_matrix<Pack8>(const Tree&, MassMatrixWorkspace<Pack8>&, std::span<const Pack8>,
                                 std::span<Pack8>);

}  // namespace torsor
