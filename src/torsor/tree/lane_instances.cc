// Several trees of one build, whose parameters have a lane each, as their states do.

#include "torsor/base/pack_math.h"
#include "torsor/tree/configuration.hpp"
#include "torsor/tree/forward_dynamics.hpp"
#include "torsor/tree/kinematics.hpp"

namespace torsor {

using P = StepPack;

template void retract<P>(const TreeOf<P>&, std::span<const P>, std::span<const P>, std::span<P>);
template void chart_rate<P>(const TreeOf<P>&, std::span<const P>, std::span<const P>, std::span<P>);
template void normalize<P>(const TreeOf<P>&, std::span<P>);
template void forward_kinematics<P>(const TreeOf<P>&, std::span<const P>, std::span<const P>,
                                    std::span<Pose<P>>, std::span<Twist<P>>);
template void forward_dynamics<P>(const TreeOf<P>&, ForwardDynamicsWorkspace<P>&, std::span<const P>,
                                  std::span<const P>, std::span<const P>, std::span<const Wrench<P>>,
                                  std::span<P>);

}  // namespace torsor
