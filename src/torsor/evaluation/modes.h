#pragma once
// Small motions about a motion of a mechanism, with loops or without. (2) of reduced_mechanism.h to first order is
//   M x'' + D x' + K x = B w                                                                              (1)
// in changes x of independent coordinates and x' of their rates. Changes of coordinates of ball joints and free bodies
// turn with them: d/dt x = x' + P x, where P = 0 unless these move. The state (x, x') has
//   A = [P, 1; -M^-1 K, -M^-1 D],  B = [0; M^-1 B]                                                        (2)
// Muscles add states s of their own: f changes by F s, and s' = S x + R s + E w (muscle_states.h).
// At rest without dampers and with a potential K is symmetric and K phi = w^2 M phi has real modes; elsewhere modes are
// eigenvectors of A. Away from steady motions A is that of the moment: it changes as the motion goes on.

#include <complex>
#include <string>
#include <vector>

#include "torsor/lie/twist.h"
#include "torsor/model/model.h"
#include "torsor/numerics/matrix.h"

namespace torsor {

class ReducedMechanism;
struct ReducedConfiguration;

/// x = Re(shape e^{s t}). Of a pair of conjugates the one with Im s > 0; real ones by themselves.
struct SmallMotion {
  std::complex<double> s;                     ///< [1/s]; of an undamped pair +-r that one which grows
  std::vector<std::complex<double>> shape{};  ///< of all rates; the largest (slides over `length`) is 1
  std::vector<Twist<std::complex<double>>> bodies{};  ///< turn, and shift of the centre of mass; world axes

  double frequency() const;      ///< |Im s| / 2 pi [Hz]
  double natural() const;        ///< |s| / 2 pi [Hz]
  double damping_ratio() const;  ///< -Re s / |s|; 0 of s = 0
};

struct SmallMotions {
  double time = 0;               ///< [s]
  std::vector<double> q, v, a;   ///< of all joints; the accelerations are those that the efforts cause
  std::vector<int> independent;  ///< rates, by index in qd of all joints
  double length = 1;             ///< the mechanism's size [m]
  bool symmetric = false;        ///< undamped, at rest, with a potential: modes are real
  bool steady = false;           ///< it does not accelerate: A stays what it is, where the position does
  Matrix M, K, D;                ///< of (1)
  Matrix A, B, C, D_out;         ///< of the state; outputs C (x, x') + D_out w
  std::vector<std::string> states, inputs, outputs;
  std::vector<SmallMotion> modes;  ///< by increasing frequency
};

/// With muscles the state goes on with theirs (muscle_states.h), whose excitations are inputs, too. `states` are those of
/// elements at the place (ReducedMechanism::start_states); empty: as they start.
/// Inputs: actuators, and motors of tendons (`tendon.NAME`). Outputs: independent coordinates (`q.JOINT`) and rates
/// (`qd.JOINT`), places and velocities of named points (`POINT.x`, `POINT.vx`). Throws ModelError where a motion moves no mass.
SmallMotions small_motions(const ReducedMechanism& mechanism, const ReducedConfiguration& at,
                           const std::vector<double>& v, double t, const std::vector<double>& states = {});

/// The same at coordinates and rates of all joints, with loops closed.
SmallMotions small_motions(const Model& model, const std::vector<double>& q, const std::vector<double>& v,
                           double t);

}  // namespace torsor
