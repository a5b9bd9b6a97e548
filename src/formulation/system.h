#pragma once
// What an integrator knows of a mechanism. Virtual calls happen a few times a step, never per body.

#include <span>
#include <vector>

namespace torsor {

/// Second-order dynamics on a configuration manifold (product of R, S1, SO(3), SE(2), SE(3)):
///   q' = q v (body-fixed rates), v' = a(t, q, v), z' = p(t, q, v).
/// z are the flows of the ledger: work done by each source, energy taken by each damper, integrated along
/// with the motion so that the balance can be checked to the accuracy of the integrator.
class TreeSystem {
 public:
  virtual ~TreeSystem() = default;

  virtual int coordinate_count() const = 0;  ///< entries of q
  virtual int rate_count() const = 0;        ///< entries of v
  virtual int flow_count() const = 0;        ///< entries of z

  virtual void evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                        std::span<double> p) = 0;
  /// Derivative (column-major, rate_count x rate_count) of v -> a(t, q0 exp(s v), v): what an implicit rule
  /// solves with; also gives a.
  virtual void evaluate_tangent(double t, std::span<const double> q0, double s, std::span<const double> v,
                                std::span<double> a, std::span<double> da_dv) = 0;

  virtual void retract(std::span<const double> q0, std::span<const double> increment,
                       std::span<double> q1) const = 0;
  virtual void chart_rate(std::span<const double> xi, std::span<const double> v,
                          std::span<double> xi_rate) const = 0;

  /// Times at which a program has a kink: adaptive integrators step onto them.
  virtual const std::vector<double>& breakpoints() const = 0;
};

}  // namespace torsor
