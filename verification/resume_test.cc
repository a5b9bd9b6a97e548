// A run that went on from a checkpoint is the run that never stopped, to the last bit: records, ledger and all that the
// next steps depend on.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "torsor/format/model_reader.h"
#include "torsor/result/json_ledger.h"
#include "torsor/simulation/applicable.h"
#include "torsor/simulation/channels.h"
#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {
namespace {

constexpr long kSteps = 60;
constexpr long kCuts[] = {1, 23, 46};

/// Keeps the rows of all records, and the checkpoints that were handed out, also between.
class Kept : public RunListener {
 public:
  void on_start(const Manifest& manifest, const RunSettings& settings) override {
    manifest_ = manifest;
    row_ = RecordRow(manifest, settings.record);
  }
  void on_record(const Observation& observation, double residual) override {
    for (double number : row_.fill(observation, residual, manifest_)) rows.push_back(bits(number));
    last = observation;
  }
  bool keeps_checkpoints() const override { return true; }
  bool checkpoint_is_due(long steps) override { return std::ranges::find(kCuts, steps) != std::end(kCuts); }
  void on_checkpoint(const RunCheckpoint& checkpoint) override {
    checkpoints.push_back(checkpoint);
    rows_then.push_back(rows.size());
  }
  static std::uint64_t bits(double number) { return std::bit_cast<std::uint64_t>(number); }

  std::vector<std::uint64_t> rows;
  std::vector<std::size_t> rows_then;
  std::vector<RunCheckpoint> checkpoints;
  Observation last;

 private:
  Manifest manifest_;
  RecordRow row_;
};

/// Without the time that it took.
std::string ledger_text(Record& record, const Observation& last) {
  record.ledger.wall_seconds = record.ledger.realtime_factor = 0;
  return ledger_json(record.ledger, record.manifest, last);
}

std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> all;
  for (double number : numbers) all.push_back(Kept::bits(number));
  return all;
}

std::vector<std::string> gallery() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TORSOR_MODELS))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class Resume : public testing::TestWithParam<std::string> {};

TEST_P(Resume, GoesOnBitForBitByEveryMethod) {
  const Model model = load_model(GetParam());
  for (const Applicable& method : applicable_methods(model)) {
    if (!method.reason.empty()) continue;
    SCOPED_TRACE(method.formulation + " " + method.integrator);
    const auto fresh = [&] {
      return make_stepper(model, {.formulation = method.formulation, .integrator = method.integrator});
    };
    RunSettings settings{.step = *model.simulation().step, .duration = kSteps * *model.simulation().step};
    settings.record_every = 3;
    settings.extremes_of = {"energy"};
    settings.extrema = true;
    const auto whole = fresh();
    Kept never;
    Record straight = simulate(*whole, settings, {&never}, false);
    const std::string booked = ledger_text(straight, never.last);
    StateTape end;
    whole->pass(end);
    for (std::size_t i = 0; i < never.checkpoints.size(); ++i) {
      SCOPED_TRACE("from step " + std::to_string(never.checkpoints[i].steps));
      const auto other = fresh();
      Kept after;
      Record record = resume(*other, settings, never.checkpoints[i], {&after}, false);
      EXPECT_EQ(ledger_text(record, after.last), booked);
      EXPECT_TRUE(std::equal(after.rows.begin(), after.rows.end(),
                             never.rows.begin() + static_cast<std::ptrdiff_t>(never.rows_then[i]),
                             never.rows.end()));
      StateTape there;
      other->pass(there);
      const std::vector<std::uint64_t> here = bits(there.numbers()), straight_on = bits(end.numbers());
      ASSERT_EQ(here.size(), straight_on.size());
      for (std::size_t n = 0; n < here.size(); ++n) {
        ASSERT_EQ(here[n], straight_on[n])
            << n << " of " << here.size() << ": " << there.numbers()[n] << " " << end.numbers()[n];
      }
    }
    // To a later end: the last step of the shorter run is made again, as one among others.
    RunSettings shorter = settings;
    shorter.duration = 31.4 * settings.step;
    Kept first, second;
    simulate(*fresh(), shorter, {&first}, false);
    Record record = resume(*fresh(), settings, first.checkpoints.back(), {&second}, false);
    EXPECT_EQ(ledger_text(record, second.last), booked);
    first.rows.resize(first.rows_then.back());
    first.rows.insert(first.rows.end(), second.rows.begin(), second.rows.end());
    EXPECT_EQ(first.rows == never.rows, true);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  return std::filesystem::path(info.param).stem();
}
INSTANTIATE_TEST_SUITE_P(Gallery, Resume, testing::ValuesIn(gallery()), test_name);

}  // namespace
}  // namespace torsor
