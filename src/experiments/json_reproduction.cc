#include "experiments/json_reproduction.h"

#include "experiments/registry.h"
#include "torsor/result/json_parts.h"

namespace torsor {
namespace {

Json row_json(const Row& row) {
  return {{"what", row.what},
          {"unit", row.unit},
          {"paper", row.paper},
          {"ours", row.ours},
          {"value", row.value},
          {"bound", row.wanted},
          {"verdict", name_of(row.verdict)},
          {"note", row.note}};
}

Json plot_json(const NamedPlot& plot) {
  Json curves = Json::array();
  for (const Curve& curve : plot.curves) {
    curves.push_back({{"label", curve.label}, {"x", curve.x}, {"y", curve.y}});
  }
  return {{"title", plot.title}, {"x", plot.x_label},   {"y", plot.y_label},
          {"log_x", plot.log_x}, {"log_y", plot.log_y}, {"curves", curves}};
}

}  // namespace

std::string reproduction_json(const Reproduction& reproduction, int indent) {
  Json experiments = Json::object();
  for (const ExperimentResult& e : reproduction.experiments) {
    Json rows = Json::array(), plots = Json::array();
    for (const Row& row : e.rows) rows.push_back(row_json(row));
    for (const NamedPlot& plot : e.plots) plots.push_back(plot_json(plot));
    experiments[e.name] = {{"source", e.source},   {"item", e.item}, {"claim", e.claim},
                           {"models", e.models},   {"runs", e.runs}, {"fell_short", e.fell_short()},
                           {"seconds", e.seconds}, {"rows", rows},   {"plots", plots}};
  }
  Json published = Json::object();
  for (const Source& source : sources()) {
    published[source.key] = {{"citation", source.citation}, {"machine", source.machine}};
  }
  const auto count = [&](Match match) { return reproduction.count(match); };
  const int reproduced =
      count(Match::number) + count(Match::curve) + count(Match::behaviour) + count(Match::itself);
  const Json counts = {{"reproduced", reproduced},
                       {"number", count(Match::number)},
                       {"curve", count(Match::curve)},
                       {"behaviour", count(Match::behaviour)},
                       {"itself", count(Match::itself)},
                       {"explained", count(Match::explained)},
                       {"fell_short", count(Match::fell_short)},
                       {"no_verdict", count(Match::none)}};
  const Json json = {{"machine", reproduction.machine},
                     {"threads", reproduction.threads},
                     {"seconds", reproduction.seconds},
                     {"rows", counts},
                     {"sources", published},
                     {"experiments", experiments}};
  return json_text(json, indent);
}

}  // namespace torsor
