#include "torsor/model/tendon_law.h"

namespace torsor {

TendonLaw make_tendon_law(const Tendon& tendon, const std::function<TendonLaw::Via(const Point&)>& place) {
  TendonLaw law{{}, tendon.stiffness, tendon.rest_length, tendon.damping, tendon.tension_only, tendon.tension,
                {}};
  for (const Point& point : tendon.path) law.path.push_back(place(point));
  for (const Wrap& wrap : tendon.wraps) {
    law.wraps.push_back(
        {static_cast<std::size_t>(wrap.segment), place(wrap.at), matrix(wrap.rotation), wrap.law});
  }
  return law;
}

}  // namespace torsor
