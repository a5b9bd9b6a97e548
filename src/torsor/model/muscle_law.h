#pragma once
// The law of a muscle by the length of its path: activation, tension, energy, work and loss; and the fibre
// length, which is a state of its own where the tendon in series is elastic.

#include <vector>

#include "torsor/model/muscle_curves.h"
#include "torsor/model/scalar_law.h"

namespace torsor {

/// What a muscle does in a step or at a state. Against the length: tension T; powers
///   work = -F0 a f_l(x) f',  taken = F0 (a f_l (f_v - 1) + c v) f' >= 0,  T l' = U' - work + taken  (1)
struct MuscleEffort {
  double tension = 0, by_length = 0, by_rate = 0;  ///< derivatives by b (or the length) and by the rate alone
  double work = 0, taken = 0;                      ///< powers
  double share = 0, share_rate = 0;                ///< p of (3) below at the end, and its mean rate
};

/// a' = (u - a) / tau, tau = t_1 (1/2 + 3a/2) while it rises, t_2 / (1/2 + 3a/2) while it falls: Millard et al.,
/// J. Biomech. Eng. 135 (2013), as MuJoCo has it; u and a cut to 0..1 on the right. With a smoothing width w
/// the change between the two is s((u - a)/w + 1/2), s(y) = y^3 (6 y^2 - 15 y + 10) on 0..1.
///
/// Of a path of length l the tendon in series takes l_T, and p is left for the fibres, which have a length f:
///   p = l - l_T,  f^2 = p^2 + (l0 sin(alpha))^2,  x = f / l0                                           (2)
///   T = F_T(l_T) = F0 (a f_l(x) f_v(v) + f_p(x) + c v) p/f,  v = x' / v_max                            (3)
/// Rigid: l_T = ls, and T follows. Elastic: p is a state, whose rate (3) gives. Between two configurations
/// elastic forces are means over the way, U_b - U_a over the change, and p/f is (p_a + p_b)/(f_a + f_b), which
/// is that of f over that of p: (1) holds exactly.
class MuscleLaw {
 public:
  /// By activation, share and excitation u, at a state: derivatives of the tension and of the rates of the two states.
  struct StateSlopes {
    double tension_by_activation = 0, tension_by_share = 0;
    double activation_rate_by_activation = 0, activation_rate_by_excitation = 0;
    double share_rate_by_length = 0, share_rate_by_activation = 0, share_rate_by_share = 0;  ///< elastic
  };
  /// A number that others change between steps, and what it adds to the excitation.
  struct Input {
    const double* number;
    double factor;
  };
  explicit MuscleLaw(const Muscle& muscle, std::vector<Input> inputs = {});

  bool has_share() const { return muscle_.has_series_tendon(); }
  const Muscle& muscle() const { return muscle_; }

  double input() const;  ///< the sum of the inputs
  double excitation(double t) const;
  /// a', and its derivatives by a and by u.
  struct ActivationFlow : CurvePoint {
    double by_excitation = 0;
  };
  ActivationFlow activation_flow(double u, double a) const;
  double activation_rate(double u, double a) const { return activation_flow(u, a).value; }
  double start_activation(double t) const;
  /// Without smoothing a falls at a = u: its time constant is that of falling.
  StateSlopes slopes(double t, double length, double rate, double activation, double share) const;
  /// The activation at `end`, by steps of the classical method of Runge and Kutta well below the time constants.
  double activation_after(double a, double begin, double end) const;
  /// a = base + gain a'(t).
  double implicit_activation(double base, double gain, double t) const;

  /// Where nothing moves, (3) holds; of several such places the one with the shortest tendon.
  double start_share(double length, double activation) const;
  double potential(double length, double share) const;
  double elastic_tension(double length, double share) const;  ///< its derivative by the length
  double fibre_length(double share) const;
  double share_of_fibre(double fibre_length) const;  ///< its inverse
  double passive_tension(double share) const;        ///< of the fibres, along the path

  /// Rigid: between two lengths, with the activation in between.
  MuscleEffort between(const LawPair& length, double activation) const;
  /// Elastic: from the share at the start, in a time h; the share at the end is found.
  MuscleEffort between(const LawPair& length, double activation, double share, double h) const;
  /// Elastic, at a state: the rate of the share is found.
  MuscleEffort at(double length, double activation, double share) const;
  /// Elastic, where nothing moves (start_share): by_length counts that the share goes along.
  MuscleEffort resting(double length, double activation) const;
  /// Elastic, at a state whose share is base + gain p'.
  MuscleEffort implicit(double length, double activation, double base, double gain) const;

 private:
  struct Fibre;
  double share_of(double length) const { return length - muscle_.slack_length; }
  /// The right side of (3), from p_a to p_b at a rate that grows with p_b by `by_b`.
  Fibre fibre(double p_a, double p_b, double rate, double by_b, double kappa, double activation) const;
  double strain(double length, double share) const {
    return (length - share - muscle_.slack_length) / muscle_.slack_length;
  }

  Muscle muscle_;
  std::vector<Input> inputs_;
  double height_;  ///< l0 sin(alpha)
  PassiveCurve passive_;
  SeriesCurve series_;
};

}  // namespace torsor
