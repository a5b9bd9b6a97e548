// A. Müller, Screw and Lie group theory in multibody dynamics, 2018. The paper has no numerical experiments:
// what it claims are identities and counts, which are evaluated here.

#include "experiments/registry.h"
#include "experiments/screw_measures.h"

namespace torsor {
namespace {

using enum Representation;

/// Models to evaluate at, none to run.
std::vector<ExperimentRun> models(std::vector<ExperimentModel> list) {
  std::vector<ExperimentRun> runs;
  for (ExperimentModel& model : list) runs.push_back({"", std::move(model), {}});
  return runs;
}
const std::vector<ExperimentModel> kTrees{{"seven_dof_arm"}, {"all_joints"}};

/// An identity on the arm and on a tree with every joint type.
void add_identity(Experiment& e, const std::string& what, const Published& paper, Measure (*measure)(int)) {
  e.checks.push_back({what + ", arm", "", paper, measure(0), at_most(1e-12)});
  e.checks.push_back({what + ", every joint type", "", paper, measure(1), at_most(1e-12)});
}

Experiment recursive_forms() {
  Experiment e{
      "mueller-forms",
      "mueller",
      "Section 4",
      "The recursions in body-fixed (66), spatial (70), hybrid (75) and mixed form give the same efforts.",
      models(kTrees),
      {}};
  add_identity(e, "spatial against body-fixed", words("equal"),
               [](int run) { return form_difference(run, spatial); });
  add_identity(e, "hybrid against body-fixed", words("equal"),
               [](int run) { return form_difference(run, hybrid); });
  add_identity(e, "mixed against body-fixed", words("equal"),
               [](int run) { return form_difference(run, mixed); });
  return e;
}

Experiment cost_table() {
  Experiment e{
      "mueller-cost",
      "mueller",
      "Section 4, computational effort",
      "All forms are O(n); body-fixed and spatial form cost the same, the hybrid one as many operations as "
      "the body-fixed one.",
      models({{"hinge chain", 8}, {"hinge chain", 64}}),
      {}};
  struct Count {
    Representation form;
    const char* printed;
  };
  for (const Count& count :
       {Count{body, "3n - 3 transformations of screws, 2n - 1 brackets"},
        Count{spatial, "n of screws, n of inertias, 2n - 1 brackets"},
        Count{hybrid, "3n - 3 translations, n rotations, n of inertias, 3n - 1 brackets"},
        Count{mixed, "not counted"}}) {
    const Representation form = count.form;
    const std::string name = std::string(name_of(form)) + ": ";
    e.checks.push_back({name + "operations per joint, 64 joints",
                        "",
                        words(count.printed),
                        operations_per_joint(1, form),
                        {},
                        "",
                        0,
                        true});
    e.checks.push_back({name + "operations per joint, 64 joints / 8 joints", "", words("O(n)"),
                        [form](Outcomes all) {
                          return operations_per_joint(1, form)(all) / operations_per_joint(0, form)(all);
                        },
                        between(0.9, 1.15)});
  }
  const std::string why =
      "counted in transformations they cost the same; counted in multiplications and additions the "
      "body-fixed form needs fewer, since its screws have a single entry and it needs no pose in the world";
  for (const Representation form : {spatial, hybrid}) {
    e.checks.push_back({std::string(name_of(form)) + " over body-fixed, operations", "", number("1", 1),
                        [form](Outcomes all) {
                          return operations_per_joint(1, form)(all) / operations_per_joint(1, body)(all);
                        },
                        between(1.2, 2.5), why});
  }
  return e;
}

Experiment christoffel() {
  Experiment e{
      "mueller-christoffel",
      "mueller",
      "Equations (85)-(87)",
      "Christoffel symbols by three brackets (86) and by Binet's inertia (87) are the same, and give the "
      "velocity terms (85).",
      models(kTrees),
      {}};
  add_identity(e, "(86) against (87)", words("equal"), christoffel_difference);
  add_identity(e, "(85) against the recursion", words("equal"), velocity_term_difference);
  return e;
}

Experiment closed_forms() {
  Experiment e{"mueller-closed-forms",
               "mueller",
               "Equations (78), (81), (84)",
               "Projected Newton-Euler equations in closed form are those of the recursion.",
               models(kTrees),
               {}};
  add_identity(e, "Euler-Jourdain equations (78) against the recursion", words("equal"),
               projection_difference);
  add_identity(e, "mass matrix (81) against composite bodies", words("equal"), mass_difference);
  add_identity(e, "velocity terms by (84) against the recursion", words("equal"),
               jourdain_velocity_difference);
  return e;
}

}  // namespace

std::vector<Experiment> mueller_experiments() {
  return {recursive_forms(),
          cost_table(),
          christoffel(),
          closed_forms(),
          {"mueller-torque-rates",
           "mueller",
           "Section 6.3",
           "First and second time derivative of the inverse dynamics, for elastic actuators, by recursion.",
           models({{"seven_dof_arm"}}),
           {{"Q' against differences of order 8, relative", "", nothing(), effort_rate_difference(0),
             at_most(1e-7)},
            {"Q'' against differences of order 8, relative", "", nothing(), effort_acceleration_difference(0),
             at_most(1e-6)}}}};
}

}  // namespace torsor
