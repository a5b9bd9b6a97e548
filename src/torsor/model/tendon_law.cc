#include "torsor/model/tendon_law.h"

namespace torsor {

TendonLaw make_tendon_law(const Tendon& tendon, const std::function<TendonLaw::Via(const Point&)>& place) {
  TendonLaw law{{}, tendon.stiffness, tendon.rest_length, tendon.damping, tendon.tension_only};
  for (const Point& point : tendon.path) law.path.push_back(place(point));
  return law;
}

}  // namespace torsor
