#include "torsor/integrator/pack_tree.h"

#include "torsor/base/pack_lanes.h"
#include "torsor/integrator/pack_gauss_legendre.h"
#include "torsor/integrator/pack_rkmk.h"

namespace torsor {
namespace {

/// All of one method, or none.
template <class Packed, class Method>
std::vector<Method*> all_as(const std::vector<TreeIntegrator*>& lanes) {
  std::vector<Method*> all;
  for (TreeIntegrator* lane : lanes) {
    auto* own = dynamic_cast<Method*>(lane);
    if (!own) return {};
    if (!all.empty() && !Packed::have_same_options(*all[0], *own)) {
      throw NotPackable{"different options of the integrator"};
    }
    all.push_back(own);
  }
  return all;
}

}  // namespace

template <class P>
std::unique_ptr<PackTreeIntegrator<P>> make_pack_tree_integrator(PackTreeSystem<P>& system,
                                                                 const std::vector<TreeIntegrator*>& lanes) {
  if (auto all = all_as<PackRkmk<P>, Rkmk>(lanes); !all.empty()) {
    return std::make_unique<PackRkmk<P>>(system, std::move(all));
  }
  if (auto all = all_as<PackGaussLegendre<P>, GaussLegendre>(lanes); !all.empty()) {
    return std::make_unique<PackGaussLegendre<P>>(system, std::move(all));
  }
  throw NotPackable{"an integrator other than rkmk2 to rkmk4, gauss-legendre and dopri5 with fixed steps"};
}
template std::unique_ptr<PackTreeIntegrator<Pack<4>>> make_pack_tree_integrator(
    PackTreeSystem<Pack<4>>&, const std::vector<TreeIntegrator*>&);
template std::unique_ptr<PackTreeIntegrator<Pack<8>>> make_pack_tree_integrator(
    PackTreeSystem<Pack<8>>&, const std::vector<TreeIntegrator*>&);

}  // namespace torsor
