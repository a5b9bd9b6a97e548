#pragma once
// Laws of one's own at points: a potential U(p) or a force F(p, v, t) of the position and the velocity of a point in the
// world.

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "torsor/base/dual.h"
#include "torsor/base/vec.h"
#include "torsor/model/own_law.h"

namespace torsor {

/// U(p), its gradient and its matrix of second derivatives. The latter is only for solvers and linearisations.
struct PointPotentialJet {
  double value = 0;
  Vec3<double> gradient;
  Mat3<double> curvature;
};
/// F(p, v, t) along the axes of the world, and its derivatives by p and v; these are only for solvers and
/// linearisations.
struct PointForceJet {
  Vec3<double> value;
  Mat3<double> by_position, by_velocity;
};

/// As in own_law.h: any function of these arguments and this answer is one, and `along` may be left out.
struct PointPotentialFunction : std::function<PointPotentialJet(const Vec3<double>& p)> {
  using std::function<PointPotentialJet(const Vec3<double>& p)>::function;
  std::function<Vec3<AlongMotion>(const Vec3<AlongMotion>& p)> along{};  ///< its gradient
};
struct PointForceFunction
    : std::function<PointForceJet(const Vec3<double>& p, const Vec3<double>& v, double t)> {
  using std::function<PointForceJet(const Vec3<double>& p, const Vec3<double>& v, double t)>::function;
  std::function<Vec3<AlongMotion>(const Vec3<AlongMotion>& p, const Vec3<AlongMotion>& v,
                                  const AlongMotion& t)>
      along{};
};

/// From a function of three numbers, by dual numbers: `make_point_potential([](auto x, auto y, auto z) { return
/// 2.0 * z + x * y; })`. In the plane z is 0.
template <class Function>
PointPotentialFunction make_point_potential(Function&& function) {
  const auto f = std::forward<Function>(function);
  PointPotentialFunction potential = [f](const Vec3<double>& p) -> PointPotentialJet {
    using Once = Dual<double, 3>;
    const auto variable = [&](int i) {
      Dual<Once, 3> x(Once::variable(p[i], i));
      x.tangent[i] = Once(1.0);
      return x;
    };
    const Dual<Once, 3> U = f(variable(0), variable(1), variable(2));
    const auto& by = U.tangent;
    return {U.value.value,
            {by[0].value, by[1].value, by[2].value},
            {by[0].tangent[0], by[0].tangent[1], by[0].tangent[2], by[1].tangent[0], by[1].tangent[1],
             by[1].tangent[2], by[2].tangent[0], by[2].tangent[1], by[2].tangent[2]}};
  };
  potential.along = [f](const Vec3<AlongMotion>& p) -> Vec3<AlongMotion> {
    using Moving = Dual<AlongMotion, 3>;
    const Moving U = f(Moving::variable(p.x, 0), Moving::variable(p.y, 1), Moving::variable(p.z, 2));
    return {U.tangent[0], U.tangent[1], U.tangent[2]};
  };
  return potential;
}
/// From a function of two vectors and the time: `make_point_force([](auto p, auto v, auto t) { return -0.3 * v; })`,
/// where p and v are Vec3 of any number, as the answer. With `double t` it has no derivatives in time.
template <class Function>
PointForceFunction make_point_force(Function&& function) {
  const auto f = std::forward<Function>(function);
  PointForceFunction force = [f](const Vec3<double>& p, const Vec3<double>& v, double t) -> PointForceJet {
    using Six = Dual<double, 6>;
    const auto variables = [](const Vec3<double>& a, int i) {
      return Vec3<Six>{Six::variable(a.x, i), Six::variable(a.y, i + 1), Six::variable(a.z, i + 2)};
    };
    const Vec3<Six> F = f(variables(p, 0), variables(v, 3), t);
    const auto by = [&](int i) {
      return Mat3<double>{F.x.tangent[i], F.x.tangent[i + 1], F.x.tangent[i + 2],
                          F.y.tangent[i], F.y.tangent[i + 1], F.y.tangent[i + 2],
                          F.z.tangent[i], F.z.tangent[i + 1], F.z.tangent[i + 2]};
    };
    return {{F.x.value, F.y.value, F.z.value}, by(0), by(3)};
  };
  if constexpr (std::is_invocable_v<const decltype(f)&, Vec3<AlongMotion>, Vec3<AlongMotion>, AlongMotion>) {
    force.along = [f](const Vec3<AlongMotion>& p, const Vec3<AlongMotion>& v,
                      const AlongMotion& t) -> Vec3<AlongMotion> { return f(p, v, t); };
  }
  return force;
}

/// What it sees of a step: positions at its ends and the velocity between them. A state is twice the same position with
/// kappa 1.
struct PointPair {
  Vec3<double> a, b, velocity;
  double time = 0, kappa = 0.5, velocity_gain = 0;
};
/// What it answers: a force against the motion, whose elastic part times b - a is U_b - U_a exactly.
struct PointEffort {
  Vec3<double> effort;
  Mat3<double> slope, by_velocity;  ///< its derivatives by b, and by the velocity alone
  double work = 0, taken = 0;       ///< powers that the ledger books
};

/// The law of a point that these functions are.
class PointFunctionLaw {
 public:
  PointFunctionLaw(std::string name, PointPotentialFunction potential, PointForceFunction force,
                   bool dissipates, LawFault* fault = nullptr)
      : name_(std::move(name)),
        potential_(std::move(potential)),
        force_(std::move(force)),
        dissipates_(dissipates),
        fault_(fault) {}

  template <class S>
  S potential(const Vec3<S>& p) const {
    if (!potential_) return S(0.0);
    const Vec3<double> p_0 = values(p);
    const PointPotentialJet U = ask(p_0);
    return U.value + dot(U.gradient, p - p_0);
  }
  PointEffort between(const PointPair& p) const;
  /// The gradient of U, and F, at a state, for any scalar.
  template <class S>
  struct State {
    Vec3<S> elastic, force;
  };
  template <class S>
  State<S> at(const Vec3<S>& p, const Vec3<S>& v, const S& t) const {
    State<S> state{};
    if constexpr (std::same_as<S, AlongMotion>) {
      if (potential_.along) state.elastic = potential_.along(p);
      if (force_.along) state.force = force_.along(p, v, t);
      return state;
    }
    const Vec3<double> p_0 = values(p), v_0 = values(v);
    const auto lift = [](const Vec3<double>& a) { return Vec3<S>{S(a.x), S(a.y), S(a.z)}; };
    if (potential_) {
      const PointPotentialJet U = ask(p_0);
      state.elastic = lift(U.gradient) + U.curvature * (p - p_0);
    }
    if (force_) {
      const PointForceJet F = ask(p_0, v_0, value_of(t));
      state.force = lift(F.value) + F.by_position * (p - p_0) + F.by_velocity * (v - v_0);
    }
    return state;
  }

 private:
  template <class S>
  static Vec3<double> values(const Vec3<S>& a) {
    return {value_of(a.x), value_of(a.y), value_of(a.z)};
  }
  PointPotentialJet ask(const Vec3<double>& p) const;
  PointForceJet ask(const Vec3<double>& p, const Vec3<double>& v, double t) const;
  void set_gradient(const PointPair& p, PointEffort& f) const;

  std::string name_;
  PointPotentialFunction potential_;
  PointForceFunction force_;
  bool dissipates_;
  LawFault* fault_;  ///< may be null
};

}  // namespace torsor
