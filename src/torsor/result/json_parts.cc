#include "torsor/result/json_parts.h"

#include "torsor/base/printable.h"

namespace torsor {

std::string json_text(const Json& json, int indent) {
  return printable_json(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }
Json json_of(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Json json_of(const SO3<double>& q) { return {q.w, q.x, q.y, q.z}; }
Json json_of(const Twist<double>& V) {
  return {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
}
Json json_of(const std::map<std::string, std::variant<double, std::string>>& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) {
    std::visit([&, key = name](const auto& v) { object[key] = v; }, value);
  }
  return object;
}
Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

}  // namespace torsor
