#include "torsor/tree/moving_frame.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

template struct MovingFrameWorkspace<double>;
template void moving_frame_matrices<double>(const Tree&, MovingFrameWorkspace<double>&,
                                            std::span<const double>, std::span<const double>);
template void moving_frame_mass_matrix<double>(const Tree&, MovingFrameWorkspace<double>&);
template void moving_frame_dynamics<double>(const Tree&, MovingFrameWorkspace<double>&,
                                            std::span<const double>, std::span<const double>,
                                            std::span<const double>, std::span<const Wrench<double>>,
                                            std::span<double>);

template struct MovingFrameWorkspace<Dual1>;
template void moving_frame_matrices<Dual1>(const Tree&, MovingFrameWorkspace<Dual1>&, std::span<const Dual1>,
                                           std::span<const Dual1>);

}  // namespace torsor
