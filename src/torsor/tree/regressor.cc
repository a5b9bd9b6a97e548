#include "torsor/tree/regressor.hpp"

#include "torsor/tree/scalars.h"

namespace torsor {

void set_inertial_parameters(const Inertia<double>& I, std::span<double> pi) {
  require_size("pi", pi.size(), kInertialParameters);
  const Vec3<double>& h = I.first_moment;
  const Sym3<double>& J = I.about_origin;
  const double values[kInertialParameters] = {I.mass, h.x, h.y, h.z, J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
  std::copy(std::begin(values), std::end(values), pi.begin());
}

template struct RegressorWorkspace<double>;
template void inverse_dynamics_regressor<double>(const Tree&, RegressorWorkspace<double>&,
                                                 std::span<const double>, std::span<const double>,
                                                 std::span<const double>, std::span<double>);

template struct RegressorWorkspace<Dual8>;
template void inverse_dynamics_regressor<Dual8>(const Tree&, RegressorWorkspace<Dual8>&,
                                                std::span<const Dual8>, std::span<const Dual8>,
                                                std::span<const Dual8>, std::span<Dual8>);

}  // namespace torsor
