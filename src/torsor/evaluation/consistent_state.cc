#include "torsor/evaluation/consistent_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/assembly/assembly.h"
#include "torsor/assembly/close_loops.h"
#include "torsor/assembly/loop_conditions.h"
#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/evaluation/reduced_mechanism.h"
#include "torsor/tree/configuration.h"

namespace torsor {
namespace {

constexpr int kTries = 12;
constexpr double kContradicts = 1e-6;  ///< of the largest

class StateSolver {
 public:
  StateSolver(const Model& model, const SaidState& said)
      : model_(model), said_(said), mechanism_(model), start_(assemble(model).q) {
    result_ = said.values;
    for (const std::vector<bool>* part : {&said.q, &said.qd, &said.qdd}) {
      for (std::size_t j = 0; j < part->size(); ++j) {
        if ((*part)[j]) result_.preferred.push_back(static_cast<int>(j));
      }
    }
  }

  JointState solve() {
    set_coordinates();
    at_ = mechanism_.configure(result_.q, result_.independent, result_.preferred);
    result_.q = at_.q;
    result_.qd = fit("qd", said_.qd, said_.values.qd, mechanism_.rates(at_, part(said_.values.qd)));
    result_.qdd = fit("qdd", said_.qdd, said_.values.qdd,
                      mechanism_.accelerations(at_, result_.qd, part(said_.values.qdd)));
    result_.qddd = fit("qddd", said_.qddd, said_.values.qddd,
                       mechanism_.jerks(at_, result_.qd, result_.qdd, part(said_.values.qddd)));
    result_.qdddd =
        fit("qdddd", said_.qdddd, said_.values.qdddd,
            mechanism_.snaps(at_, result_.qd, result_.qdd, result_.qddd, part(said_.values.qdddd)));
    return result_;
  }

 private:
  Eigen::VectorXd part(const std::vector<double>& all) const {
    Eigen::VectorXd own(at_.dof());
    for (int i = 0; i < at_.dof(); ++i) own[i] = all[at_.independent[i]];
    return own;
  }

  /// What the loops demand, which what is said must not contradict.
  std::vector<double> fit(const char* key, const std::vector<bool>& said, const std::vector<double>& values,
                          const std::vector<double>& wanted) const {
    const double scale = std::max({1.0, max_abs(values), max_abs(wanted)});
    for (int i = 0; i < model_.rate_count(); ++i) {
      const int j = joint_of_rate(model_, i);
      if (!said[j] || std::abs(values[i] - wanted[i]) <= kContradicts * scale) continue;
      throw ModelError(fmt::format("{}.{}", key, model_.joints()[j].name),
                       fmt::format("{:.9g}, which the loops make of the other joints, or nothing", wanted[i]),
                       fmt::format("{:.9g}", values[i]));
    }
    return wanted;
  }

  void copy_joint(int j, const std::vector<double>& from, std::vector<double>& to) const {
    std::copy(from.begin() + model_.coordinate_offset(j), from.begin() + model_.coordinate_offset(j + 1),
              to.begin() + model_.coordinate_offset(j));
  }

  void set_coordinates() {
    result_.q = start_;
    if (std::none_of(said_.q.begin(), said_.q.end(), [](bool is) { return is; })) return;
    const ReducedConfiguration from = mechanism_.configure(start_, result_.independent, result_.preferred);
    std::vector<double> guess = start_;
    Held all(model_), open(model_);
    bool all_open = true;
    for (std::size_t j = 0; j < said_.q.size(); ++j) {
      const int joint = static_cast<int>(j);
      const bool is_open = is_independent(from, joint);
      if (said_.q[j]) copy_joint(joint, said_.values.q, guess);
      all.joints[j] = said_.q[j];
      open.joints[j] = is_open;
      if (said_.q[j] && !is_open) all_open = false;
    }
    if (all_open && follow(from, guess)) return;
    Closing closing = close_loops(model_, guess, all, 1);
    if (!closing.closed()) closing = close_loops(model_, guess, open, kTries);
    if (!closing.closed()) {
      throw ModelError(
          "q", "coordinates of independent joints at which the loops close; others are a guess",
          fmt::format("loops that gape by {:.3g} rad, or of the mechanism's size", closing.residual));
    }
    set_loop_coordinates(model_, guess, closing.q);
    result_.q = closing.q;
  }

  /// Along the way from the start.
  bool follow(const ReducedConfiguration& from, const std::vector<double>& guess) {
    std::vector<double> increment(model_.rate_count());
    configuration_difference<double>(mechanism_.tree(), start_, guess, increment);
    Eigen::VectorXd du(from.dof());
    for (int i = 0; i < from.dof(); ++i) du[i] = increment[from.independent[i]];
    try {
      result_.q = mechanism_.moved(from, du).q;
    } catch (const ModelError&) {
      return false;  // a dead centre on the way, or a target out of reach
    }
    for (std::size_t j = 0; j < said_.q.size(); ++j) {  // to the last bit
      if (said_.q[j]) copy_joint(static_cast<int>(j), guess, result_.q);
    }
    return true;
  }

  bool is_independent(const ReducedConfiguration& at, int joint) const {
    const int first = model_.rate_offset(joint), last = model_.rate_offset(joint + 1);
    const auto begin = std::lower_bound(at.independent.begin(), at.independent.end(), first);
    return first < last && std::lower_bound(begin, at.independent.end(), last) - begin == last - first;
  }

  const Model& model_;
  const SaidState& said_;
  ReducedMechanism mechanism_;
  std::vector<double> start_;
  JointState result_;
  ReducedConfiguration at_;
};

}  // namespace

JointState consistent_state(const Model& model, const SaidState& said) {
  return has_conditions(model) ? StateSolver(model, said).solve() : said.values;
}

}  // namespace torsor
