#include "torsor/tree/discrete_lagrangian.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

template struct LagrangianWorkspace<double>;
template void lagrangian_derivatives<double>(const Tree&, LagrangianWorkspace<double>&,
                                             std::span<const double>, std::span<const double>,
                                             std::span<const Wrench<double>>, std::span<double>,
                                             std::span<double>);
template void end_momenta<double>(const Tree&, double, std::span<const double>, std::span<const double>,
                                  std::span<const double>, std::span<double>, std::span<double>);

template struct LagrangianWorkspace<Dual8>;
template void lagrangian_derivatives<Dual8>(const Tree&, LagrangianWorkspace<Dual8>&, std::span<const Dual8>,
                                            std::span<const Dual8>, std::span<const Wrench<Dual8>>,
                                            std::span<Dual8>, std::span<Dual8>);
template void end_momenta<Dual8>(const Tree&, double, std::span<const Dual8>, std::span<const Dual8>,
                                 std::span<const Dual8>, std::span<Dual8>, std::span<Dual8>);

}  // namespace torsor
