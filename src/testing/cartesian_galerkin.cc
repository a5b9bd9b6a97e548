#include "testing/cartesian_galerkin.h"

#include <Eigen/LU>
#include <cmath>

#include "torsor/base/error.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/cartesian/cartesian.h"
#include "torsor/model/initial.h"
#include "torsor/numerics/legendre.h"

namespace torsor::testing {

using Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;

namespace {

/// L_0 .. L_degree, their derivatives and their integrals from 0.
struct LegendreValues {
  std::vector<double> value, slope, integral;
};

LegendreValues legendre_values(int degree, double s) {
  LegendreValues values;
  for (int k = 0; k <= degree; ++k) {
    values.value.push_back(legendre(k, s).value);
    values.slope.push_back(legendre(k, s).slope);
    values.integral.push_back(legendre_integral(k, s));
  }
  return values;
}

}  // namespace

CartesianGalerkin::CartesianGalerkin(const Model& model, int m, int points, int potential_points)
    : matrices_(make_cartesian_links(model)),
      M_(matrices_.M()),
      T_(matrices_.inverse_J()),
      weight_(2 * matrices_.count()),
      m_(m),
      left_(gauss_rule(points)),
      right_(gauss_rule(potential_points)) {
  const int n = matrices_.count();
  const VectorXd xi_at_zero = matrices_.relative(VectorXd::Zero(2 * n));
  std::vector<int> link_of(model.bodies().size());
  for (int i = 0; i < n; ++i) {
    const CartesianLink& link = matrices_.links()[i];
    link_of[link.body] = i;
    weight_.segment<2>(2 * i) = link.mass * Vector2d(model.gravity().x, model.gravity().y);
  }
  for (const torsor::Tendon& from : model.tendons()) {
    Tendon tendon{{}, from.stiffness, from.rest_length.value(0)};
    for (const Point& point : from.path) {
      Via via{MatrixXd::Zero(2, 2 * n), Vector2d(point.p_B.x, point.p_B.y)};
      if (point.body != kWorld) {
        const int i = link_of[point.body];
        const CartesianLink& link = matrices_.links()[i];
        // p = x_i + (A - I) xi_i.
        const Vec2<double> A = arm_of_point(model, link, {point.p_B.x, point.p_B.y});
        Eigen::Matrix2d beyond;
        beyond << A.x - 1, -A.y, A.y, A.x - 1;
        via.by_x = beyond * T_.middleRows<2>(2 * i);
        via.by_x.middleCols<2>(2 * i) += Eigen::Matrix2d::Identity();
        via.at_zero = beyond * xi_at_zero.segment<2>(2 * i);
      }
      tendon.path.push_back(via);
    }
    tendons_.push_back(tendon);
  }
}

CartesianGalerkin::State CartesianGalerkin::start(const Model& model) const {
  Cartesian system(model);
  const std::vector<double> q = initial_coordinates(model), qd = initial_rates(model, q);
  State state{VectorXd(2 * matrices_.count()), VectorXd(2 * matrices_.count())};
  std::vector<double> angles(system.angle_count());
  const auto as_span = [](VectorXd& a) { return std::span(a.data(), static_cast<std::size_t>(a.size())); };
  CartesianObserver(system).start(model, q, qd, as_span(state.x), as_span(state.v), angles);
  return state;
}

double CartesianGalerkin::potential(const VectorXd& x) const {
  double V = -weight_.dot(x);  // (35)
  for (const Tendon& tendon : tendons_) {
    double stretch = -tendon.rest_length;
    for (std::size_t k = 0; k + 1 < tendon.path.size(); ++k) {
      const Via &a = tendon.path[k], &b = tendon.path[k + 1];
      stretch += ((b.by_x - a.by_x) * x + b.at_zero - a.at_zero).norm();  // (36)
    }
    V += 0.5 * tendon.stiffness * stretch * stretch;  // (38)
  }
  return V;
}

void CartesianGalerkin::add_potential(const VectorXd& x, VectorXd& gradient, MatrixXd& hessian) const {
  gradient -= weight_;
  for (const Tendon& tendon : tendons_) {
    double stretch = -tendon.rest_length;
    VectorXd by_x = VectorXd::Zero(x.size());
    MatrixXd bend = MatrixXd::Zero(x.size(), x.size());
    for (std::size_t k = 0; k + 1 < tendon.path.size(); ++k) {
      const MatrixXd P = tendon.path[k + 1].by_x - tendon.path[k].by_x;
      const Vector2d e = P * x + tendon.path[k + 1].at_zero - tendon.path[k].at_zero;
      const double s = e.norm();
      const Vector2d u = e / s;
      stretch += s;
      by_x += P.transpose() * u;
      bend += P.transpose() * (Eigen::Matrix2d::Identity() - u * u.transpose()) * P / s;
    }
    gradient += tendon.stiffness * stretch * by_x;
    hessian += tendon.stiffness * (by_x * by_x.transpose() + stretch * bend);
  }
}

CartesianGalerkin::State CartesianGalerkin::step(const State& from, double h) const {
  const int n = matrices_.count(), d = 2 * n, parts = m_ + 1, size = 3 * n * parts;
  const LegendreValues begin = legendre_values(m_ + 1, 0), end = legendre_values(m_ + 1, 1);
  VectorXd unknowns = VectorXd::Zero(size);  // p_0 .. p_m, lambda_0 .. lambda_m
  unknowns.head(d) = h * from.v;
  const auto p = [&](int k) { return unknowns.segment(d * k, d); };
  const auto lambda = [&](int k) { return unknowns.segment(d * parts + n * k, n); };
  const auto overshoot = [&] {  // c of (1)
    VectorXd rest = from.v;
    for (int k = 0; k < parts; ++k) rest -= begin.value[k] / h * p(k);
    return VectorXd(rest / begin.value[parts]);
  };
  double last = INFINITY;
  for (int iteration = 0; iteration < 40; ++iteration) {
    VectorXd r = VectorXd::Zero(size);
    MatrixXd K = MatrixXd::Zero(size, size);
    const VectorXd c = overshoot();
    const auto position = [&](const LegendreValues& L) {
      VectorXd x = from.x;
      for (int k = 0; k < parts; ++k) x += L.integral[k] * p(k);
      return x;
    };
    for (const auto& [at, weight] : left_) {
      const LegendreValues L = legendre_values(m_ + 1, at);
      const VectorXd x = position(L);
      const MatrixXd G = matrices_.G(x);
      VectorXd rate = VectorXd::Zero(d), v_rate = L.slope[parts] * c, multiplier = VectorXd::Zero(n);
      for (int k = 0; k < parts; ++k) {
        rate += L.value[k] * p(k);
        v_rate += L.slope[k] / h * p(k);
        multiplier += L.value[k] * lambda(k);
      }
      MatrixXd by_force = MatrixXd::Zero(d, d), by_constraint = MatrixXd::Zero(n, d);
      for (int i = 0; i < n; ++i) {
        const auto t = T_.middleRows<2>(2 * i);
        by_force += multiplier[i] * t.transpose() * t;
        by_constraint.row(i) = (t * rate).transpose() * t;
      }
      for (int j = 0; j < parts; ++j) {
        const double w = weight * L.value[j];
        const int row = d * parts + n * j;
        r.segment(d * j, d) += w * (M_ * v_rate - h * G.transpose() * multiplier);
        r.segment(row, n) += w * G * rate;
        for (int k = 0; k < parts; ++k) {
          const double inertia = (L.slope[k] - begin.value[k] / begin.value[parts] * L.slope[parts]) / h;
          K.block(d * j, d * k, d, d) += w * (inertia * M_ - h * L.integral[k] * by_force);
          K.block(d * j, d * parts + n * k, d, n) -= w * h * L.value[k] * G.transpose();
          K.block(row, d * k, n, d) += w * (L.value[k] * G + L.integral[k] * by_constraint);
        }
      }
    }
    for (const auto& [at, weight] : right_) {
      const LegendreValues L = legendre_values(m_ + 1, at);
      VectorXd gradient = VectorXd::Zero(d);
      MatrixXd hessian = MatrixXd::Zero(d, d);
      add_potential(position(L), gradient, hessian);
      for (int j = 0; j < parts; ++j) {
        const double w = weight * L.value[j];
        r.segment(d * j, d) += w * h * gradient;
        for (int k = 0; k < parts; ++k) K.block(d * j, d * k, d, d) += w * h * L.integral[k] * hessian;
      }
    }
    const VectorXd change = K.fullPivLu().solve(r);
    unknowns -= change;
    const double moved = max_abs(change.head(d * parts));
    // Corrections shrink to rounding, then no more.
    if (moved <= 1e-10 && moved >= 0.5 * last) {
      State to{from.x + p(0), end.value[parts] * overshoot()};
      for (int k = 0; k < parts; ++k) to.v += end.value[k] / h * p(k);
      return to;
    }
    last = moved;
  }
  throw StepFailure(0, h, last, 40, "no convergence");
}

double CartesianGalerkin::energy(const State& state) const {
  return 0.5 * state.v.dot(M_ * state.v) + potential(state.x);
}

double CartesianGalerkin::constraint_error(const State& state) const {
  const VectorXd xi = matrices_.relative(state.x);
  double largest = 0;
  for (int i = 0; i < matrices_.count(); ++i) {
    const double l = matrices_.links()[i].length;
    largest = larger(largest, std::abs(xi.segment<2>(2 * i).squaredNorm() - l * l));
  }
  return largest;
}

double CartesianGalerkin::velocity_error(const State& state) const {
  return max_abs(matrices_.G(state.x) * state.v);
}

VectorXd CartesianGalerkin::projected_rates(const State& state) const {
  const MatrixXd G = matrices_.G(state.x), by_force = M_.fullPivLu().solve(G.transpose());
  return state.v - by_force * (G * by_force).fullPivLu().solve(G * state.v);
}

}  // namespace torsor::testing
