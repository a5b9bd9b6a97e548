#include "torsor/tree/reference/spatial_forward_dynamics.hpp"

namespace torsor {

template struct SpatialArticulation<double>;
template struct SpatialForwardDynamicsWorkspace<double>;
template void articulate<double>(const Tree&, SpatialArticulation<double>&, std::span<const double>);
template void solve_articulated<double>(const Tree&, const SpatialArticulation<double>&, const Twist<double>&,
                                        std::span<const Twist<double>>, std::span<Wrench<double>>,
                                        std::span<const double>, std::span<Twist<double>>, std::span<double>);
template void spatial_forward_dynamics<double>(const Tree&, SpatialForwardDynamicsWorkspace<double>&,
                                               std::span<const double>, std::span<const double>,
                                               std::span<const double>, std::span<const Wrench<double>>,
                                               std::span<double>);

}  // namespace torsor
