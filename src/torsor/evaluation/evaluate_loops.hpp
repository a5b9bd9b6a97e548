#pragma once
// The part of an evaluation that is in independent rates.

#include "torsor/evaluation/evaluate.h"
#include "torsor/evaluation/reduced_mechanism.h"

namespace torsor {

struct Evaluation::Loops {
  Loops(const Model& model, const JointState& state)
      : mechanism(model), at(mechanism.configure(state.q, state.independent, state.preferred)) {}

  ReducedMotion motion(const JointState& s) const { return {s.time, s.qd, s.qdd, {}, {}}; }
  ReducedEquations equations(const JointState& s) const { return mechanism.equations(at, motion(s)); }
  /// The motion that the state's efforts cause.
  ReducedMotion solved(const JointState& s) const {
    ReducedMotion m = motion(s);
    m.effort = s.effort;
    return mechanism.solve(at, m);
  }

  ReducedMechanism mechanism;
  ReducedConfiguration at;
};

inline std::vector<double> list_of(const Eigen::VectorXd& x) { return {x.begin(), x.end()}; }
inline std::vector<double> rows_of(const Eigen::MatrixXd& A) {
  std::vector<double> rows;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) rows.push_back(A(i, j));
  }
  return rows;
}

}  // namespace torsor
