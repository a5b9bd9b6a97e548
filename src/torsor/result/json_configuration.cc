#include "torsor/result/json_configuration.h"

#include "torsor/evaluation/pose.h"

namespace torsor {

Json json_of_coordinates(const Model& model, std::span<const double> q) {
  Json json = Json::object();
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const int first = model.coordinate_offset(static_cast<int>(j));
    const int count = model.coordinate_offset(static_cast<int>(j) + 1) - first;
    if (count == 0) continue;
    const auto own = q.subspan(first, count);
    json[model.joints()[j].name] =
        count == 1 ? Json(own[0]) : Json(std::vector<double>(own.begin(), own.end()));
  }
  return json;
}

std::vector<std::string> rate_names(const Model& model, const std::vector<int>& rates) {
  std::vector<std::string> names;
  for (const int rate : rates) names.push_back(rate_name(model, rate));
  return names;
}

Json json_list(const Eigen::VectorXd& x) { return std::vector<double>(x.begin(), x.end()); }

Json json_rows(const Eigen::MatrixXd& A) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < A.rows(); ++i) rows.push_back(json_list(A.row(i)));
  return rows;
}

Json json_of_points(const ReducedMechanism& mechanism, std::span<const double> q) {
  Json json = Json::object();
  for (const Point& point : mechanism.model().points()) {
    json[point.name] = json_of(place_of(mechanism, q, point));
  }
  return json;
}

}  // namespace torsor
