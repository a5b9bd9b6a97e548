// Muscles of tendons.

#include "torsor/format/model_reader_parts.h"

namespace torsor {
namespace {

constexpr Quantity kPerSecond{"lengths of the fibres a second", "1/s", {0, 0, -1}};

}  // namespace

Muscle read_muscle(const YamlView& view) {
  view.allow_keys({"law", "excitation", "initial", "activation_time", "deactivation_time", "smoothing",
                   "max_force", "fibre_length", "max_velocity", "slack_length", "tendon_strain", "pennation",
                   "fibre_damping", "length_range", "range", "least_length", "greatest_length",
                   "passive_force", "lengthening_force"});
  Muscle muscle;
  if (const auto law = view.find("law")) {
    muscle.law = law->choice<Muscle::Law>({{"hill", Muscle::Law::hill}, {"mujoco", Muscle::Law::mujoco}});
  }
  if (muscle.law == Muscle::Law::mujoco) {
    muscle.max_velocity = 1.5;
    muscle.fibre_damping = 0;
  } else {
    for (const char* key : {"least_length", "greatest_length", "passive_force", "lengthening_force"}) {
      if (view.has(key)) view.at(key, "").fail("a key of the law mujoco");
    }
  }
  const auto read = [&](const char* key, const Quantity& quantity, double& out) {
    if (const auto found = view.find(key)) out = found->number(quantity);
  };
  muscle.excitation = read_program(view.at("excitation", "a program, from 0 to 1"), kNumber);
  if (const auto initial = view.find("initial")) muscle.initial = initial->number(kNumber);
  muscle.max_force = view.at("max_force", described(kForce)).number(kForce);
  if (const auto lengths = view.find("length_range")) {
    if (view.has("fibre_length") || view.has("slack_length")) {
      view.fail("either `length_range` or `fibre_length` and `slack_length`");
    }
    const std::vector<double> ends = lengths->numbers(2, kLength);
    std::vector<double> range{0.75, 1.05};
    if (const auto given = view.find("range")) range = given->numbers(2, kNumber);
    if (!(range[0] < range[1])) view.at("range", "").fail("two numbers that increase");
    if (!(ends[0] < ends[1])) lengths->fail("two lengths that increase");
    set_operating_range(muscle, {ends[0], ends[1]}, {range[0], range[1]});
  } else {
    if (view.has("range")) view.at("length_range", described(kLength));
    muscle.fibre_length = view.at("fibre_length", described(kLength)).number(kLength);
    read("slack_length", kLength, muscle.slack_length);
  }
  read("activation_time", kTime, muscle.activation_time);
  read("deactivation_time", kTime, muscle.deactivation_time);
  read("smoothing", kNumber, muscle.smoothing);
  read("max_velocity", kPerSecond, muscle.max_velocity);
  read("tendon_strain", kNumber, muscle.tendon_strain);
  read("pennation", kAngle, muscle.pennation);
  read("fibre_damping", kNumber, muscle.fibre_damping);
  read("least_length", kNumber, muscle.least_length);
  read("greatest_length", kNumber, muscle.greatest_length);
  read("passive_force", kNumber, muscle.passive_force);
  read("lengthening_force", kNumber, muscle.lengthening_force);
  return muscle;
}

}  // namespace torsor
