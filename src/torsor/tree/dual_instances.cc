// Dual numbers are for tangents, off the hot path: compiled apart, without the cost of inlining the kernels
// whole.

#include "torsor/tree/configuration.hpp"
#include "torsor/tree/energy.hpp"
#include "torsor/tree/forward_dynamics.hpp"
#include "torsor/tree/inverse_dynamics.hpp"
#include "torsor/tree/kinematics.hpp"
#include "torsor/tree/mass_matrix.hpp"
#include "torsor/tree/scalars.h"

namespace torsor {

template void retract<Dual1>(const TreeOf<double>&, std::span<const Dual1>, std::span<const Dual1>,
                             std::span<Dual1>);
template void chart_rate<Dual1>(const TreeOf<double>&, std::span<const Dual1>, std::span<const Dual1>,
                                std::span<Dual1>);
template void configuration_difference<Dual1>(const TreeOf<double>&, std::span<const Dual1>,
                                              std::span<const Dual1>, std::span<Dual1>);
template void retract<Dual8>(const TreeOf<double>&, std::span<const Dual8>, std::span<const Dual8>,
                             std::span<Dual8>);
template void chart_rate<Dual8>(const TreeOf<double>&, std::span<const Dual8>, std::span<const Dual8>,
                                std::span<Dual8>);
template void configuration_difference<Dual8>(const TreeOf<double>&, std::span<const Dual8>,
                                              std::span<const Dual8>, std::span<Dual8>);

template void node_poses<Dual1>(const TreeOf<double>&, std::span<const Dual1>, std::span<Pose<Dual1>>);
template void forward_kinematics<Dual1>(const TreeOf<double>&, std::span<const Dual1>, std::span<const Dual1>,
                                        std::span<Pose<Dual1>>, std::span<Twist<Dual1>>);
template void spatial_joint_screws<Dual1>(const TreeOf<double>&, std::span<const Pose<Dual1>>,
                                          std::span<Twist<Dual1>>);
template void node_poses<Dual8>(const TreeOf<double>&, std::span<const Dual8>, std::span<Pose<Dual8>>);
template void forward_kinematics<Dual8>(const TreeOf<double>&, std::span<const Dual8>, std::span<const Dual8>,
                                        std::span<Pose<Dual8>>, std::span<Twist<Dual8>>);
template void spatial_joint_screws<Dual8>(const TreeOf<double>&, std::span<const Pose<Dual8>>,
                                          std::span<Twist<Dual8>>);

template Dual1 kinetic_energy<Dual1>(const Tree&, std::span<const Twist<Dual1>>);
template Dual1 gravity_potential<Dual1>(const Tree&, std::span<const Pose<Dual1>>);
template Wrench<Dual1> momentum<Dual1>(const Tree&, std::span<const Pose<Dual1>>,
                                       std::span<const Twist<Dual1>>);
template Dual8 kinetic_energy<Dual8>(const Tree&, std::span<const Twist<Dual8>>);
template Dual8 gravity_potential<Dual8>(const Tree&, std::span<const Pose<Dual8>>);
template Wrench<Dual8> momentum<Dual8>(const Tree&, std::span<const Pose<Dual8>>,
                                       std::span<const Twist<Dual8>>);

template struct InverseDynamicsWorkspace<Dual1>;
template void inverse_dynamics<Dual1>(const Tree&, InverseDynamicsWorkspace<Dual1>&, std::span<const Dual1>,
                                      std::span<const Dual1>, std::span<const Dual1>,
                                      std::span<const Wrench<Dual1>>, std::span<Dual1>);
template struct InverseDynamicsWorkspace<Dual8>;
template void inverse_dynamics<Dual8>(const Tree&, InverseDynamicsWorkspace<Dual8>&, std::span<const Dual8>,
                                      std::span<const Dual8>, std::span<const Dual8>,
                                      std::span<const Wrench<Dual8>>, std::span<Dual8>);

template struct ForwardDynamicsWorkspace<Dual1>;
template void forward_dynamics<Dual1>(const TreeOf<double>&, ForwardDynamicsWorkspace<Dual1>&,
                                      std::span<const Dual1>, std::span<const Dual1>, std::span<const Dual1>,
                                      std::span<const Wrench<Dual1>>, std::span<Dual1>);
template struct ForwardDynamicsWorkspace<Dual8>;
template void forward_dynamics<Dual8>(const TreeOf<double>&, ForwardDynamicsWorkspace<Dual8>&,
                                      std::span<const Dual8>, std::span<const Dual8>, std::span<const Dual8>,
                                      std::span<const Wrench<Dual8>>, std::span<Dual8>);

template struct MassMatrixWorkspace<Dual1>;
template void mass_matrix<Dual1>(const Tree&, MassMatrixWorkspace<Dual1>&, std::span<const Dual1>,
                                 std::span<Dual1>);
template struct MassMatrixWorkspace<Dual8>;
template void mass_matrix<Dual8>(const Tree&, MassMatrixWorkspace<Dual8>&, std::span<const Dual8>,
                                 std::span<Dual8>);

}  // namespace torsor
