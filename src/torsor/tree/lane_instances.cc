// Several trees of one build, whose parameters have a lane each, as their states do.

#include "torsor/base/pack_math.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/forward_dynamics.hpp"
#include "torsor/tree/kinematics.hpp"

namespace torsor {

template void retract<Pack<4>>(const TreeOf<Pack<4>>&, std::span<const Pack<4>>, std::span<const Pack<4>>,
                               std::span<Pack<4>>);
template void chart_rate<Pack<4>>(const TreeOf<Pack<4>>&, std::span<const Pack<4>>, std::span<const Pack<4>>,
                                  std::span<Pack<4>>);
template void normalize<Pack<4>>(const TreeOf<Pack<4>>&, std::span<Pack<4>>);
template void forward_kinematics<Pack<4>>(const TreeOf<Pack<4>>&, std::span<const Pack<4>>,
                                          std::span<const Pack<4>>, std::span<Pose<Pack<4>>>,
                                          std::span<Twist<Pack<4>>>);
template void forward_dynamics<Pack<4>>(const TreeOf<Pack<4>>&, ForwardDynamicsWorkspace<Pack<4>>&,
                                        std::span<const Pack<4>>, std::span<const Pack<4>>,
                                        std::span<const Pack<4>>, std::span<const Wrench<Pack<4>>>,
                                        std::span<Pack<4>>);

template void retract<Pack<8>>(const TreeOf<Pack<8>>&, std::span<const Pack<8>>, std::span<const Pack<8>>,
                               std::span<Pack<8>>);
template void chart_rate<Pack<8>>(const TreeOf<Pack<8>>&, std::span<const Pack<8>>, std::span<const Pack<8>>,
                                  std::span<Pack<8>>);
template void normalize<Pack<8>>(const TreeOf<Pack<8>>&, std::span<Pack<8>>);
template void forward_kinematics<Pack<8>>(const TreeOf<Pack<8>>&, std::span<const Pack<8>>,
                                          std::span<const Pack<8>>, std::span<Pose<Pack<8>>>,
                                          std::span<Twist<Pack<8>>>);
template void forward_dynamics<Pack<8>>(const TreeOf<Pack<8>>&, ForwardDynamicsWorkspace<Pack<8>>&,
                                        std::span<const Pack<8>>, std::span<const Pack<8>>,
                                        std::span<const Pack<8>>, std::span<const Wrench<Pack<8>>>,
                                        std::span<Pack<8>>);

}  // namespace torsor
