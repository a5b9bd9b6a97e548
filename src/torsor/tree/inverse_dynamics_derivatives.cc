#include "torsor/tree/inverse_dynamics_derivatives.hpp"

namespace torsor {

template struct InverseDynamicsDerivativesWorkspace<double>;
template void inverse_dynamics_derivatives<double>(const Tree&, InverseDynamicsDerivativesWorkspace<double>&,
                                                   std::span<const double>, std::span<const double>,
                                                   std::span<const double>, std::span<double>,
                                                   std::span<double>, std::span<double>);

}  // namespace torsor
