// The saddle-point matrix of a planar mechanism with many loops, none of them redundant: factorised and solved by
// SparseKkt, and by KLU (its pattern and pivots known) and CHOLMOD (L D L^T, its pattern known) of SuiteSparse. CHOLMOD
// does not take zeros on the diagonal: it gets -1e-8 there. Usage: sparse_loops MODEL..
// The pattern is the model's; the levers are at random.

#include <suitesparse/cholmod.h>
#include <suitesparse/klu.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

#include "torsor/base/norm.h"
#include "torsor/format/model_reader.h"
#include "torsor/numerics/sparse_kkt.h"

namespace torsor {
namespace {

constexpr int W = 3, kRounds = 15;

struct Entry {
  int row, column;
  double value;
};

/// Least time of several rounds [us].
template <class F>
double timed(F&& f) {
  double least = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    f();
    least = std::min(
        least, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

SparsePattern pattern_of(const Model& model) {
  SparsePattern pattern;
  pattern.bodies = static_cast<int>(model.bodies().size());
  for (const Joint& joint : model.joints()) {
    if (joint.type != JointType::revolute) continue;
    pattern.joints.push_back({{joint.child, joint.parent == kWorld ? -1 : joint.parent}, 2});
    pattern.units.insert(pattern.units.end(), 2, 1.0);
  }
  return pattern;
}

/// The upper and the lower part, by the entries of SparseKkt.
std::vector<Entry> entries_of(const SparsePattern& pattern, const SparseKkt<W>& kkt) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Entry> entries;
  for (int b = 0; b < pattern.bodies; ++b) {
    for (int i = 0; i < W; ++i) {
      for (int j = 0; j < W; ++j)
        entries.push_back({kkt.offset(b) + i, kkt.offset(b) + j, i == j ? 2.0 : 0.1});
    }
  }
  for (std::size_t k = 0; k < pattern.joints.size(); ++k) {
    const int joint = kkt.offset(kkt.joint(static_cast<int>(k)));
    double sign = 1;
    for (const int body : pattern.joints[k].bodies) {
      sign = -sign;
      for (int i = 0; body >= 0 && i < pattern.joints[k].rows; ++i) {
        for (int j = 0; j < W; ++j) {
          const double value = j == 2 ? normal(random) : i == j ? sign : 0;
          if (value == 0) continue;
          entries.push_back({joint + i, kkt.offset(body) + j, value});
          entries.push_back({kkt.offset(body) + j, joint + i, value});
        }
      }
    }
  }
  return entries;
}

void load(const SparsePattern& pattern, const std::vector<Entry>& entries, SparseKkt<W>& kkt) {
  kkt.clear();
  std::vector<std::pair<int, int>> node_of(kkt.size());  // node, first entry
  for (int b = 0; b < pattern.bodies; ++b) {
    for (int i = 0; i < W; ++i) node_of[kkt.offset(b) + i] = {b, kkt.offset(b)};
  }
  for (std::size_t k = 0; k < pattern.joints.size(); ++k) {
    const int node = kkt.joint(static_cast<int>(k));
    for (int i = 0; i < pattern.joints[k].rows; ++i) node_of[kkt.offset(node) + i] = {node, kkt.offset(node)};
  }
  for (const Entry& entry : entries) {
    const auto [row_node, row] = node_of[entry.row];
    const auto [column_node, column] = node_of[entry.column];
    kkt.at(kkt.place(row_node, column_node))(entry.row - row, entry.column - column) = entry.value;
  }
}

struct Columns {
  std::vector<int> begin, rows;
  std::vector<double> values;
};

Columns columns_of(std::vector<Entry> entries, int n, bool lower) {
  if (lower) {
    std::erase_if(entries, [](const Entry& e) { return e.row < e.column; });
    std::vector<bool> filled(n, false);
    for (const Entry& entry : entries) filled[entry.row] = filled[entry.row] || entry.row == entry.column;
    for (int i = 0; i < n; ++i) {
      if (!filled[i]) entries.push_back({i, i, -1e-8});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.column, a.row) < std::pair(b.column, b.row);
  });
  Columns columns;
  columns.begin.assign(n + 1, 0);
  for (const Entry& entry : entries) {
    ++columns.begin[entry.column + 1];
    columns.rows.push_back(entry.row);
    columns.values.push_back(entry.value);
  }
  for (int i = 0; i < n; ++i) columns.begin[i + 1] += columns.begin[i];
  return columns;
}

double by_klu(Columns A, int n, std::vector<double> b, std::vector<double>& x) {
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(n, A.begin.data(), A.rows.data(), &common);
  klu_numeric* numeric = klu_factor(A.begin.data(), A.rows.data(), A.values.data(), symbolic, &common);
  const double time = timed([&] {
    klu_refactor(A.begin.data(), A.rows.data(), A.values.data(), symbolic, numeric, &common);
    x = b;
    klu_solve(symbolic, numeric, n, 1, x.data(), &common);
  });
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return time;
}

double by_cholmod(Columns A, int n, std::vector<double> b, std::vector<double>& x) {
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.print = 0;
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = n;
  matrix.nzmax = A.values.size();
  matrix.p = A.begin.data();
  matrix.i = A.rows.data();
  matrix.x = A.values.data();
  matrix.stype = -1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.sorted = matrix.packed = 1;
  cholmod_dense right{};
  right.nrow = right.d = right.nzmax = n;
  right.ncol = 1;
  right.x = b.data();
  right.xtype = CHOLMOD_REAL;
  cholmod_factor* factor = cholmod_analyze(&matrix, &common);
  bool done = true;
  const double time = timed([&] {
    done = done && cholmod_factorize(&matrix, factor, &common) && common.status == CHOLMOD_OK;
    cholmod_dense* solution = cholmod_solve(CHOLMOD_A, factor, &right, &common);
    const double* from = static_cast<const double*>(solution->x);
    x.assign(from, from + n);
    cholmod_free_dense(&solution, &common);
  });
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
  return done ? time : NAN;
}

void compare(const char* path) {
  const Model model = load_model(path);
  const SparsePattern pattern = pattern_of(model);
  SparseKkt<W> kkt(pattern);
  const int n = kkt.size();
  const std::vector<Entry> entries = entries_of(pattern, kkt);
  std::vector<double> b(n), ours, klu, cholmod;
  for (int i = 0; i < n; ++i) b[i] = std::sin(i);
  const double filling = timed([&] { load(pattern, entries, kkt); });
  const double both = timed([&] {
    load(pattern, entries, kkt);
    kkt.factorise();
    ours = b;
    kkt.solve(ours);
  });
  const double klu_time = by_klu(columns_of(entries, n, false), n, b, klu);
  const double cholmod_time = by_cholmod(columns_of(entries, n, true), n, b, cholmod);
  const auto error = [&](const std::vector<double>& x) {
    std::vector<double> r = b;
    for (const Entry& e : entries) r[e.row] -= e.value * x[e.column];
    double worst = 0;
    for (const double value : r) keep_largest(worst, std::abs(value));
    return worst;
  };
  std::printf("| %s | %zu | %d | %zu | %.1f | %.1f | %.1f | %.0e, %.0e, %.0e |\n", model.name().c_str(),
              model.bodies().size(), n, kkt.block_count(), both - filling, klu_time, cholmod_time,
              error(ours), error(klu), error(cholmod));
}

}  // namespace
}  // namespace torsor

int main(int count, char** paths) {
  std::puts(
      "| mechanism | bodies | unknowns | blocks of the factors | SparseKkt [us] | KLU [us] | CHOLMOD [us] | "
      "residuals |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
  for (int i = 1; i < count; ++i) torsor::compare(paths[i]);
}
