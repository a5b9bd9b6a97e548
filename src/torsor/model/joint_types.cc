#include "torsor/model/joint_types.h"

#include <algorithm>

namespace torsor {
namespace {

/// What the table asks of its rows.
constexpr bool is_sound(const JointParts& parts) {
  int turns = 0, axis = -1;  // of the last turn
  for (const JointPart& part : parts) {
    const Components own = components(part.primitive);
    const bool is_plain = part.primitive == Primitive::revolute || part.primitive == Primitive::prismatic;
    if (!is_plain && parts.end() - parts.begin() > 1) return false;
    if (own.lengths == 1 && turns > 0 && (turns > 1 || part.axis != axis)) return false;
    if (own.turns() == 0) continue;
    if (part.axis == axis) return false;
    ++turns, axis = part.axis;
  }
  return turns <= 2;
}
static_assert(std::all_of(std::begin(kJointTypes), std::end(kJointTypes),
                          [](const JointTypeRow& row) { return is_sound(row.parts); }));

template <class Predicate>
bool any_part(JointType type, Predicate predicate) {
  const JointParts& parts = joint_type_row(type).parts;
  return std::any_of(parts.begin(), parts.end(), predicate);
}

}  // namespace

const char* name_of(JointType type) { return joint_type_row(type).name; }

std::optional<JointType> joint_type_named(const std::string& name) {
  for (const JointTypeRow& row : kJointTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

std::vector<std::string> joint_type_names(int dimension) {
  std::vector<std::string> names;
  for (const JointTypeRow& row : kJointTypes) {
    if (dimension == 3 || row.in_plane) names.emplace_back(row.name);
  }
  return names;
}

bool has_twist_rates(JointType type) {
  return any_part(type, [](const JointPart& part) { return components(part.primitive).rates() > 1; });
}
bool has_plain_coordinates(JointType type) { return has_axis(type); }
bool has_axis(JointType type) {
  return any_part(type, [](const JointPart& part) { return components(part.primitive).rates() == 1; });
}
bool has_pitch(JointType type) {
  return any_part(type, [](const JointPart& part) { return part.primitive == Primitive::helical; });
}
bool only_slides(JointType type) {
  const Components all = components(type, 3);
  return all.lengths > 0 && all.turns() == 0;
}
bool has_one_unit(JointType type) {
  const Components all = components(type, 3);
  return all.lengths == 0 || all.turns() == 0;
}

std::vector<std::string> joint_outputs(JointType type) {
  if (!has_plain_coordinates(type)) return {};
  const JointParts& parts = joint_type_row(type).parts;
  std::vector<std::string> names(parts.all().rates());
  for (const JointPart& part : parts) names[part.rate] = part.output;
  return names;
}

}  // namespace torsor
