#include "torsor/tree/reference/inverse_dynamics_forms.hpp"

namespace torsor {

template struct InverseDynamicsFormWorkspace<double>;
template void inverse_dynamics_in<Representation::spatial, double>(
    const Tree&, InverseDynamicsFormWorkspace<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<const Wrench<double>>, std::span<double>);
template void inverse_dynamics_in<Representation::hybrid, double>(
    const Tree&, InverseDynamicsFormWorkspace<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<const Wrench<double>>, std::span<double>);
template void inverse_dynamics_in<Representation::mixed, double>(
    const Tree&, InverseDynamicsFormWorkspace<double>&, std::span<const double>, std::span<const double>,
    std::span<const double>, std::span<const Wrench<double>>, std::span<double>);

}  // namespace torsor
