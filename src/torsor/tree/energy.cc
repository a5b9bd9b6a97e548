#include "torsor/tree/energy.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

template double kinetic_energy<double>(const Tree&, std::span<const Twist<double>>);
template double gravity_potential<double>(const Tree&, std::span<const Pose<double>>);
template Wrench<double> momentum<double>(const Tree&, std::span<const Pose<double>>,
                                         std::span<const Twist<double>>);

template Pack4 kinetic_energy<Pack4>(const Tree&, std::span<const Twist<Pack4>>);
template Pack4 gravity_potential<Pack4>(const Tree&, std::span<const Pose<Pack4>>);
template Wrench<Pack4> momentum<Pack4>(const Tree&, std::span<const Pose<Pack4>>,
                                       std::span<const Twist<Pack4>>);

template Pack8 kinetic_energy<Pack8>(const Tree&, std::span<const Twist<Pack8>>);
template Pack8 gravity_potential<Pack8>(const Tree&, std::span<const Pose<Pack8>>);
template Wrench<Pack8> momentum<Pack8>(const Tree&, std::span<const Pose<Pack8>>,
                                       std::span<const Twist<Pack8>>);

}  // namespace torsor
