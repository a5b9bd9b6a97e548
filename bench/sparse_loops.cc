// The saddle-point matrix of a mechanism with many loops or tendons: factorised and solved by SparseKkt, and by KLU (its
// pattern and pivots known) and CHOLMOD (L D L^T, its pattern known) of SuiteSparse. CHOLMOD does not take zeros on the
// diagonal: it gets -1e-8 there. Where joints have more rows than bodies have freedoms, all three get -0.1 instead.
// Usage: sparse_loops MODEL..; models of revolute joints in the plane, of spherical ones in space, and of tendons.
// The pattern is the model's; the levers are at random. Fill counts the numbers of the factors.

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

constexpr int kRounds = 15;

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
    if (joint.type != JointType::revolute && joint.type != JointType::spherical) continue;
    pattern.joints.push_back({{joint.child, joint.parent == kWorld ? -1 : joint.parent}, model.dimension()});
    pattern.units.insert(pattern.units.end(), model.dimension(), 1.0);
  }
  for (const Tendon& tendon : model.tendons()) {
    for (const Point& a : tendon.path) {
      for (const Point& b : tendon.path) {
        if (a.body != kWorld && a.body < b.body) pattern.couplings.emplace_back(a.body, b.body);
      }
    }
  }
  std::sort(pattern.couplings.begin(), pattern.couplings.end());
  pattern.couplings.erase(std::unique(pattern.couplings.begin(), pattern.couplings.end()),
                          pattern.couplings.end());
  return pattern;
}

/// The upper and the lower part, by the entries of SparseKkt.
template <int W>
std::vector<Entry> entries_of(const SparsePattern& pattern, const SparseKkt<W>& kkt) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Entry> entries;
  const auto couple = [&](int a, int b, double diagonal, double beside) {
    for (int i = 0; i < W; ++i) {
      for (int j = 0; j < W; ++j) {
        entries.push_back({kkt.offset(a) + i, kkt.offset(b) + j, i == j ? diagonal : beside});
      }
    }
  };
  for (int b = 0; b < pattern.bodies; ++b) couple(b, b, 2, 0.1);
  for (const auto& [a, b] : pattern.couplings) {
    couple(a, b, 0.02, 0.01);
    couple(b, a, 0.02, 0.01);
  }
  const bool redundant = static_cast<int>(pattern.units.size()) > W * pattern.bodies;
  for (std::size_t k = 0; k < pattern.joints.size(); ++k) {
    const int joint = kkt.offset(kkt.joint(static_cast<int>(k)));
    for (int i = 0; redundant && i < pattern.joints[k].rows; ++i)
      entries.push_back({joint + i, joint + i, -0.1});
    double sign = 1;
    for (const int body : pattern.joints[k].bodies) {
      sign = -sign;
      for (int i = 0; body >= 0 && i < pattern.joints[k].rows; ++i) {
        for (int j = 0; j < W; ++j) {
          const double value = j >= pattern.joints[k].rows ? normal(random) : i == j ? sign : 0;
          if (value == 0) continue;
          entries.push_back({joint + i, kkt.offset(body) + j, value});
          entries.push_back({kkt.offset(body) + j, joint + i, value});
        }
      }
    }
  }
  return entries;
}

template <int W>
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

struct Solved {
  double time, fill;
  std::vector<double> x;
};

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

Solved by_klu(Columns A, int n, std::vector<double> b) {
  Solved solved;
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(n, A.begin.data(), A.rows.data(), &common);
  klu_numeric* numeric = klu_factor(A.begin.data(), A.rows.data(), A.values.data(), symbolic, &common);
  solved.time = timed([&] {
    klu_refactor(A.begin.data(), A.rows.data(), A.values.data(), symbolic, numeric, &common);
    solved.x = b;
    klu_solve(symbolic, numeric, n, 1, solved.x.data(), &common);
  });
  solved.fill = static_cast<double>(numeric->lnz) + numeric->unz;
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return solved;
}

Solved by_cholmod(Columns A, int n, std::vector<double> b) {
  Solved solved;
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
  solved.time = timed([&] {
    done = done && cholmod_factorize(&matrix, factor, &common) && common.status == CHOLMOD_OK;
    cholmod_dense* solution = cholmod_solve(CHOLMOD_A, factor, &right, &common);
    const double* from = static_cast<const double*>(solution->x);
    solved.x.assign(from, from + n);
    cholmod_free_dense(&solution, &common);
  });
  solved.fill = common.lnz;
  if (!done) solved.time = NAN;
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
  return solved;
}

template <int W>
void compare(const Model& model) {
  const SparsePattern pattern = pattern_of(model);
  SparseKkt<W> kkt(pattern);
  const int n = kkt.size();
  const std::vector<Entry> entries = entries_of(pattern, kkt);
  std::vector<double> b(n);
  for (int i = 0; i < n; ++i) b[i] = std::sin(i);
  Solved ours{0, static_cast<double>(kkt.entry_count()), {}};
  const double filling = timed([&] { load(pattern, entries, kkt); });
  ours.time = timed([&] {
                load(pattern, entries, kkt);
                kkt.factorise();
                ours.x = b;
                kkt.solve(ours.x);
              }) -
              filling;
  std::printf("| %s | %zu | %d |", model.name().c_str(), model.bodies().size(), n);
  for (const Solved& solved :
       {ours, by_klu(columns_of(entries, n, false), n, b), by_cholmod(columns_of(entries, n, true), n, b)}) {
    std::vector<double> r = b;
    for (const Entry& e : entries) r[e.row] -= e.value * solved.x[e.column];
    double worst = 0;
    for (const double value : r) keep_largest(worst, std::abs(value));
    std::printf(" %.1f | %.0f | %.0e |", solved.time, solved.fill, worst);
  }
  std::puts("");
}

}  // namespace
}  // namespace torsor

int main(int count, char** paths) {
  std::puts(
      "| mechanism | bodies | unknowns | SparseKkt [us] | fill | residual | KLU [us] | fill | residual | "
      "CHOLMOD [us] | fill | residual |");
  std::puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (int i = 1; i < count; ++i) {
    const torsor::Model model = torsor::load_model(paths[i]);
    model.dimension() == 2 ? torsor::compare<3>(model) : torsor::compare<6>(model);
  }
}
