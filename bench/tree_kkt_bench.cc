// Factorisation and solution of the saddle-point matrix of chains, trees and ladders, along the tree and by
// KLU with its pattern and pivots known (refactor). Filling the matrix is not timed.

#include <benchmark/benchmark.h>

#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "torsor/numerics/tree_kkt.h"
#ifdef TORSOR_HAVE_KLU
#include <suitesparse/klu.h>
#endif

namespace {

using namespace torsor;

enum Shape { chain, tree, ladder };

/// A matrix by its numbers, with the place of each in the blocks and in the whole.
template <int W>
struct Problem {
  struct Entry {
    double* at;
    int row, column;
    double value;
  };
  KktPattern pattern;
  TreeKkt<W> kkt;
  struct JointRow {
    int node, row;
    std::array<std::array<double, W>, 4> parts;  ///< on the body: column, row; on its parent likewise
  };
  std::vector<Entry> entries;  ///< without a place where they are in a row of a joint
  std::vector<JointRow> rows;

  Problem(Shape shape, int nodes, int multipliers)
      : pattern(make_pattern(shape, nodes, multipliers)), kkt(pattern) {
    for (int c = 0; c < nodes; ++c) add_node(c);
    for (int j = 0; j < kkt.border_size(); ++j) {
      for (int k = 0; k < static_cast<int>(pattern.border[j].size()); ++k) {
        const int at = kkt.offset(pattern.border[j][k]);
        add({kkt.border_left(j, k), 1}, W, 1, at, kkt.size() + j);
        add({kkt.border_right(j, k), W}, 1, W, kkt.size() + j, at);
      }
    }
  }

  int size() const { return kkt.size() + kkt.border_size(); }

  void fill() {
    kkt.clear();
    for (const Entry& entry : entries) {
      if (entry.at) *entry.at = entry.value;
    }
    for (const auto& [c, j, parts] : rows) {
      kkt.set_row(c, j, parts[0].data(), parts[1].data(), parts[2].data(), parts[3].data());
    }
  }

 private:
  std::mt19937 random_{1};
  std::normal_distribution<double> normal_;

  static KktPattern make_pattern(Shape shape, int nodes, int multipliers) {
    KktPattern pattern;
    std::mt19937 random(2);
    for (int c = 0; c < nodes; ++c)
      pattern.nodes.push_back({shape == tree && c > 0 ? static_cast<int>(random() % c) : c - 1, multipliers});
    if (shape == ladder) {  // a loop of two rows every second body
      for (int c = 3; c < nodes; c += 2) pattern.border.insert(pattern.border.end(), 2, {c - 3, c});
    }
    return pattern;
  }

  void add(BlockView block, int height, int width, int row, int column, double diagonal = 0) {
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j)
        entries.push_back({&block(i, j), row + i, column + j, 0.3 * normal_(random_) + (i == j) * diagonal});
  }

  void add_node(int c) {
    const int parent = pattern.nodes[c].parent, m = pattern.nodes[c].multipliers;
    const int at = kkt.offset(c);
    add(kkt.pivot(c), W, W, at, at, 4);
    const int up = parent < 0 ? -1 : kkt.offset(parent);
    for (int j = 0; j < m; ++j) {
      JointRow& row = rows.emplace_back(JointRow{c, j, {}});
      for (int part = 0; part < (parent < 0 ? 2 : 4); ++part) {
        for (int i = 0; i < W; ++i) {
          const double value = 0.3 * normal_(random_) + (i == j) * (part < 2 ? 1 : -1);
          const int body = (part < 2 ? at : up) + i, joint = at + W + j;
          row.parts[part][i] = value;
          entries.push_back({nullptr, part % 2 ? joint : body, part % 2 ? body : joint, value});
        }
      }
    }
    if (parent < 0) return;
    add(kkt.block(c, parent), W, W, at, up);
    add(kkt.block(parent, c), W, W, up, at);
  }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(benchmark::State& state) {
  state.counters["a_node"] =
      benchmark::Counter(static_cast<double>(state.range(0)),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <int W, Shape shape, int multipliers>
void along_the_tree(benchmark::State& state) {
  Problem<W> problem(shape, static_cast<int>(state.range(0)), multipliers);
  std::vector<double> x(problem.kkt.size()), nu(problem.kkt.border_size());
  for (auto _ : state) {
    problem.fill();
    std::fill(x.begin(), x.end(), 1.0);
    std::fill(nu.begin(), nu.end(), 1.0);
    const auto start = std::chrono::steady_clock::now();
    if (!problem.kkt.factorise() || !problem.kkt.factorise_border()) state.SkipWithError("singular");
    problem.kkt.solve(x, nu);
    state.SetIterationTime(seconds_since(start));
  }
  report(state);
}

#ifdef TORSOR_HAVE_KLU
template <int W, Shape shape, int multipliers>
void by_klu(benchmark::State& state) {
  Problem<W> problem(shape, static_cast<int>(state.range(0)), multipliers);
  const int n = problem.size();
  std::vector<std::vector<std::pair<int, double>>> columns(n);
  for (const auto& entry : problem.entries) columns[entry.column].emplace_back(entry.row, entry.value);
  std::vector<int> begin{0}, rows;
  std::vector<double> values;
  for (const auto& column : columns) {
    for (const auto& [row, value] : column) {
      rows.push_back(row);
      values.push_back(value);
    }
    begin.push_back(static_cast<int>(rows.size()));
  }
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(n, begin.data(), rows.data(), &common);
  klu_numeric* numeric = klu_factor(begin.data(), rows.data(), values.data(), symbolic, &common);
  std::vector<double> x(n);
  for (auto _ : state) {
    std::fill(x.begin(), x.end(), 1.0);
    const auto start = std::chrono::steady_clock::now();
    if (!klu_refactor(begin.data(), rows.data(), values.data(), symbolic, numeric, &common))
      state.SkipWithError("singular");
    klu_solve(symbolic, numeric, n, 1, x.data(), &common);
    state.SetIterationTime(seconds_since(start));
  }
  report(state);
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
}
#endif

template <int W, Shape shape, int multipliers>
void add_benchmarks(const std::string& name, std::vector<std::int64_t> sizes) {
  const auto add = [&](const std::string& solver, void (*run)(benchmark::State&)) {
    auto* added = benchmark::RegisterBenchmark((name + ", " + solver).c_str(), run);
    added->UseManualTime()->Unit(benchmark::kMicrosecond);
    for (std::int64_t size : sizes) added->Arg(size);
  };
  add("tree", along_the_tree<W, shape, multipliers>);
#ifdef TORSOR_HAVE_KLU
  add("KLU", by_klu<W, shape, multipliers>);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  add_benchmarks<6, chain, 3>("spherical chain", {10, 100, 1000});
  add_benchmarks<6, chain, 5>("revolute chain", {10, 100, 1000});
  add_benchmarks<6, tree, 5>("revolute tree", {100});
  add_benchmarks<3, chain, 2>("planar chain", {10, 100, 1000});
  add_benchmarks<3, ladder, 2>("planar ladder", {10, 80});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
