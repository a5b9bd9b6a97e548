// What a run has recorded is a start from which the same mechanism may move on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "testing/runs.h"
#include "torsor/assembly/assembly.h"
#include "torsor/format/model_reader.h"

namespace torsor {
namespace {

std::string list_text(const std::vector<double>& values) {
  return fmt::format("[{:.17g}]", fmt::join(values, ", "));
}

/// The file with a record written into `initial`, as a person would with `--set`.
ModelSource started_at(ModelSource source, const Manifest& manifest, const Observation& record) {
  std::string joints, rates;
  for (std::size_t j = 0; j < record.joints.size(); ++j) {
    if (record.joints[j].rate.empty()) continue;
    joints += fmt::format("{}: {}, ", manifest.joints[j], list_text(record.joints[j].position));
    rates += fmt::format("{}: {}, ", manifest.joints[j], list_text(record.joints[j].rate));
  }
  source.overrides.emplace_back("initial", fmt::format("{{joints: {{{}}}, rates: {{{}}}}}", joints, rates));
  return source;
}

void expect_records_are_starts(const ModelSource& source) {
  const Model model = parse_model(source);
  const Record record = testing::run(model, {}, *model.simulation().step, 20 * *model.simulation().step, 10);
  ASSERT_FALSE(record.failure) << source.file;
  double size = 1;
  for (const Observation& observation : record.observations) {
    for (const BodyObservation& body : observation.bodies) size = std::max(size, norm(body.com));
    for (const BodyObservation& body : observation.bodies) size = std::max(size, norm(body.velocity));
    const ModelSource again = started_at(source, record.manifest, observation);
    Record first;
    ASSERT_NO_THROW(first = testing::run(parse_model(again), {}, 1e-9, 1e-9))
        << source.file << " " << observation.time;
    EXPECT_LT(testing::distance(first.observations[0], observation), 1e-12 * size)  // measured 5e-14
        << source.file << " " << observation.time;
    if (!model.servos().empty()) return;  // which ask for other outputs at other times
  }
}

TEST(RecordAsStart, EveryModelOfTheGallery) {
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_MODELS)) {
    if (entry.path().extension() == ".yaml") expect_records_are_starts(read_source(entry.path()));
  }
}

/// A loop of three bars cannot move; what is left of its rates is rounding.
TEST(RecordAsStart, ALockedLoopAtRest) {
  expect_records_are_starts({"triangle.yaml",
                             R"(torsor: 1
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  b: {mass: 1, com: [0.45, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  left: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  right: {type: revolute, parent: world, child: b, axis: [0, 0, 1], in_parent: {position: [1.1, 0, 0]}}
  top: {type: revolute, parent: a, child: b, axis: [0, 0, 1], in_parent: {position: [1, 0, 0]}, in_child: {position: [0.9, 0, 0]}}
initial: {joints: {left: 50 deg, right: 120 deg}, assemble: true}
simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 1}
)",
                             {}});
}

/// Rates are no rounding where they are larger than any, however slow the mechanism is said to move.
TEST(RecordAsStart, RatesThatContradictALoopAreRefused) {
  ModelSource source = read_source(TORSOR_MODELS "/four_bar.yaml");
  const Model model = parse_model(source);
  const Assembly start = assemble(model);
  std::string joints, rates;
  for (std::size_t j = 0; j < model.joints().size(); ++j) {  // all revolute
    joints += fmt::format("{}: {:.17g}, ", model.joints()[j].name, start.q[j]);
    rates += fmt::format("{}: 1e-6, ", model.joints()[j].name);
  }
  source.overrides.emplace_back("initial", fmt::format("{{joints: {{{}}}, rates: {{{}}}}}", joints, rates));
  EXPECT_THROW(assemble(parse_model(source)), ModelError);
}

}  // namespace
}  // namespace torsor
