#include "torsor/format/sweep_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "torsor/base/error.h"
#include "torsor/format/yaml_tree.h"

namespace torsor {
namespace {

constexpr const char* kModel = R"(torsor: 1
name: swing
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 1, inertia: 0.1}
joints:
  pivot: {type: revolute, parent: world, child: rod, in_child: {position: [0, 0.5]}}
joint_springs:
  coil: {joint: pivot, stiffness: 2, damping: 0.1}
initial:
  joints: {pivot: 0.2}
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 1}
)";

SweepSource read(const std::string& text) {
  return sweep_of_text(text, "s.yaml", ModelSource{"swing.yaml", kModel, {}});
}

const std::string kHead = "torsor_sweep: 1\n";
const std::string kMeasure = "measure: {e: {final: energy.total}}\n";

TEST(SweepReader, ReadsAllThatASweepFileSays) {
  const SweepSource sweep = read(kHead + R"(vary:
  bodies.rod.mass: {range: [1, 3], count: 5}
  initial.joints.pivot: {uniform: [-10 deg, 10 deg]}
  joint_springs.coil.stiffness: {log: [1, 100]}
  joint_springs.coil.damping: {normal: [0.5, 0.1]}
  simulation.integrator: {list: [energy-momentum, {name: petrov-galerkin, m: 1}]}
samples: {method: latin-hypercube, count: 30, seed: 5}
measure:
  swing: {frequency: joints.pivot.position}
keep: {records: 3}
simulation: {duration: 2 s}
set: {gravity.1: -1}
)");
  const SweepDescription& d = sweep.description;
  ASSERT_EQ(d.variables.size(), 5u);
  EXPECT_EQ(d.variables[0].count, 5);
  EXPECT_DOUBLE_EQ(d.variables[1].second, 10 * M_PI / 180);
  EXPECT_EQ(d.variables[4].items.size(), 2u);
  const char* const units[] = {"kg", "rad", "N m/rad", "N m s/rad", ""};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(d.variables[i].unit, units[i]);
  EXPECT_EQ(d.sampling.method, SweepMethod::latin_hypercube);
  EXPECT_EQ(d.measures[0].kind, SweepMeasure::Kind::frequency);
  EXPECT_EQ(d.kept_records, 3);
  ModelVariants variants = sweep.variants();
  const Model model = variants.model(std::vector<double>{2.5, 0.1, 7, 0.25, 1});
  EXPECT_EQ(model.bodies()[0].mass, 2.5);
  EXPECT_EQ(model.gravity().y, -1);
  EXPECT_EQ(*model.simulation().duration, 2);
  EXPECT_EQ(model.simulation().integrator, "petrov-galerkin");
  EXPECT_EQ(model.joint_springs()[0].stiffness[0], 7);
}

/// A model with other values is the model that `--set` gives, whichever section they are in.
TEST(ModelVariants, AreTheModelsOfOverrides) {
  const std::vector<std::pair<std::string, double>> places = {{"gravity.1", -3},
                                                              {"bodies.rod.mass", 2},
                                                              {"joints.pivot.in_child.position.1", 0.7},
                                                              {"initial.joints.pivot", 1},
                                                              {"joint_springs.coil.damping", 0.3},
                                                              {"simulation.step", 0.02}};
  for (const auto& [path, value] : places) {
    ModelSource source{"swing.yaml", kModel, {}};
    ModelVariants variants(source, {{path, {}}});
    for (const double factor : {1.0, 0.5, 1.0}) {  // nothing of the last one stays
      const double v = factor * value;
      source.overrides = {{path, fmt::format("{}", v)}};
      const Model wanted = parse_model(source), found = variants.model({&v, 1});
      EXPECT_EQ(found.text(), wanted.text());
      EXPECT_EQ(found.bodies()[0].mass, wanted.bodies()[0].mass);
      EXPECT_EQ(found.gravity().y, wanted.gravity().y);
      EXPECT_EQ(found.joints()[0].in_child.position.y, wanted.joints()[0].in_child.position.y);
      EXPECT_EQ(found.joint_springs()[0].damping, wanted.joint_springs()[0].damping);
      EXPECT_EQ(*found.simulation().step, *wanted.simulation().step);
      EXPECT_EQ(found.initial().joints.size(), wanted.initial().joints.size());
    }
  }
}

constexpr const char* kTendons = R"(torsor: 1
name: strings
dimension: 2
gravity: [0, -9.81]
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 1}
bodies:
  upper: {mass: 1, inertia: 0.1}
  lower: {mass: 2, inertia: 0.1}
joints:
  hip: {type: revolute, parent: world, child: upper}
  knee: {type: revolute, parent: upper, child: lower, in_parent: {position: [0, -1]}, range: {lower: -1, upper: 1}}
points:
  a: {body: world, at: [1, 0]}
  b: {body: upper, at: [0.2, -1]}
  c: {body: lower, at: [0.2, -1]}
tendons:
  first: {path: [a, b], stiffness: 1, rest_length: 0.1}
  second: {path: [a, b, c], stiffness: 2, rest_length: 0.2, range: {lower: 0.1, upper: 9, stiffness: 5}}
  third: {path: [b, c], stiffness: 3, rest_length: 0.3}
)";

/// All numbers of these models that the tests below vary, or that what follows in the file has.
std::string shown(const Model& model) {
  std::string text = model.text();
  for (const Body& body : model.bodies()) text += fmt::format("{} {}\n", body.name, body.mass);
  for (const Joint& joint : model.joints())
    text += fmt::format("{} {} {}\n", joint.name, name_of(joint.type), joint.in_parent.position.y);
  for (const Tendon& tendon : model.tendons()) {
    text += fmt::format("{} {} {} {}", tendon.name, tendon.stiffness, tendon.tension_only,
                        tendon.rest_length.value(0));
    for (const Point& point : tendon.path) text += fmt::format(" {} {}", point.name, point.p_B.x);
    text += "\n";
  }
  for (const JointStop& stop : model.elements().stops)
    text += fmt::format("{} {}\n", stop.name, stop.ranges[0].upper);
  for (const auto& [path, value] : model.overrides()) text += path + "=" + value + "\n";
  return text;
}

/// What is read once for all models is what stands before the first value; entries of a section count one by one.
TEST(ModelVariants, ReadEntriesThatChangeAndWhatRefersToThem) {
  struct Case {
    std::vector<VariedValue> values;
    std::vector<std::vector<double>> runs;
  };
  const Case cases[] = {
      {{{"tendons.third.stiffness", {}}}, {{4}, {0}, {4}}},
      {{{"tendons.first.stiffness", {}}, {"tendons.third.rest_length", {}}}, {{4, 0.5}, {1, 0.1}}},
      {{{"tendons.second.range.upper", {}}, {"initial.joints.knee", {}}}, {{7, 0.1}, {8, -0.1}}},
      {{{"points.b.at.0", {}}}, {{0.3}, {0.2}}},  // of which tendons have copies
      {{{"bodies.lower.mass", {}}, {"joints.knee.in_parent.position.1", {}}}, {{3, -2}, {1, -1}}},
      {{{"joints.hip.type", {"revolute", "fixed"}}, {"joints.knee.range", {"{upper: 1}", "{upper: 2}"}}},
       {{0, 1}, {1, 0}, {0, 0}}},
      {{{"tendons.second.tension_only", {"true", "false"}}}, {{0}, {1}, {0}}},
      {{{"tendons.second", {"{path: [a, c], stiffness: 7, rest_length: 1}", "{path: [a, b]}"}},
        {"tendons.second.stiffness", {}},
        {"tendons.second.rest_length", {}}},
       {{0, 8, 2}, {1, 9, 3}, {0, 8, 2}}},
  };
  for (const auto& [values, runs] : cases) {
    ModelSource source{"strings.yaml", kTendons, {}};
    ModelVariants variants(source, values);
    for (const std::vector<double>& run : runs) {
      source.overrides.clear();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& [path, items] = values[i];
        source.overrides.emplace_back(
            path, items.empty() ? fmt::format("{}", run[i]) : items[static_cast<std::size_t>(run[i])]);
      }
      EXPECT_EQ(shown(variants.model(run)), shown(parse_model(source)));
    }
  }
}

TEST(ModelVariants, ARefusedOneSaysWhereAndTheNextIsAsGood) {
  const ModelSource source{"strings.yaml", kTendons, {}};
  ModelVariants variants(source, {{"tendons.second.stiffness", {}}, {"bodies.lower.mass", {}}});
  const std::vector<double> good = {2, 2}, bad = {2, -1}, worse = {-1, 2};
  const std::string wanted = shown(variants.model(good));
  for (const auto& [values, key] :
       {std::pair(bad, "bodies.lower.mass"), std::pair(worse, "tendons.second.stiffness")}) {
    try {
      variants.model(values);
      ADD_FAILURE() << key;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.key, key);
    }
    EXPECT_EQ(shown(variants.model(good)), wanted);
  }
}

TEST(SweepReader, AValueMayBeFollowedByAPartOfItButNotTheReverse) {
  const std::string whole = "  gravity: {list: [[0, -1], [0, -2]]}\n";
  for (const std::string part : {"gravity.1", "gravity.01", "gravity[1]"}) {
    const std::string inner = "  " + part + ": {range: [-10, -9], count: 2}\n";
    EXPECT_EQ(read(kHead + "vary:\n" + whole + inner + kMeasure).description.variables.size(), 2u);
    EXPECT_THROW(read(kHead + "vary:\n" + inner + whole + kMeasure), ModelError) << part;
  }
  EXPECT_NO_THROW(read(kHead +
                       "vary:\n  gravity.1: {range: [-10, -9], count: 2}\n"
                       "  gravity.0: {range: [0, 1], count: 2}\n" +
                       kMeasure));
}

/// 250,000 of them fit into a file, and each was compared with all before it: minutes.
TEST(SweepReader, ValuesThatVaryAreLimited) {
  std::string vary = "vary:\n";
  for (int i = 0; i < 1001; ++i) vary += fmt::format("  bodies.b{}.mass: {{uniform: [1, 2]}}\n", i);
  try {
    read(kHead + vary + kMeasure);
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, "vary");
    EXPECT_EQ(error.expected, "at most 1000 values that vary");
    EXPECT_EQ(error.found, "1001");
    EXPECT_EQ(error.file, "s.yaml");
    EXPECT_EQ(error.line, 2);
  }
}

TEST(SweepReader, AFileThatIsTooLargeIsCalledASweepFile) {
  namespace fs = std::filesystem;
  const fs::path path = fs::temp_directory_path() / fmt::format("torsor_large_sweep_{}.yaml", getpid());
  std::ofstream(path) << kHead;
  fs::resize_file(path, kLargestFile + 1);
  try {
    read_sweep(path.string());
    ADD_FAILURE();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.expected, "a sweep file of at most 16 MiB");
    EXPECT_EQ(error.file, path.string());
  }
  fs::remove(path);
}

struct Bad {
  const char *text, *key;
  int line;
};

class BadSweep : public ::testing::TestWithParam<Bad> {};

TEST_P(BadSweep, IsRefusedWithKeyAndLine) {
  const Bad& bad = GetParam();
  try {
    read(bad.text);
    FAIL() << "accepted: " << bad.text;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.key, bad.key) << error.what();
    EXPECT_EQ(error.file, "s.yaml") << error.what();
    EXPECT_EQ(error.line, bad.line) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadSweep,
    ::testing::Values(
        Bad{"[1]", "(document)", 1}, Bad{"vary: {}\n", "torsor_sweep", 1},
        Bad{"torsor_sweep: 2\n", "torsor_sweep", 1}, Bad{"torsor: 1\nbodies: {}\n", "torsor", 1},
        Bad{"torsor_sweep: 1\nmeasure: {e: {final: time}}\n", "vary", 1},
        Bad{"torsor_sweep: 1\nvary: {gravity.1: {range: [1, 2], count: 3}}\n", "measure", 1},
        Bad{"torsor_sweep: 1\nvarry: {}\n", "varry", 2},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {rnge: [1, 2]}\nmeasure: {e: {final: time}}\n",
            "vary.gravity.1.rnge", 3},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {range: [2, 1], count: 2}\nmeasure: {e: {final: time}}\n",
            "vary.gravity.1.range[1]", 3},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {range: [1, 2], log: [1, 2]}\nmeasure: {e: {final: "
            "time}}\n",
            "vary.gravity.1", 3},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {log: [-1, 2], count: 4}\nmeasure: {e: {final: time}}\n",
            "vary.gravity.1.log[0]", 3},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {normal: [1, 0]}\nmeasure: {e: {final: time}}\n",
            "vary.gravity.1.normal[1]", 3},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {uniform: [1, 2]}\nmeasure: {e: {final: time}}\n",
            "vary.gravity.1", 3},
        Bad{"torsor_sweep: 1\nvary:\n  gravity.1: {list: []}\nmeasure: {e: {final: time}}\n",
            "vary.gravity.1.list", 3},
        Bad{"torsor_sweep: 1\nvary:\n  bodies.rood.mass: {range: [1, 2], count: 2}\nmeasure: {e: {final: "
            "time}}\n",
            "vary.bodies.rood.mass.range[0]", 3},
        Bad{"torsor_sweep: 1\nvary:\n  bodies.rod.mass: {range: [1 m, 2 m], count: 2}\nmeasure: {e: {final: "
            "time}}\n",
            "vary.bodies.rod.mass.range[0]", 3},
        Bad{"torsor_sweep: 1\nvary: {gravity.1: {range: [1, 2]}}\nsamples: {method: sobol}\nmeasure: {e: "
            "{final: time}}\n",
            "samples.count", 3},
        Bad{"torsor_sweep: 1\nvary: {gravity.1: {range: [1, 2]}}\nsamples: {method: sobl}\nmeasure: {e: "
            "{final: time}}\n",
            "samples.method", 3},
        Bad{"torsor_sweep: 1\nvary: {gravity.1: {range: [1, 2], count: 2}}\nmeasure: {e: {fnal: time}}\n",
            "measure.e.fnal", 3},
        Bad{"torsor_sweep: 1\nvary: {gravity.1: {range: [1, 2], count: 2}}\nmeasure: {e: {}}\n", "measure.e",
            3},
        Bad{"torsor_sweep: 1\nvary: {gravity.1: {range: [1, 2], count: 2}}\nmeasure: {e: {final: "
            "time}}\nkeep: {records: -1}\n",
            "keep.records", 4}));

}  // namespace
}  // namespace torsor
