// A. Götz, thesis 2024, chapter 5: the arm of table 5.1 by an energy-stable scheme in the positions of the
// links, by a variational integrator on (S^1)^n, and by a classical reference in joint angles.

#include "experiments/curves.h"
#include "experiments/registry.h"
#include "experiments/sweep.h"

namespace torsor {
namespace {

const ExperimentModel kPlainArm{"three_link_arm"}, kTendonArm{"elastic_arm"};

/// Chapter 3; elastic forces by Gauss's rule with so many points, one of which is the midpoint rule.
StepperChoice energy_stable(double points) {
  return {"cartesian", "petrov-galerkin", {{"m", 0.0}, {"potential_quadrature", points}}, 0};
}
/// Chapter 4.
const StepperChoice kVariational{"joint", "variational", {{"map", "chord"}}, 0};
/// 5.1.6.
const StepperChoice kReference{"joint", "implicit-midpoint", {}, 0};

ExperimentRun standard_run(std::string label, const ExperimentModel& model, const StepperChoice& method,
                           int record_every = 1) {
  return {std::move(label), model, method, 0.01, 50, record_every};
}

/// (5.7): 0.001, 0.002, .. 0.2 s, over 10 s.
std::vector<ExperimentRun> steps_of(const std::string& label, const ExperimentModel& model,
                                    const StepperChoice& method) {
  return sweep({label, model, method, 0, 10, 0}, multiples(0.001, 200));
}

Experiment constraint_figure(const char* name, const char* item, const char* claim,
                             const ExperimentModel& model, double points) {
  return {name,
          "goetz",
          item,
          claim,
          {standard_run("energy stable", model, energy_stable(points)),
           standard_run("variational", model, kVariational)},
          {{"energy stable: constraint error (5.1)", "m", number("about 1e-14", 1e-14), constraint_error(0),
            at_most(1e-14)},
           {"variational: error of norms (5.2)", "", number("about 1e-14", 1e-14), attitude_norm_error(1),
            at_most(1e-14)}},
          {constraint_plot("Constraint error, energy stable", {0})}};
}

Experiment order_figure(const char* name, const char* item, const char* claim,
                        std::vector<ExperimentRun> runs, std::vector<Check> checks) {
  return {name,
          "goetz",
          item,
          claim,
          std::move(runs),
          std::move(checks),
          {order_plot("Mean energy error over the step")}};
}

const Check kLargestStep{
    "largest step that runs to its end",
    "s",
    number("0.2", 0.2),
    largest_step(),
    between(0.1, 0.2),
    "in one step a joint must turn by less than an eighth of a turn, where sin(2 dphi) has its maximum; the "
    "text fits the linear part of the plot only. The first run with a larger step",
    0,
    false,
    first_fault};

Check time_row(const char* what, const char* paper, int run, double seconds) {
  return {what, "s", number(paper, seconds), wall_seconds(run), {}, "", seconds, true};
}

}  // namespace

std::vector<Experiment> goetz_experiments() {
  return {
      constraint_figure("goetz-fig-5.1", "Fig. 5.1",
                        "Both methods keep the structure to rounding in the standard run under gravity.",
                        kPlainArm, 1),
      constraint_figure("goetz-fig-5.2", "Fig. 5.2", "Springs do not change how well the structure is kept.",
                        kTendonArm, 1),
      {"goetz-fig-5.3",
       "goetz",
       "Fig. 5.3",
       "Energy error of the standard run under gravity: rounding by the energy-stable method, about 1e-3 and "
       "bounded by the variational integrator, about 1e-4 and bounded by the reference.",
       {standard_run("energy stable", kPlainArm, energy_stable(1)),
        standard_run("variational", kPlainArm, kVariational),
        standard_run("reference", kPlainArm, kReference)},
       {{"(a) energy stable: largest error", "J", number("about 1e-14", 1e-14), energy_error_max(0),
         at_most(2e-13)},
        {"(b) variational: largest error", "J", number("about 1e-3", 1e-3), energy_error_max(1),
         between(3e-4, 3e-3)},
        {"(b) trend over the run / largest error", "", words("bounded"), energy_trend(1), at_most(0.25)},
        {"(c) reference: largest error", "J", number("about 1e-4", 1e-4), energy_error_max(2),
         between(3e-5, 3e-4)},
        {"(c) trend over the run / largest error", "", words("bounded"), energy_trend(2), at_most(0.25)}},
       {energy_error_plot("Energy error", {0, 1, 2})}},
      order_figure(
          "goetz-fig-5.4a", "Fig. 5.4",
          "(a) The energy error of the variational integrator grows with "
          "the square of the step.",
          steps_of("variational", kPlainArm, kVariational),
          {{"order, 0.001 to 0.1 s", "", number("2", 2), energy_order(0.001, 0.1), between(1.85, 2.15)},
           kLargestStep}),
      order_figure(
          "goetz-fig-5.4b", "Fig. 5.4",
          "(b) So does that of the reference; above 0.01 s it becomes unstable.",
          steps_of("reference", kPlainArm, kReference),
          {{"order, 0.001 to 0.01 s", "", number("2", 2), energy_order(0.001, 0.01), between(1.85, 2.15)},
           {"order, 0.01 to 0.2 s", "", words("instability above 0.01 s"), energy_order(0.01, 0.2),
            between(1.85, 2.15),
            "with its equations solved to rounding, the midpoint rule stays on the line up to 0.2 s: "
            "what the thesis shows above 0.01 s is not a property of the method"}}),
      {"goetz-fig-5.5",
       "goetz",
       "Fig. 5.5",
       "With mono-articular springs: about 1e-5 and bounded by the energy-stable method with the midpoint "
       "rule, about 1e-3 by the variational integrator.",
       {standard_run("energy stable", kTendonArm, energy_stable(1)),
        standard_run("variational", kTendonArm, kVariational)},
       {{"(a) energy stable: largest error", "J", number("about 1e-5", 1e-5), energy_error_max(0),
         between(3e-6, 3e-5)},
        {"(a) trend over the run / largest error", "", words("bounded"), energy_trend(0), at_most(0.25)},
        {"(b) variational: largest error", "J", number("about 1e-3", 1e-3), energy_error_max(1),
         between(3e-4, 3e-3)}},
       {energy_error_plot("Energy error", {0, 1})}},
      {"goetz-fig-5.6",
       "goetz",
       "Fig. 5.6",
       "Gauss's rule with three points for the springs brings the energy error down to about 1e-13.",
       {standard_run("energy stable, 3 points", kTendonArm, energy_stable(3))},
       {{"largest error", "J", number("about 1e-13", 1e-13), energy_error_max(0), at_most(5e-13)}},
       {energy_error_plot("Energy error", {0})}},
      order_figure(
          "goetz-fig-5.7a", "Fig. 5.7",
          "(a) With springs the error of the energy-stable method with the midpoint rule grows with the "
          "square of the step; a smaller step always lowers it.",
          steps_of("energy stable", kTendonArm, energy_stable(1)),
          {{"order", "", number("2", 2), energy_order(0.001, 0.2), between(1.85, 2.15)},
           {"error / least error of larger steps, worst case", "", words("a smaller step lowers it"),
            worst_refinement(), at_most(1.05)}}),
      order_figure(
          "goetz-fig-5.7b", "Fig. 5.7", "(b) So does that of the variational integrator.",
          steps_of("variational", kTendonArm, kVariational),
          {{"order, 0.001 to 0.1 s", "", number("2", 2), energy_order(0.001, 0.1), between(1.85, 2.15)},
           kLargestStep}),
      order_figure(
          "goetz-fig-5.8", "Fig. 5.8",
          "Gauss's rule with three points: the error grows with the sixth power of the step, above rounding.",
          steps_of("energy stable, 3 points", kTendonArm, energy_stable(3)),
          {{"order", "", number("6", 6), energy_order(0.05, 0.2), between(5.7, 6.3)},
           {"least mean error", "J", words("floating point precision"), least_energy_error_mean(),
            at_most(1e-13)}}),
      {"goetz-table-5.2",
       "goetz",
       "Table 5.2",
       "Seconds for the standard run under gravity (published: Intel Core i5-7200U, MATLAB).",
       {standard_run("energy stable", kPlainArm, energy_stable(1), 0),
        standard_run("variational", kPlainArm, kVariational, 0),
        standard_run("reference", kPlainArm, kReference, 0)},
       {time_row("energy stable (midpoint rule)", "2.35 s", 0, 2.35),
        time_row("variational integrator", "140.42 s", 1, 140.42),
        time_row("reference model", "47.20 s", 2, 47.20)},
       {},
       true},
      {"goetz-table-5.3",
       "goetz",
       "Table 5.3",
       "Seconds for the standard run with mono-articular springs (published: Intel Core i5-7200U, MATLAB).",
       {standard_run("energy stable", kTendonArm, energy_stable(1), 0),
        standard_run("energy stable, 3 points", kTendonArm, energy_stable(3), 0),
        standard_run("variational", kTendonArm, kVariational, 0)},
       {time_row("energy stable (midpoint rule)", "3.36 s", 0, 3.36),
        time_row("energy stable (3 points)", "3.53 s", 1, 3.53),
        time_row("variational integrator", "147.68 s", 2, 147.68)},
       {},
       true},
  };
}

}  // namespace torsor
