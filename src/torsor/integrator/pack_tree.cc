#include "torsor/integrator/pack_tree.h"

#include "torsor/base/pack_lanes.h"
#include "torsor/integrator/pack_gauss_legendre.h"
#include "torsor/integrator/pack_rkmk.h"

namespace torsor {
namespace {

/// All of one method, or none.
template <class Pack, class Method>
std::vector<Method*> all_as(const std::vector<TreeIntegrator*>& lanes) {
  std::vector<Method*> all;
  for (TreeIntegrator* lane : lanes) {
    auto* own = dynamic_cast<Method*>(lane);
    if (!own) return {};
    if (!all.empty() && !Pack::have_same_options(*all[0], *own)) {
      throw NotPackable{"different options of the integrator"};
    }
    all.push_back(own);
  }
  return all;
}

}  // namespace

std::unique_ptr<PackTreeIntegrator> make_pack_tree_integrator(PackTreeSystem& system,
                                                              const std::vector<TreeIntegrator*>& lanes) {
  if (auto all = all_as<PackRkmk, Rkmk>(lanes); !all.empty()) {
    return std::make_unique<PackRkmk>(system, std::move(all));
  }
  if (auto all = all_as<PackGaussLegendre, GaussLegendre>(lanes); !all.empty()) {
    return std::make_unique<PackGaussLegendre>(system, std::move(all));
  }
  throw NotPackable{"an integrator other than rkmk2 to rkmk4, gauss-legendre and dopri5 with fixed steps"};
}

}  // namespace torsor
