#include "torsor/tree/reference/momentum_form.hpp"

namespace torsor {

template struct MomentumFormWorkspace<double>;
template void node_momenta<double>(const Tree&, MomentumFormWorkspace<double>&, std::span<const double>,
                                   std::span<const double>, std::span<Wrench<double>>);
template void momentum_form<double>(const Tree&, MomentumFormWorkspace<double>&, std::span<const double>,
                                    std::span<const Wrench<double>>, std::span<const double>,
                                    std::span<const Wrench<double>>, std::span<double>,
                                    std::span<Wrench<double>>);

}  // namespace torsor
