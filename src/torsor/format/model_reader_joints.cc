// `joints`, and what their coordinates measure.

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "torsor/base/nearest.h"
#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

/// In the plane the only axis to turn about is z, and the natural one to slide along is x.
Vec3<double> default_axis(JointType type, int dimension) {
  return dimension == 2 && only_slides(type) ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1};
}

Joint::Reference read_reference(const YamlView& view, const Joint& joint, int dimension) {
  view.allow_keys({"point", "axis"});
  const auto point = view.at("point", "a point [m] of the world");
  const auto axis = view.find("axis");
  return {read_vector(point, dimension, kLength), axis ? read_axis(*axis, dimension) : joint.axis};
}

/// What other programs call a type; empty for other words.
std::string_view usual_type(const std::string& word) {
  constexpr std::pair<std::string_view, std::string_view> kElsewhere[] = {
      {"hinge", "revolute"},   {"pin", "revolute"},   {"continuous", "revolute"}, {"slide", "prismatic"},
      {"slider", "prismatic"}, {"ball", "spherical"}, {"weld", "fixed"},          {"rigid", "fixed"},
      {"cardan", "universal"}, {"screw", "helical"},  {"floating", "free"}};
  for (const auto& [theirs, ours] : kElsewhere)
    if (word == theirs) return ours;
  return {};
}

Joint read_joint(const std::string& name, const YamlView& view, const ModelReading& reading) {
  view.allow_keys({"type", "parent", "child", "in_parent", "in_child", "axis", "pitch", "reference", "range",
                   "friction", "armature"});
  const int dimension = reading.dimension();
  Joint joint;
  joint.name = name;
  const YamlView type = view.at("type", "a joint type");
  const std::string_view ours = usual_type(type.text());
  if (!ours.empty())
    type.fail("one of " + listed(joint_type_names()),
              fmt::format("{} (write '{}')", in_quotes(type.text()), ours));
  type.choice(joint_type_names());
  joint.type = *joint_type_named(type.text());
  joint.parent = reading.body(view.at("parent", "the name of a body, or world"));
  joint.child = reading.body(view.at("child", "the name of a body"));
  joint.axis = default_axis(joint.type, dimension);
  if (const auto axis = view.find("axis")) joint.axis = read_axis(*axis, dimension);
  if (const auto frame = view.find("in_parent")) joint.in_parent = read_pose(*frame, dimension);
  if (const auto frame = view.find("in_child")) joint.in_child = read_pose(*frame, dimension);
  const auto pitch = view.find("pitch");
  if (pitch && !has_pitch(joint.type)) pitch->fail("no pitch, unless the joint is helical");
  if (has_pitch(joint.type)) joint.pitch = view.at("pitch", described(kPitch)).number(kPitch);
  if (const auto armature = view.find("armature")) {
    const std::vector<RateQuantities> rates = rate_quantities(joint.type, dimension);
    if (rates.empty()) armature->fail("no armature at a fixed joint, which has no rates");
    joint.armature = read_spread(*armature, rates, &RateQuantities::inertia);
  }
  if (const auto reference = view.find("reference")) {
    for (const char* key : {"in_parent", "in_child", "axis"})
      if (const auto other = view.find(key)) other->fail("either `reference` or the joint frames", "both");
    joint.reference = read_reference(*reference, joint, dimension);
  }
  return joint;
}

}  // namespace

std::vector<RateQuantities> rate_quantities(JointType type, int dimension) {
  const Components all = components(type, dimension);
  std::vector<RateQuantities> quantities(all.turns(), kTurning);
  quantities.resize(all.rates(), kSliding);
  return quantities;
}

std::vector<Quantity> coordinate_quantities(JointType type, int dimension) {
  const Components all = components(type, dimension);
  std::vector<Quantity> quantities(4 * all.quaternions, kNumber);
  quantities.resize(quantities.size() + all.angles, kAngle);
  quantities.resize(all.coordinates(), kLength);
  return quantities;
}

std::vector<double> read_spread(const YamlView& view, const std::vector<RateQuantities>& rates,
                                Quantity RateQuantities::*member) {
  std::vector<double> values;
  if (view.is_list()) {
    const auto items = view.list(rates.size(), "values, one for each rate of the joint");
    for (std::size_t i = 0; i < items.size(); ++i) values.push_back(items[i].number(rates[i].*member));
  } else {
    for (const RateQuantities& rate : rates) values.push_back(view.number(rate.*member));
  }
  return values;
}

void read_joints(const std::string& name, const YamlView& view, ModelReading& reading) {
  reading.d.joints.push_back(read_joint(name, view, reading));
  reading.joints.add(name);
  read_joint_limits(view, static_cast<int>(reading.d.joints.size()) - 1, reading);
}

}  // namespace torsor
