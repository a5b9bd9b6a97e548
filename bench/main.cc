// Times inverse dynamics, forward dynamics, mass matrix and derivatives of this engine, one state at a time
// and in packs, and of Pinocchio on the same mechanisms and states, after checking that all agree.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "bench/agreement.h"
#include "bench/contender.h"
#include "bench/forms.h"
#include "bench/models.h"
#include "bench/states.h"
#include "bench/table.h"
#include "bench/time_derivatives.h"
#include "bench/timing.h"
#include "torsor/base/norm.h"

namespace {

using namespace torsor;
using namespace torsor::bench;

constexpr int kStates = 16;
constexpr double kAgreement = 1e-9;
constexpr const char* kUsage =
    "usage: torsor_bench [--only FAMILY[JOINTS]]... [--rounds N] [--csv LABEL]\n"
    "       torsor_bench --forms ROUNDS   (four forms of inverse dynamics, and its time derivatives)\n"
    "       torsor_bench --spin ALGORITHM ENGINE VARIANT FAMILY JOINTS CALLS   (for a profiler)\n"
    "families: revolute, skew, spherical, humanoid; algorithms: RNEA, ABA, CRBA, dRNEA, dABA;\n"
    "engines and variants: torsor one|pack4|pack8, pinocchio local|world\n";

struct Options {
  std::vector<std::string> only;
  TimingOptions timing;
  std::optional<std::string> csv;
};

bool selected(const Options& options, const Mechanism& mechanism) {
  if (options.only.empty()) return true;
  for (const std::string& name : options.only)
    if (name == mechanism.family || name == mechanism.family + std::to_string(mechanism.joints)) return true;
  return false;
}

std::vector<Contender> all_contenders(const ModelDescription& description, const Model& model,
                                      const States& states) {
  std::vector<Contender> all = torsor_contenders(model, states);
  for (Contender& contender : pinocchio_contenders(description, states)) all.push_back(std::move(contender));
  return all;
}

bool timed(std::span<const Contender> contenders, Algorithm algorithm) {
  return std::any_of(contenders.begin(), contenders.end(),
                     [=](const Contender& contender) { return contender.algorithm == algorithm; });
}

Row measure(const Mechanism& mechanism, Algorithm algorithm, std::span<const Contender> all,
            const States& states, const TimingOptions& timing) {
  std::vector<Contender> contenders;
  for (const Contender& contender : all)
    if (contender.algorithm == algorithm) contenders.push_back(contender);
  Row row{mechanism.family, mechanism.joints, algorithm, errors(all, algorithm, states), 0, {}, {}, {}, {}};
  const std::vector<double> times = nanoseconds_per_state(contenders, timing);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Contender& contender = contenders[i];
    if (contender.engine == "torsor") {
      if (contender.width == 1) row.one = times[i];
      if (contender.width == 4) row.pack4 = times[i];
      if (contender.width == 8) row.pack8 = times[i];
    } else if (!row.pinocchio || times[i] < *row.pinocchio) {
      row.pinocchio = times[i];
      row.pinocchio_convention = contender.variant;
    }
  }
  return row;
}

/// Our forward dynamics errs by 4e-12, 4e-10, 4e-8 on 64, 256, 1024 revolute joints: about as the condition
/// number of the mass matrix grows, 1.2e3 at 16 joints and 9.7e4 at 64. Beyond 256 joints the bound grows
/// too, by the fourth power. Pinocchio's loses all digits on long spherical chains, and its derivatives with
/// it; that is printed, not a fault here.
bool agrees(const Row& row) {
  if (row.algorithm == Algorithm::forward_dynamics)
    return row.errors.ours <=
           kAgreement * larger(1.0, std::pow(row.joints / 256.0, 4));  // measured 4e-8 at 1024
  if (row.algorithm == Algorithm::forward_dynamics_derivatives)
    return row.errors.ours <= kAgreement;  // measured 2e-12 at 64
  return larger(row.errors.ours, row.errors.pinocchio) <= kAgreement;
}

void print(const std::vector<Row>& rows, const Options& options) {
  if (options.csv) return print_csv(rows, *options.csv);
  const std::string version = pinocchio_version();
  fmt::print(
      "compiler: {}; Pinocchio: {}\n", __VERSION__,
      version.empty() ? "not at hand" : version + (eigen_vectorizes() ? "" : ", Eigen not vectorised"));
  for (Algorithm algorithm : kAlgorithms) print_table(rows, algorithm);
  print_scaling(rows);
}

int compare(const Options& options) {
  std::vector<Row> rows;
  for (const Mechanism& mechanism : mechanisms()) {
    if (!selected(options, mechanism)) continue;
    fmt::print(stderr, "\r{:<40}", fmt::format("{} {}", mechanism.family, mechanism.joints));
    const Model model(mechanism.description);
    const States states = random_states(model, kStates);
    const std::vector<Contender> all = all_contenders(mechanism.description, model, states);
    for (Algorithm algorithm : kAlgorithms)
      if (timed(all, algorithm)) rows.push_back(measure(mechanism, algorithm, all, states, options.timing));
  }
  fmt::print(stderr, "\r{:<40}\r", "");
  print(rows, options);
  const bool agree = std::all_of(rows.begin(), rows.end(), agrees);
  if (!agree) fmt::print(stderr, "torsor_bench: results differ by more than {}\n", kAgreement);
  return agree ? 0 : 4;
}

int spin(std::span<char*> words) {
  const std::string algorithm = words[0], engine = words[1], variant = words[2], family = words[3];
  for (const Mechanism& mechanism : mechanisms()) {
    if (mechanism.family != family || mechanism.joints != std::atoi(words[4])) continue;
    const Model model(mechanism.description);
    for (const Contender& contender :
         all_contenders(mechanism.description, model, random_states(model, kStates))) {
      if (contender.engine != engine || contender.variant != variant ||
          name_of(contender.algorithm) != algorithm)
        continue;
      contender.run(std::atoi(words[5]));
      return 0;
    }
  }
  fmt::print(stderr, "torsor_bench: no such mechanism or contender\n{}", kUsage);
  return 2;
}

int compare_forms(int rounds) {
  TimingOptions timing;
  timing.rounds = rounds;
  const std::vector<FormRow> forms = measure_forms(timing);
  print_forms(forms);
  const std::vector<TimeDerivativesRow> derivatives = measure_time_derivatives(timing);
  print_time_derivatives(derivatives);
  double worst = 0;
  for (const FormRow& row : forms) worst = larger(worst, row.error);
  for (const TimeDerivativesRow& row : derivatives) worst = larger(worst, row.error);
  if (worst <= kAgreement) return 0;
  fmt::print(stderr, "torsor_bench: results differ by more than {}\n", kAgreement);
  return 4;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv + 1, static_cast<std::size_t>(argc - 1));
  if (words.size() == 7 && words[0] == std::string("--spin")) return spin(words.subspan(1));
  if (words.size() == 2 && words[0] == std::string("--forms")) return compare_forms(std::atoi(words[1]));
  Options options;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string flag = words[i];
    if (i + 1 == words.size() || (flag != "--only" && flag != "--rounds" && flag != "--csv")) {
      const bool help = flag == "--help";
      fmt::print(help ? stdout : stderr, "{}", kUsage);
      return help ? 0 : 2;
    }
    if (flag == "--only") options.only.push_back(words[i + 1]);
    if (flag == "--rounds") options.timing.rounds = std::atoi(words[i + 1]);
    if (flag == "--csv") options.csv = words[i + 1];
  }
  return compare(options);
}
