#include "torsor/evaluation/statics.h"

#include <algorithm>

#include "torsor/assembly/assembly.h"
#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/evaluation/equilibrium.h"
#include "torsor/evaluation/modes.h"
#include "torsor/evaluation/pose.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

/// A model that can be asked, and where it starts.
struct Question {
  explicit Question(const Model& model)
      : mechanism(without_muscles(model)),
        start(mechanism.configure(assemble(model).q)),
        t(model.initial().time) {}

  static const Model& without_muscles(const Model& model) {
    for (const Tendon& tendon : model.tendons()) {
      if (tendon.muscle) {
        throw ModelError("tendons." + tendon.name + ".muscle", "a model without muscles",
                         "one, with a state of its own");
      }
    }
    return model;
  }

  ReducedMechanism mechanism;
  ReducedConfiguration start;
  double t;
};

Rest plain(const RestPosition& rest) {
  return {rest.at.q,    rest.potential,    rest.residual,  rest.stability, rest.falling,
          rest.neutral, rest.least_square, rest.reactions, rest.tendons};
}

Reached plain(const ReachedPose& pose) { return {pose.at.q, pose.miss, pose.reaches}; }

std::vector<Reach> reaches(const Model& model, const std::vector<PointAim>& aims) {
  std::vector<Reach> all;
  std::vector<std::string> names;
  for (const Point& point : model.points()) names.push_back(point.name);
  for (const PointAim& aim : aims) {
    const auto known = std::find(names.begin(), names.end(), aim.point);
    if (known == names.end()) {
      throw ModelError("point", "a point of the model", did_you_mean(aim.point, names));
    }
    all.push_back({model.points()[known - names.begin()], aim.place});
  }
  return all;
}

}  // namespace

std::optional<Rest> equilibrium(const Model& model) {
  const Question asked(model);
  const auto at = nearest_equilibrium(asked.mechanism, asked.start, asked.t);
  if (!at) return std::nullopt;
  return plain(describe_rest(asked.mechanism, *at, asked.t));
}

std::vector<Rest> equilibria(const Model& model, int starts) {
  const Question asked(model);
  std::vector<Rest> all;
  for (const RestPosition& rest : find_equilibria(asked.mechanism, asked.start, asked.t, starts).found) {
    all.push_back(plain(rest));
  }
  return all;
}

std::optional<std::vector<double>> holding_efforts(const Model& model) {
  const Question asked(model);
  const HeldPose held = hold_pose(asked.mechanism, asked.start, asked.t);
  if (!held.holds) return std::nullopt;
  return held.effort;
}

StateSpace modes(const Model& model, const std::vector<double>& q, const std::vector<double>& qd, double t) {
  const Question asked(model);
  const SmallMotions small = small_motions(asked.mechanism, asked.mechanism.configure(q), qd, t);
  StateSpace space{matrix(small.A), matrix(small.B), matrix(small.C), matrix(small.D_out),
                   small.states,    small.inputs,    small.outputs,   {}};
  for (const Mode& mode : small.modes) {
    space.motions.push_back(
        {mode.s, mode.frequency(), mode.damping_ratio(), {mode.shape.begin(), mode.shape.end()}});
  }
  return space;
}

Reached reach(const Model& model, const std::vector<PointAim>& aims) {
  const Question asked(model);
  return plain(reach(asked.mechanism, asked.start, reaches(model, aims)));
}

std::vector<Reached> reach_all(const Model& model, const std::vector<PointAim>& aims, int starts) {
  const Question asked(model);
  std::vector<Reached> all;
  for (const ReachedPose& pose : reach_all(asked.mechanism, asked.start, reaches(model, aims), starts)) {
    all.push_back(plain(pose));
  }
  return all;
}

}  // namespace torsor
