#include "bench/table.h"

#include <fmt/format.h>

namespace torsor::bench {
namespace {

std::string against(const Row& row, std::optional<double> time) {
  return row.pinocchio && time ? fmt::format("{:.3f}", *time / *row.pinocchio) : "-";
}
std::string shown(std::optional<double> time) { return time ? fmt::format("{:.1f}", *time) : "-"; }
std::string csv(std::optional<double> time) { return time ? fmt::format("{:.2f}", *time) : ""; }
/// Derivatives of inverse dynamics have one contender of this engine, which is its own measure.
bool has_error(const Row& row) { return row.algorithm != Algorithm::inverse_dynamics_derivatives; }
const Row* find(const std::vector<Row>& rows, Algorithm algorithm, int joints) {
  for (const Row& row : rows)
    if (row.family == "revolute" && row.algorithm == algorithm && row.joints == joints) return &row;
  return nullptr;
}

}  // namespace

const char* name_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::inverse_dynamics:
      return "RNEA";
    case Algorithm::forward_dynamics:
      return "ABA";
    case Algorithm::mass_matrix:
      return "CRBA";
    case Algorithm::inverse_dynamics_derivatives:
      return "dRNEA";
    case Algorithm::forward_dynamics_derivatives:
      return "dABA";
  }
  return "";
}

void print_table(const std::vector<Row>& rows, Algorithm algorithm) {
  constexpr auto kLine =
      "| {:<13} | {:>9} | {:>7} | {:>13} | {:>6} | {:>9} | {:>6} | {:>9} | {:>6} | {:>6} | {:>9} |\n";
  fmt::print("\n{}: nanoseconds per state\n\n", name_of(algorithm));
  fmt::print(kLine, "mechanism", "one state", "a joint", "Pinocchio", "ratio", "pack of 4", "ratio",
             "pack of 8", "ratio", "error", "its error");
  fmt::print("| --- |{:}\n", fmt::join(std::vector<std::string>(10, " ---: |"), ""));
  for (const Row& row : rows) {
    if (row.algorithm != algorithm) continue;
    fmt::print(kLine, fmt::format("{} {}", row.family, row.joints), fmt::format("{:.0f}", row.one),
               fmt::format("{:.1f}", row.one / row.joints),
               row.pinocchio ? fmt::format("{:.0f} {}", *row.pinocchio, row.pinocchio_convention) : "-",
               against(row, row.one), shown(row.pack4), against(row, row.pack4), shown(row.pack8),
               against(row, row.pack8), has_error(row) ? fmt::format("{:.0e}", row.errors.ours) : "-",
               row.pinocchio ? fmt::format("{:.0e}", row.errors.pinocchio) : "-");
  }
}

void print_scaling(const std::vector<Row>& rows) {
  fmt::print("\n");
  for (Algorithm algorithm : kAlgorithms) {
    const Row* few = find(rows, algorithm, 256);
    const Row* many = find(rows, algorithm, 1024);
    if (!few || !many || !few->pack8 || !many->pack8) continue;
    fmt::print("{}: 1024 against 256 revolute joints: {:.2f} times, in packs of 8 {:.2f} times\n",
               name_of(algorithm), many->one / few->one, *many->pack8 / *few->pack8);
  }
}

void print_csv(const std::vector<Row>& rows, const std::string& label) {
  fmt::print("build,algorithm,family,joints,one,pack4,pack8,pinocchio,convention,error,its_error\n");
  for (const Row& row : rows) {
    fmt::print("{},{},{},{},{:.2f},{},{},{},{},{:.2e},{:.2e}\n", label, name_of(row.algorithm), row.family,
               row.joints, row.one, csv(row.pack4), csv(row.pack8), csv(row.pinocchio),
               row.pinocchio_convention, row.errors.ours, row.errors.pinocchio);
  }
}

}  // namespace torsor::bench
