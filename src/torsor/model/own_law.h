#pragma once
// Laws of one's own: a potential or a force, given as a function of one measured number.

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "torsor/base/dual.h"
#include "torsor/model/body.h"
#include "torsor/model/joint.h"
#include "torsor/model/scalar_law.h"

namespace torsor {

/// U(x) and its first two derivatives. The second is only for solvers and linearisations.
struct PotentialJet {
  double value = 0, slope = 0, curvature = 0;
};
/// F(x, x', t), along growing x, and its derivatives by x and x'; these are only for solvers and linearisations.
struct ForceJet {
  double value = 0, by_position = 0, by_rate = 0;
};
/// A number with its first two derivatives in time.
using AlongMotion = Dual<Dual<double, 1>, 1>;

/// Any function of these arguments and this answer is one. Time derivatives of efforts (Evaluation) ask for `along`
/// beside it; where it is left out they are refused.
struct PotentialFunction : std::function<PotentialJet(double x)> {
  using std::function<PotentialJet(double x)>::function;
  std::function<AlongMotion(const AlongMotion& x)> along{};  ///< dU/dx
};
struct ForceFunction : std::function<ForceJet(double x, double rate, double t)> {
  using std::function<ForceJet(double x, double rate, double t)>::function;
  std::function<AlongMotion(const AlongMotion& x, const AlongMotion& rate, const AlongMotion& t)> along{};
};

/// From a function of any scalar, by dual numbers: `make_potential([](auto x) { return 2.0 * cos(x); })`.
template <class Function>
PotentialFunction make_potential(Function&& function) {
  const auto f = std::forward<Function>(function);
  PotentialFunction potential = [f](double x) -> PotentialJet {
    using Once = Dual<double, 1>;
    const Dual<Once, 1> U = f(Dual<Once, 1>(Once::variable(x, 0), {Once(1.0)}));
    return {U.value.value, U.value.tangent[0], U.tangent[0].tangent[0]};
  };
  potential.along = [f](const AlongMotion& x) -> AlongMotion {
    return f(Dual<AlongMotion, 1>::variable(x, 0)).tangent[0];
  };
  return potential;
}
/// Likewise: `make_force([](auto x, auto rate, auto t) { return -rate * x * x * t; })`. With `double t` it has no
/// derivatives in time; `auto t` is a double in steps.
template <class Function>
ForceFunction make_force(Function&& function) {
  const auto f = std::forward<Function>(function);
  ForceFunction force = [f](double x, double rate, double t) -> ForceJet {
    using Both = Dual<double, 2>;
    const Both F = f(Both::variable(x, 0), Both::variable(rate, 1), t);
    return {F.value, F.tangent[0], F.tangent[1]};
  };
  if constexpr (std::is_invocable_v<const decltype(f)&, AlongMotion, AlongMotion, AlongMotion>) {
    force.along = [f](const AlongMotion& x, const AlongMotion& rate, const AlongMotion& t) -> AlongMotion {
      return f(x, rate, t);
    };
  }
  return force;
}

/// On a coordinate of a joint, or on the length of a tendon's path; -dU/dx and F act along it, where it grows.
/// Functions are called from the thread that steps; what they throw goes through to whoever steps. They must
/// answer alike to the same numbers.
struct OwnLaw {
  std::string name;
  int joint = 0;
  int coordinate = 0;             ///< index among the joint's rates
  std::optional<int> tendon{};    ///< whose length it is, instead of a coordinate [m]
  PotentialFunction potential{};  ///< either of the two may be left out
  ForceFunction force{};
  bool dissipates = false;  ///< the ledger books what the force takes, instead of the work it does

  bool is_damped() const { return force && dissipates; }
  std::vector<std::string> sources() const {
    return force && !dissipates ? std::vector<std::string>{name} : std::vector<std::string>{};
  }
  bool acts_from_ground(const std::vector<Joint>& joints) const {
    return !tendon && joints[joint].parent == kWorld;
  }
};

/// Where laws leave word of what they answered that is no finite number.
struct LawFault {
  std::string text;  ///< of the first since it was emptied
};

/// The scalar law that it is.
class FunctionLaw {
 public:
  explicit FunctionLaw(const OwnLaw& law, LawFault* fault = nullptr)
      : name_(law.name),
        potential_(law.potential),
        force_(law.force),
        dissipates_(law.dissipates),
        fault_(fault) {}

  template <class S>
  S potential(const S& x) const {
    if (!potential_) return S(0.0);
    const double x_0 = value_of(x);
    const PotentialJet U = ask(x_0);
    return U.value + U.slope * (x - x_0);
  }
  /// The discrete gradient of U where a and b differ, F at the middle.
  LawEffort between(const LawPair& x) const;
  /// U' and U'' alone.
  ElasticAt elastic_at(double x) const;
  /// U' and F at a state, for any scalar.
  template <class S>
  struct State {
    S elastic, force;
  };
  template <class S>
  State<S> at(const S& x, const S& rate, const S& t) const {
    const double x_0 = value_of(x), rate_0 = value_of(rate);
    State<S> state{S(0.0), S(0.0)};
    if constexpr (std::same_as<S, AlongMotion>) {
      if (potential_.along) state.elastic = potential_.along(x);
      if (force_.along) state.force = force_.along(x, rate, t);
      return state;
    }
    if (potential_) {
      const PotentialJet U = ask(x_0);
      state.elastic = U.slope + U.curvature * (x - x_0);
    }
    if (force_) {
      const ForceJet F = ask(x_0, rate_0, value_of(t));
      state.force = F.value + F.by_position * (x - x_0) + F.by_rate * (rate - rate_0);
    }
    return state;
  }

 private:
  PotentialJet ask(double x) const;
  ForceJet ask(double x, double rate, double t) const;
  ElasticAt discrete_gradient(const LawPair& x) const;

  std::string name_;
  PotentialFunction potential_;
  ForceFunction force_;
  bool dissipates_;
  LawFault* fault_;  ///< may be null
};

}  // namespace torsor
