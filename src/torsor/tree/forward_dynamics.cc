#include "torsor/tree/forward_dynamics.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

template struct ForwardDynamicsWorkspace<double>;
template void forward_dynamics<double>(const TreeOf<double>&, ForwardDynamicsWorkspace<double>&,
                                       std::span<const double>, std::span<const double>,
                                       std::span<const double>, std::span<const Wrench<double>>,
                                       std::span<double>);

template struct ForwardDynamicsWorkspace<Pack4>;
template void forward_dynamics<Pack4>(const TreeOf<double>&, ForwardDynamicsWorkspace<Pack4>&,
                                      std::span<const Pack4>, std::span<const Pack4>, std::span<const Pack4>,
                                      std::span<const Wrench<Pack4>>, std::span<Pack4>);

template struct ForwardDynamicsWorkspace<Pack8>;
template void forward_dynamics<Pack8>(const TreeOf<double>&, ForwardDynamicsWorkspace<Pack8>&,
                                      std::span<const Pack8>, std::span<const Pack8>, std::span<const Pack8>,
                                      std::span<const Wrench<Pack8>>, std::span<Pack8>);

}  // namespace torsor
