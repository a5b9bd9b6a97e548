// The command line as a contract: exit statuses, what goes where, the members of --json, and the identities
// that the numbers of `eval` must satisfy whatever the model.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "program.h"
#include "torsor/result/version.h"

namespace torsor {
namespace {

using Json = nlohmann::json;

/// Whether the text says so; the whole text is shown when not.
::testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no '" << part << "' in:\n" << text;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

void expect_keys(const Json& object, const std::vector<std::string>& names) {
  for (const std::string& name : names) EXPECT_TRUE(object.contains(name)) << name;
}

std::vector<std::string> gallery_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_MODELS)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  return names;
}

// ---- statuses and messages ----

TEST(Usage, FaultsOfUsageAreStatus2AndSpeakOnStderrOnly) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{}, "Usage"},
      {{"rnu", "tendon_arm"}, "did you mean 'run'?"},
      {{"run"}, "MODEL"},
      {{"run", "tendon_arn"}, "did you mean 'tendon_arm'?"},
      {{"run", "tendon_arm", "--duraton", "1"}, "did you mean '--duration'?"},
      {{"run", "tendon_arm", "--integrator", "dorpi5"}, "did you mean 'dopri5'?"},
      {{"run", "tendon_arm", "--formulation", "jiont"}, "did you mean 'joint'?"},
      {{"run", "tendon_arm", "--set", "bodies.link1.mas=2"}, "did you mean 'mass'?"},
      {{"run", "tendon_arm", "--set", "nonsense"}, "path=value"},
      {{"run", "tendon_arm", "--step", "0"}, "step"},
      {{"run", "tendon_arm", "--step", "-1"}, "step"},
      {{"run", "tendon_arm", "--step", "5 kg"}, "step"},
      {{"run", "tendon_arm", "--duration", "nan"}, "duration"},
      {{"run", "tendon_arm", "--record-every", "0"}, "torsor: --record-every: expected"},
      {{"run", "tendon_arm", "--step", "abc"}, "torsor: --step: expected a time [s], found 'abc'\n"},
      {{"run", "tendon_arm", "--set", "simulation.step=abc"},
       "torsor: --set simulation.step: expected a time [s]"},
      {{"run", "tendon_arm", "--integrator", "{name: dopri5, tolernce: 1}"},
       "torsor: --integrator.tolernce: "},
      {{"run", "tendon_arm", "--out", "result.txt"}, ".h5 or .csv"},
      {{"run", "tendon_arm", "--out", "/no/such/folder/result.h5"}, "no folder"},
      {{"run", "tendon_arm", "--out", "/no/such/folder/result.csv"}, "no folder"},
      {{"run", "/"}, "MODEL"},
      {{"list", "modles"}, "did you mean 'models'?"},
      {{"list"}, "list: expected one of models, integrators"},
      {{"help", "run"}, "see `torsor --help`"},
      {{"arm.yaml"}, "a verb comes before the file: `torsor run arm.yaml`"},
      {{"run", "tendon_arm", "four_bar"}, "one argument too many: 'four_bar'"},
      {{"run", "tendon_arm", "--set", "gravity"}, "torsor: --set: expected path=value"},
      {{"check", "tendon_arm", "--set", "simulation.integrator=rk4"}, "expected one of energy-momentum"},
      {{"study", "convergence", "tendon_arm"}, "--steps"},
      {{"study", "convergence", "tendon_arm", "--steps", "0.1,-1"}, "--steps"},
      {{"study", "convergence", "tendon_arm", "--steps", "2 kg"}, "--steps"},
      {{"study", "convergence", "tendon_arm", "--steps", "0.1", "--integrator", "dorpi5"},
       "did you mean 'dopri5'?"},
      {{"study", "convergence", "tendon_arm", "--steps", "0.1", "--formulation", "jiont"},
       "did you mean 'joint'?"},
      {{"study", "convergence", "tendon_arm", "--steps", "0.1", "--reference", "/no/such/file"},
       "result file"},
      {{"study", "compare", "tendon_arm", "--accuracy", "0"}, "--accuracy"},
      {{"study", "everything", "tendon_arm"}, "everything"},
      {{"eval", "tendon_arm", "--quantity", "mass_matrx"}, "did you mean 'mass_matrix'?"},
      {{"eval", "tendon_arm", "--state", "/no/such/file"}, "--state"},
  };
  for (const auto& [arguments, part] : cases) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2) << Json(arguments);
    EXPECT_EQ(outcome.out, "") << Json(arguments);
    EXPECT_TRUE(says(outcome.err, part)) << Json(arguments);
  }
}

TEST(Usage, HelpIsThereForEveryVerbWithExamples) {
  for (const std::string verb : {"run", "check", "eval", "list", "new", "reproduce"}) {
    const Outcome outcome = run_program({verb, "--help"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(says(outcome.out, "Examples:"));
  }
  const std::string version = run_program({"--version"}).out;
  EXPECT_TRUE(version.starts_with("torsor " + std::string(kVersion) + "\n")) << version;
  for (const char* part :
       {"\ncompiler ", "\nflags ", "\nlibraries ", "Eigen 3.", "fmt ", "yaml-cpp ", "HDF5 ", "json "}) {
    EXPECT_NE(version.find(part), std::string::npos) << part << " in " << version;
  }
}

TEST(Usage, FaultsOfTheModelNameFileAndLine) {
  const ScratchFolder scratch;
  const std::string file =
      scratch.file("bad.yaml", "torsor: 1\nbodies:\n  b: {mass: -1, inertia: [1, 1, 1]}\n");
  const Outcome outcome = run_program({"check", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(says(outcome.err, "torsor: " + file + ":3: bodies.b.mass: expected "));
  // A complaint that arises only when a stepper is made says where, too.
  const Outcome loop = run_program({"run", "four_bar", "--formulation", "joint", "--integrator", "dopri5"});
  EXPECT_EQ(loop.status, 2);
  EXPECT_TRUE(says(loop.err, "four_bar.yaml:"));
  EXPECT_TRUE(says(loop.err, "loop"));
}

/// What people try first: each is told what to write instead.
TEST(Usage, CommonSlipsAreNamed) {
  const ScratchFolder scratch;
  const auto refused = [&](const std::string& text, const std::string& part) {
    const Outcome outcome = run_program({"check", scratch.file("slip.yaml", text)});
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_TRUE(says(outcome.err, part));
  };
  const std::string begin = "torsor: 1\ndimension: 2\nbodies:\n";
  refused(begin + "\tlink: {mass: 1, inertia: 1}\n",
          "slip.yaml:4: (document): expected YAML, which is indented by spaces, found a tab");
  refused(begin + "  link:\n\tmass: 1\n\tinertia: 1\n",
          "slip.yaml:5: (document): expected YAML, which is indented");
  // Within brackets a tab is no slip: what is wrong further down is told.
  refused(begin + "  link: {mass: 1,\n\tinertia: 1}\ngravity: [0, 1\nname: x\n",
          "slip.yaml:7: gravity[2]: expected YAML, found no ']' that closes a '['");
  refused(begin + "  link: {mass: 2 lb, inertia: 1}\n",
          "bodies.link.mass: expected a mass [kg], found '2 lb' "
          "(unknown unit 'lb'; 1 lb is 0.45359237 kg)");
  refused(begin + "  link: {mass: 1, inertia: 1}\ninitial: {bodies: {link: {rotation: 60 degrees}}}\n",
          "(unknown unit 'degrees'; write 'deg')");
  refused("torsor_sweep: 1\nmodel: pendulum\n",
          "slip.yaml:1: torsor_sweep: expected a model file (`torsor: 1`), found a sweep file, which `torsor "
          "sweep FILE` runs");
  const Outcome model = run_program({"sweep", scratch.file("model.yaml", begin + "  a: {mass: 1}\n")});
  EXPECT_EQ(model.status, 2);
  EXPECT_TRUE(says(model.err, "found a model file, which `torsor run FILE` simulates"));
  // A sweep is described in YAML; a robot is not.
  const Outcome sweep =
      run_program({"sweep", scratch.file("robot.urdf", "<?xml version='1.0'?>\n<robot/>\n")});
  EXPECT_EQ(sweep.status, 2);
  EXPECT_TRUE(says(sweep.err, "expected YAML, found XML"));
}

TEST(Usage, ACentreOfMassFarAwayIsNoticed) {
  const ScratchFolder scratch;
  const std::string text =
      "torsor: 1\ndimension: 2\nbodies:\n  link: {mass: 1, com: [500, 0], inertia: 1}\njoints:\n"
      "  pin: {type: revolute, parent: world, child: link}\nsimulation: {step: 0.01, duration: 0.02}\n";
  const std::string file = scratch.file("far.yaml", text);
  const Outcome check = run_program({"check", file});
  EXPECT_EQ(check.status, 0);
  EXPECT_TRUE(says(check.out, "notice: bodies.link.com: 500 m from the body's frame, joints and points"));
  EXPECT_EQ(run_program({"check", file, "--json"}).json()["notices"].size(), 1u);
  EXPECT_EQ(
      run_program({"check", file, "--set", "bodies.link.com=[0.5,0]", "--json"}).json()["notices"].size(),
      0u);
  // A joint out there makes it a large mechanism.
  EXPECT_EQ(run_program({"check", file, "--set", "joints.pin.in_child={position: [499, 0]}", "--json"})
                .json()["notices"]
                .size(),
            0u);
  EXPECT_TRUE(says(run_program({"run", file}).err, "torsor: notice: bodies.link.com: 500 m"));
}

/// Nobody may write in /proc, root neither.
TEST(Usage, AFolderThatCannotBeWrittenIsNamed) {
  const ScratchFolder scratch;
  const std::string result = scratch.path("short.h5");
  ASSERT_EQ(run_program({"run", "pendulum", "--duration", "0.1", "--out", result}).status, 0);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"report", result, "-o", "/proc/page.html"},
        {"show", "pendulum", "-o", "/proc/page.html"}}) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(says(outcome.err, "expected a file that can be written, found '/proc/page.html': "));
  }
}

// ---- run ----

TEST(Run, JsonHasTheMembersOfTheContract) {
  const Outcome outcome = run_program({"run", "tendon_arm", "--duration", "1", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = outcome.json();
  expect_keys(
      json, {"model", "formulation", "integrator", "step", "steps", "time", "wall_seconds", "realtime_factor",
             "energy", "constraints", "momentum", "unit_length_max_error", "newton", "final", "verdicts"});
  for (const char* what : {"energy", "constraints", "momenta", "motion"}) {
    expect_keys(json["verdicts"][what], {"state", "figure", "text"});
  }
  EXPECT_EQ(json["verdicts"]["energy"]["state"], "exact");
  EXPECT_TRUE(json["verdicts"]["momenta"]["figure"].is_null());
  expect_keys(json["energy"],
              {"initial", "final", "max_error", "mean_error", "work", "dissipated", "max_residual"});
  expect_keys(json["constraints"], {"position_max", "velocity_max"});
  expect_keys(json["momentum"], {"linear_max_error", "angular_max_error"});
  expect_keys(json["newton"], {"iterations_mean", "iterations_max", "evaluations"});
  EXPECT_EQ(keys(json["final"]["joints"]), (std::vector<std::string>{"elbow", "shoulder", "wrist"}));
  EXPECT_EQ(keys(json["final"]["rates"]), keys(json["final"]["joints"]));
  EXPECT_EQ(json["final"]["bodies"]["link1"]["com"].size(), 2u);
  EXPECT_TRUE(json["final"]["bodies"]["link1"]["angle"].is_number());
  EXPECT_EQ(json["steps"], 100);
  EXPECT_NEAR(json["time"].get<double>(), 1.0, 1e-12);
  EXPECT_TRUE(json["momentum"]["linear_max_error"].is_null());  // it hangs on the ground, under gravity
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(outcome.err, "");
}

TEST(Run, NamesTendonsThatGoSlack) {
  const Json slack = run_program({"run", "tension_only", "--json"}).json()["slack_tendons"];
  ASSERT_EQ(keys(slack), (std::vector<std::string>{"rope"}));
  EXPECT_FALSE(slack["rope"]["pushes"].get<bool>());
  EXPECT_LT(slack["rope"]["least_length"], slack["rope"]["rest_length"]);
  EXPECT_GE(slack["rope"]["times"], 1);
  EXPECT_TRUE(says(run_program({"run", "tension_only"}).out, "slack from"));
  EXPECT_TRUE(run_program({"run", "tendon_arm", "--json"}).json()["slack_tendons"].empty());
}

TEST(Run, OptionsStandForSettingsOfTheFile) {
  const Json by_option = run_program({"run", "pendulum", "--integrator", "rkmk4", "--step", "5 ms",
                                      "--duration", "100 ms", "--json"})
                             .json();
  const Json by_set = run_program({"run", "pendulum", "--set", "simulation.integrator=rkmk4", "--set",
                                   "simulation.step=0.005", "--set", "simulation.duration=0.1", "--json"})
                          .json();
  EXPECT_EQ(by_option["integrator"], "rkmk4");
  EXPECT_EQ(by_option["steps"], 20);
  EXPECT_EQ(by_option["final"], by_set["final"]);
}

/// Two routes to the accelerations, to rounding.
TEST(Run, MovingFramesComeByASetting) {
  const auto final_energy = [](const std::string& dynamics) {
    const Outcome outcome =
        run_program({"run", "spherical_chain", "--formulation", "joint", "--integrator", "rkmk4",
                     "--duration", "0.5", "--set", "simulation.dynamics=" + dynamics, "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json()["energy"]["final"].get<double>();
  };
  const double recursive = final_energy("recursive");
  EXPECT_NEAR(final_energy("moving-frame") / recursive, 1, 1e-12);  // measured 1e-14
  const Outcome refused = run_program({"run", "four_bar", "--set", "simulation.dynamics=moving-frame"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(says(refused.err, "simulation.dynamics: expected 'recursive', or the formulation 'joint'"));
}

TEST(Run, SetChangesTheModel) {
  const Json before = run_program({"eval", "tendon_arm", "--quantity", "mass_matrix"}).json();
  const Json after =
      run_program({"eval", "tendon_arm", "--quantity", "mass_matrix", "--set", "bodies.link3.mass=3"}).json();
  // The last link alone about its joint: J + m c^2.
  EXPECT_NEAR(before["mass_matrix"][2][2].get<double>(), 1 + 1 * 0.25, 1e-14);
  EXPECT_NEAR(after["mass_matrix"][2][2].get<double>(), 1 + 3 * 0.25, 1e-14);
}

TEST(Run, EveryGalleryModelRunsOrIsRefusedByName) {
  int ran = 0;
  for (const std::string& name : gallery_names()) {
    const Outcome checked = run_program({"check", name, "--json"});
    ASSERT_EQ(checked.status, 0) << name << checked.err;
    const Outcome outcome = run_program({"run", name, "--duration", "0.1", "--json"});
    if (outcome.status == 0) {
      ++ran;
      EXPECT_EQ(outcome.json()["status"], "done") << name;
      EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << name;
      for (const char* promise : {"energy", "constraints", "momenta"}) {
        EXPECT_NE(outcome.json()["verdicts"][promise]["state"], "broken") << name << " " << promise;
      }
    } else {
      EXPECT_EQ(outcome.status, 2) << name << outcome.err;
      EXPECT_TRUE(says(outcome.err, name + ".yaml:")) << name;
      EXPECT_EQ(outcome.out, "") << name;
    }
  }
  EXPECT_GE(ran, 10);
}

TEST(Run, AStepThatFailsKeepsWhatWasComputed) {
  // Two steps out of reach of the solver's one iteration.
  const ScratchFolder scratch;
  const std::string result = scratch.path("failed.csv");
  const Outcome outcome = run_program({"run", "tendon_arm", "--formulation", "joint", "--integrator",
                                       "{name: implicit-midpoint, max_iterations: 1}", "--step", "0.5",
                                       "--json", "--out", result});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "step failed at t = "));
  const Json json = outcome.json();
  EXPECT_EQ(json["status"], "failed");
  EXPECT_GE(json["failure"]["residual"].get<double>(), 0);
  EXPECT_TRUE(says(scratch.read("failed.csv"), "time,energy.kinetic"));
}

TEST(Run, InterruptEndsCleanlyWithLedgerAndFile) {
  const ScratchFolder scratch;
  const std::string result = scratch.path("long.csv");
  const Outcome outcome = run_program(Invocation{
      {"run", "tendon_arm", "--duration", "1e7", "--record-every", "1000", "--json", "--out", result},
      "",
      SIGINT,
      std::chrono::milliseconds(700)});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  const Json json = outcome.json();
  EXPECT_EQ(json["status"], "interrupted");
  EXPECT_GT(json["time"].get<double>(), 0);
  EXPECT_TRUE(says(scratch.read("long.csv"), "time,energy.kinetic"));
}

// ---- list and check ----

TEST(List, NamesEverythingThereIs) {
  const std::string models = run_program({"list", "models"}).out;
  for (const std::string& name : gallery_names()) EXPECT_TRUE(says(models, name));
  for (const std::string name : {"rkmk4", "dopri5", "implicit-midpoint"}) {
    EXPECT_TRUE(says(run_program({"list", "integrators"}).out, name));
  }
  EXPECT_TRUE(says(run_program({"list", "formulations"}).out, "joint"));
  EXPECT_TRUE(says(run_program({"list", "quantities"}).out, "mass_matrix"));
  EXPECT_TRUE(says(run_program({"list", "experiments"}).out, "goetz-fig-5.3"));
  const std::string units = run_program({"list", "units"}).out;
  for (const std::string part : {"deg", "an angle [rad]", "0.0174532925", "prefixes: p 1e-12"}) {
    EXPECT_TRUE(says(units, part));
  }
  for (const std::string what :
       {"models", "integrators", "formulations", "quantities", "experiments", "units"}) {
    EXPECT_TRUE(run_program({"list", what, "--json"}).json().contains(what));
  }
}

// ---- study ----

TEST(Study, ConvergenceGivesErrorsAndOrders) {
  const Json json = run_program({"study", "convergence", "three_link_arm", "--duration", "1 s", "--steps",
                                 "40 ms,0.02,0.01", "--integrator", "rkmk4", "--integrator",
                                 "{name: petrov-galerkin, m: 1}", "--json"})
                        .json();
  expect_keys(json, {"model", "duration", "times", "reference", "methods"});
  ASSERT_EQ(json["methods"].size(), 2u);
  EXPECT_EQ(json["methods"][0]["formulation"], "joint");
  EXPECT_EQ(json["methods"][1]["formulation"], "rotationless");
  EXPECT_EQ(json["methods"][1]["options"]["m"], 1.0);
  for (const Json& method : json["methods"]) {
    EXPECT_EQ(method["points"].size(), 3u);
    expect_keys(method["points"][0], {"step", "state", "velocity", "energy", "position", "rate", "momentum"});
    EXPECT_NEAR(method["orders"]["state"]["order"].get<double>(), 4, 0.05);  // measured 4.01, 3.99
  }
  EXPECT_TRUE(json["methods"][0]["points"][0]["position"].is_null());
}

/// A result file instead of the reference that is computed.
TEST(Study, ConvergenceTakesAResultFileAsReference) {
  const ScratchFolder scratch;
  const std::string file = scratch.path("reference.h5");
  ASSERT_EQ(run_program({"run", "spherical_chain", "--formulation", "joint", "--integrator", "dopri5",
                         "--tolerance", "1e-13", "--step", "0.02", "--duration", "0.2", "--out", file})
                .status,
            0);
  const std::vector<std::string> study{
      "study",   "convergence",       "spherical_chain", "--duration",      "0.2",
      "--steps", "0.01,0.005,0.0025", "--integrator",    "energy-momentum", "--json"};
  std::vector<std::string> against_file = study;
  against_file.insert(against_file.end(), {"--reference", file});
  const Json computed = run_program(study).json()["methods"][0];
  const Json read = run_program(against_file).json()["methods"][0];
  for (int i = 0; i < 3; ++i) {
    const double a = computed["points"][i]["state"], b = read["points"][i]["state"];
    EXPECT_NEAR(a, b, 1e-6 * a);
  }
  for (const char* model : {"pendulum", "spherical_chain"}) {  // other bodies, other times
    const Outcome outcome = run_program(
        {"study", "convergence", model, "--duration", "0.07", "--steps", "0.007", "--reference", file});
    EXPECT_EQ(outcome.status, 2) << model;
  }
}

TEST(Study, CompareChoosesAmongAllThatApply) {
  const Outcome outcome = run_program({"study", "compare", "slider_crank", "--duration", "0.2", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json json = outcome.json();
  expect_keys(json, {"model", "step", "duration", "accuracy", "horizon", "reference", "methods", "remarks",
                     "recommendations"});
  int applying = 0;
  for (const Json& method : json["methods"]) {
    if (method["formulation"] == "joint") {
      EXPECT_FALSE(method["applies"].get<bool>());
      EXPECT_TRUE(says(method["reason"], "loop"));
      continue;
    }
    if (!method["applies"].get<bool>()) continue;
    ++applying;
    expect_keys(method, {"state", "order", "energy", "constraints", "momentum", "cost", "for_accuracy"});
  }
  EXPECT_GE(applying, 5);
  EXPECT_EQ(json["recommendations"][0]["formulation"], "rotationless");
  const std::string text = run_program({"study", "compare", "slider_crank", "--duration", "0.1"}).out;
  EXPECT_TRUE(says(text, "For this model"));
  EXPECT_TRUE(says(text, "  joint, all 9 methods: joints."));
  EXPECT_TRUE(says(text, "  cartesian, all 5 methods: "));
}

TEST(Check, CountsAndMobility) {
  const Json arm = run_program({"check", "tendon_arm", "--json"}).json();
  EXPECT_EQ(arm["dof"], 3);
  EXPECT_EQ(arm["bodies"], 3);
  EXPECT_EQ(arm["mass"], 3.0);
  EXPECT_EQ(arm["conserves"]["linear"].size(), 0u);
  EXPECT_TRUE(says(run_program({"check", "tendon_arm"}).out, "`-- link1 [revolute] shoulder"));
  const Json free_body = run_program({"check", "free_body", "--json", "--set", "gravity=[0,0,0]"}).json();
  EXPECT_EQ(free_body["dof"], 6);
  EXPECT_EQ(free_body["conserves"]["linear"].size(), 3u);
  EXPECT_EQ(free_body["conserves"]["angular"].size(), 3u);
}

TEST(Check, FourBarHasOneDofAndInSpaceThreeRedundantConstraints) {
  const auto four_bar = [](const std::string& dimension, const std::string& inertia, const std::string& z) {
    return "torsor: 1\ndimension: " + dimension + "\nbodies:\n  a: {mass: 1, inertia: " + inertia +
           "}\n  b: {mass: 1, inertia: " + inertia + "}\n  c: {mass: 1, inertia: " + inertia +
           "}\njoints:\n  j1: {type: revolute, parent: world, child: a}\n"
           "  j2: {type: revolute, parent: a, child: b, in_parent: {position: [0, 1" +
           z +
           "]}}\n"
           "  j3: {type: revolute, parent: b, child: c, in_parent: {position: [2, 0" +
           z +
           "]}}\n"
           "  j4: {type: revolute, parent: world, child: c, in_parent: {position: [2, 0" +
           z +
           "]}, "
           "in_child: {position: [0, -1" +
           z + "]}}\n";
  };
  const ScratchFolder scratch;
  const Json flat =
      run_program({"check", scratch.file("flat.yaml", four_bar("2", "1", "")), "--json"}).json();
  EXPECT_EQ(flat["dof"], 1);
  EXPECT_EQ(flat["redundant_constraints"], 0);
  EXPECT_EQ(flat["loops"], Json({"j4"}));
  const Json in_space =
      run_program({"check", scratch.file("space.yaml", four_bar("3", "[1, 1, 1]", ", 0")), "--json"}).json();
  EXPECT_EQ(in_space["dof"], 1);
  EXPECT_EQ(in_space["redundant_constraints"], 3);
}

/// The state of an unstable method may still be finite when its energy is not.
TEST(Run, EnergyBeyondAllBoundsIsAFailedStepWithALedger) {
  const ScratchFolder scratch;
  const Outcome outcome = run_program({"run", "coil64", "--formulation", "joint", "--integrator", "rkmk4",
                                       "--json", "--out", scratch.path("coil.csv")});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("beyond all bounds"), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.json()["energy"]["max_residual"].is_number());
  EXPECT_EQ(scratch.read("coil.csv").find("nan"), std::string::npos);
}

TEST(Usage, PagesDoNotTakeThePlaceOfOtherFiles) {
  const ScratchFolder scratch;
  const std::string model = scratch.path("mine.yaml");
  ASSERT_EQ(run_program({"new", "arm", "--out", model}).status, 0);
  const std::string text = scratch.read("mine.yaml");
  EXPECT_EQ(run_program({"study", "compare", model, "--duration", "0.1", "--out", model}).status, 2);
  EXPECT_EQ(run_program({"run", model, "--duration", "0.1", "--report", model}).status, 2);
  EXPECT_EQ(scratch.read("mine.yaml"), text);
}

TEST(Usage, OptionsOfTheOtherStudyAreRefused) {
  EXPECT_EQ(run_program({"study", "compare", "pendulum", "--steps", "0.1"}).status, 2);
  EXPECT_EQ(run_program({"study", "convergence", "pendulum", "--steps", "0.1", "--accuracy", "1e-3"}).status,
            2);
}

constexpr const char* kPendulum =
    "<robot name='pendulum'>\n<link name='base'/>\n<link name='rod'><inertial><origin xyz='0 0 -1'/><mass "
    "value='2'/>"
    "<inertia ixx='0.1' iyy='0.1' izz='0.01' ixy='0' ixz='0' iyz='0'/></inertial>\n"
    "<collision><geometry><sphere radius='1'/></geometry></collision></link>\n"
    "<joint name='pivot' type='continuous'><parent link='base'/><child link='rod'/><axis xyz='1 0 "
    "0'/></joint>\n</robot>\n";

TEST(Import, ARobotRunsIsCheckedAndConverted) {
  const ScratchFolder folder;
  const std::string robot = folder.file("pendulum.urdf", kPendulum), model = folder.path("pendulum.yaml");
  EXPECT_EQ(run_program({"run", robot, "--duration", "0.1"}).status, 0);
  const Outcome check = run_program({"check", robot});
  EXPECT_EQ(check.status, 0);
  EXPECT_NE(check.out.find("collision geometry"), std::string::npos);
  EXPECT_NE(check.out.find("line 4"), std::string::npos) << check.out;
  EXPECT_EQ(run_program({"check", robot, "--json"}).json()["import"]["format"], "URDF");
  EXPECT_EQ(run_program({"check", robot, "--strict"}).status, 2);
  EXPECT_EQ(run_program({"check", robot, "--allow", "everything"}).status, 2);

  ASSERT_EQ(run_program({"convert", robot, model, "--set", "bodies.rod.mass=3"}).status, 0);
  const Outcome heavy = run_program({"check", model, "--json"});
  EXPECT_EQ(heavy.json()["mass"], 3);
  const std::string again = folder.path("again.urdf");
  ASSERT_EQ(run_program({"convert", model, again}).status, 0);
  const auto inertia = [](const std::string& file) {
    return run_program({"eval", file, "--quantity", "mass_matrix"}).json()["mass_matrix"][0][0].get<double>();
  };
  EXPECT_NEAR(inertia(model), 3.1, 1e-13);  // m l^2 + I, measured 6e-15
  EXPECT_NEAR(inertia(again), 3.1, 1e-13);
  EXPECT_EQ(run_program({"convert", robot, folder.path("robot.txt")}).status, 2);
  EXPECT_EQ(run_program({"convert", "four_bar", folder.path("four_bar.urdf")}).status, 2);
}

TEST(Import, TheEnergyOfARobotIsBalanced) {
  const Outcome run =
      run_program({"run", TORSOR_MODELS "/robots/six_axis.urdf", "--limits", "--formulation", "rotationless",
                   "--integrator", "energy-momentum", "--step", "0.002", "--duration", "1", "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto energy = run.json()["energy"];
  EXPECT_LT(energy["max_residual"].get<double>(), 1e-12 * energy["scale"].get<double>());  // measured 2e-15
}

TEST(Import, BodiesWithoutMassMoveInEveryFormulation) {
  const ScratchFolder folder;
  const std::string inertia = "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>";
  const std::string robot = folder.file("gimbal.urdf",
                                        "<robot name='gimbal'><link name='base'/><link name='ring'/><link "
                                        "name='rotor'><inertial><mass value='1'/>" +
                                            inertia +
                                            "</inertial></link><joint name='a' type='continuous'><parent "
                                            "link='base'/><child link='ring'/><axis xyz='1 0 0'/></joint>"
                                            "<joint name='b' type='continuous'><parent link='ring'/><child "
                                            "link='rotor'/><axis xyz='0 1 0'/></joint></robot>");
  for (const char* formulation : {"joint", "rotationless"}) {
    const Outcome run =
        run_program({"run", robot, "--duration", "0.1", "--formulation", formulation, "--integrator",
                     formulation == std::string("joint") ? "rkmk4" : "energy-momentum", "--set",
                     "initial.rates.a=1", "--set", "initial.rates.b=2", "--json"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto energy = run.json()["energy"];
    EXPECT_GT(energy["scale"].get<double>(), 1);
    EXPECT_LE(energy["max_residual"].get<double>(), 1e-9 * energy["scale"].get<double>());
  }
}

TEST(New, AFloatingRodIsAModel) {
  const ScratchFolder scratch;
  const std::string model = scratch.path("rod.yaml");
  ASSERT_EQ(run_program({"new", "chain", "--links", "1", "--float", "--out", model}).status, 0);
  EXPECT_EQ(run_program({"run", model, "--duration", "0.1"}).status, 0);
}

}  // namespace
}  // namespace torsor
