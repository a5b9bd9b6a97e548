#pragma once
// What our JSON texts have in common. For sources only: headers that show JSON to others hand out its text.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "torsor/lie/se3.h"
#include "torsor/lie/twist.h"

namespace torsor {

using Json = nlohmann::ordered_json;

/// Numbers that are not finite are null; bytes of names and texts that are no UTF-8 are shown as the
/// replacement character, those that would command a terminal as their codes (base/printable.h).
std::string json_text(const Json& json, int indent = -1);

Json json_of(const std::optional<double>& value);  ///< or null
Json json_of(const Vec3<double>& v);
Json json_of(const SO3<double>& q);  ///< w, x, y, z
Json json_of(const Twist<double>& V);
Json json_of(const std::map<std::string, std::variant<double, std::string>>& options);
Json text_or_null(const std::string& text);  ///< null where it is empty

}  // namespace torsor
