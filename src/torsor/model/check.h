#pragma once
// Small questions that validation asks of a description; each throws ModelError at the key it is given.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/lie/se3.h"
#include "torsor/model/key.h"

namespace torsor {

/// What was expected and what was found may be functions, which are asked only where they are needed.
template <class Expected, class Found>
void require(bool holds, const Key& key, const Expected& expected, const Found& found) {
  const auto text = [](const auto& given) -> std::string {
    if constexpr (std::is_invocable_v<decltype(given)>) {
      return given();
    } else {
      return given;
    }
  };
  if (!holds) throw ModelError(key.text(), text(expected), text(found));
}
inline std::string shown(double value) { return std::isnan(value) ? "nan" : fmt::format("{:g}", value); }
inline std::string shown(const Vec3<double>& v) {
  return fmt::format("[{}, {}, {}]", shown(v.x), shown(v.y), shown(v.z));
}
inline std::string shown(const SO3<double>& q) {
  return fmt::format("[{}, {}, {}, {}]", shown(q.w), shown(q.x), shown(q.y), shown(q.z));
}

inline void require_finite(double value, const Key& key) {
  require(std::isfinite(value), key, "a finite number", [&] { return shown(value); });
}
inline void require_positive(double value, const Key& key) {
  require(std::isfinite(value) && value > 0, key, "a number > 0", [&] { return shown(value); });
}
inline void require_nonnegative(double value, const Key& key) {
  require(std::isfinite(value) && value >= 0, key, "a number >= 0", [&] { return shown(value); });
}
/// In 2D the third component must vanish.
inline void require_vector(const Vec3<double>& v, int dimension, const Key& key) {
  require(std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z), key, "finite numbers",
          [&] { return shown(v); });
  require(dimension == 3 || v.z == 0, key, "a vector in the plane z = 0, since dimension is 2",
          [&] { return shown(v); });
}

/// How far a written quaternion or matrix may be from a rotation: four digits, as people type them.
inline constexpr double kRotationTolerance = 1e-3;
inline double quaternion_length(const SO3<double>& q) {
  return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}
inline bool is_unit(const SO3<double>& q) { return std::abs(quaternion_length(q) - 1) <= kRotationTolerance; }

/// Brings q to unit length; in 2D it must turn about z.
inline void require_rotation(SO3<double>& q, int dimension, const Key& key) {
  require(is_unit(q), key, "a quaternion of length 1",
          [&] { return fmt::format("{} of length {}", shown(q), shown(quaternion_length(q))); });
  require(dimension == 3 || (q.x == 0 && q.y == 0), key, "a rotation about z, since dimension is 2",
          [&] { return shown(q); });
  q = normalized(q);
}
inline void require_pose(SE3<double>& X, int dimension, const Key& key) {
  require_vector(X.position, dimension, key + ".position");
  require_rotation(X.rotation, dimension, key + ".rotation");
}

/// Names become groups and columns of result files and parts of key paths, all of which carry them as they
/// are.
inline constexpr const char* kNameRule =
    "a name without . / [ ] , quotes or control characters, up to 200 bytes";
inline bool is_valid_name(const std::string& name) {
  return !name.empty() && name.size() <= 200 && name.front() != ' ' && name.back() != ' ' &&
         name.find_first_of("./[],\"\x7F") == std::string::npos &&
         std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20; });
}
inline void require_name(const std::string& name, const Key& group) {
  require(is_valid_name(name), group, kNameRule, [&] { return in_quotes(name); });
  require(name != "world", group + ".world", "another name, since `world` is the ground", "'world'");
}

/// Each name valid and once.
template <class Named>
void require_names(const std::vector<Named>& all, const Key& group) {
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const Named& one : all) {
    require_name(one.name, group);
    names.push_back(one.name);
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw ModelError((group + "." + *twice).text(), "each name once",
                     in_quotes(std::string(*twice)) + " twice");
  }
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

}  // namespace torsor
