#include "torsor/model/joint.h"

#include "torsor/base/catalogue.h"

namespace torsor {
namespace {

struct Counts {
  JointType type;
  int coordinates, rates;                ///< in 3D
  int planar_coordinates, planar_rates;  ///< in 2D
  bool axis;
};

/// In the order of the enumeration.
const Catalogue<Counts>& types() {
  static const Catalogue<Counts> table({{"fixed", {JointType::fixed, 0, 0, 0, 0, false}},
                                        {"revolute", {JointType::revolute, 1, 1, 1, 1, true}},
                                        {"prismatic", {JointType::prismatic, 1, 1, 1, 1, true}},
                                        {"helical", {JointType::helical, 1, 1, 1, 1, true}},
                                        {"cylindrical", {JointType::cylindrical, 2, 2, 2, 2, true}},
                                        {"universal", {JointType::universal, 2, 2, 2, 2, true}},
                                        {"spherical", {JointType::spherical, 4, 3, 4, 3, false}},
                                        {"planar", {JointType::planar, 3, 3, 3, 3, true}},
                                        {"free", {JointType::free, 7, 6, 3, 3, false}}});
  return table;
}

const Counts& counts(JointType type) { return (types().begin() + static_cast<int>(type))->second; }

}  // namespace

int coordinate_count(JointType type, int dimension) {
  return dimension == 2 ? counts(type).planar_coordinates : counts(type).coordinates;
}
int rate_count(JointType type, int dimension) {
  return dimension == 2 ? counts(type).planar_rates : counts(type).rates;
}
const char* name_of(JointType type) { return (types().begin() + static_cast<int>(type))->first.c_str(); }
std::optional<JointType> joint_type_named(const std::string& name) {
  const Counts* found = types().find(name);
  return found ? std::optional(found->type) : std::nullopt;
}
std::vector<std::string> joint_type_names() { return types().names(); }
bool has_axis(JointType type) { return counts(type).axis; }

SO3<double> axis_frame(const Vec3<double>& a) {
  // (1 + z.a, z x a), normalised; below the equator 1 + a.z without its cancellation.
  const double sideways = a.x * a.x + a.y * a.y;
  if (a.z < 0 && sideways == 0) return {0, 1, 0, 0};
  const double w = a.z < 0 ? sideways / (1 - a.z) : 1 + a.z;
  return normalized(SO3<double>{w, -a.y, a.x, 0});
}

}  // namespace torsor
