#include "torsor/tree/inverse_dynamics.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

template struct InverseDynamicsWorkspace<double>;
template void inverse_dynamics<double>(const Tree&, InverseDynamicsWorkspace<double>&,
                                       std::span<const double>, std::span<const double>,
                                       std::span<const double>, std::span<const Wrench<double>>,
                                       std::span<double>);

template struct InverseDynamicsWorkspace<Pack4>;
template void inverse_dynamics<Pack4>(const Tree&, InverseDynamicsWorkspace<Pack4>&, std::span<const Pack4>,
                                      std::span<const Pack4>, std::span<const Pack4>,
                                      std::span<const Wrench<Pack4>>, std::span<Pack4>);

template struct InverseDynamicsWorkspace<Pack8>;
template void inverse_dynamics<Pack8>(const Tree&, InverseDynamicsWorkspace<Pack8>&, std::span<const Pack8>,
                                      std::span<const Pack8>, std::span<const Pack8>,
                                      std::span<const Wrench<Pack8>>, std::span<Pack8>);

}  // namespace torsor
