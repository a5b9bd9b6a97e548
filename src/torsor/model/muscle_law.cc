#include "torsor/model/muscle_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace torsor {
namespace {

/// The zero of a decreasing function: Newton's steps, kept inside of what is known to enclose it.
template <class Residual>
double zero_of(double guess, double scale, Residual&& residual) {
  constexpr int kMost = 200;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double rounding = std::numeric_limits<double>::epsilon() * scale;
  double low = -kInfinity, high = kInfinity, x = guess;
  for (int i = 0; i < kMost; ++i) {
    const CurvePoint r = residual(x);
    if (r.value == 0) return x;
    (r.value > 0 ? low : high) = x;
    double step = r.slope < 0 ? -r.value / r.slope : std::copysign(scale, r.value);
    step = std::clamp(step, -scale, scale);
    double next = x + step;
    if (std::abs(step) <= rounding) return next;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == low || next == high) return next;
    x = next;
  }
  return x;
}

}  // namespace

void set_operating_range(Muscle& muscle, const std::array<double, 2>& lengths,
                         const std::array<double, 2>& range) {
  muscle.fibre_length = (lengths[1] - lengths[0]) / (range[1] - range[0]);
  muscle.slack_length = lengths[0] - range[0] * muscle.fibre_length;
}

MuscleLaw::MuscleLaw(const Muscle& muscle, std::vector<Input> inputs)
    : muscle_(muscle),
      inputs_(std::move(inputs)),
      height_(muscle.fibre_length * std::sin(muscle.pennation)),
      passive_{muscle.law, 0.5 * (muscle.greatest_length - 1), muscle.passive_force},
      series_{muscle.tendon_strain} {}

double MuscleLaw::input() const {
  double sum = 0;
  for (const Input& input : inputs_) sum += input.factor * *input.number;
  return sum;
}

double MuscleLaw::excitation(double t) const {
  return std::clamp(muscle_.excitation.value(t) + input(), 0.0, 1.0);
}

MuscleLaw::ActivationFlow MuscleLaw::activation_flow(double u, double a) const {
  const bool inside = a > 0 && a < 1;
  const double slowness = 0.5 + 1.5 * std::clamp(a, 0.0, 1.0), change = inside ? 1.5 : 0;
  const double up = muscle_.activation_time * slowness, d_up = muscle_.activation_time * change;
  const double down = muscle_.deactivation_time / slowness, d_down = -down / slowness * change;
  double tau = u > a ? up : down, d_tau = u > a ? d_up : d_down, tau_by_u = 0;
  if (muscle_.smoothing > 0) {
    const double y = std::clamp((u - a) / muscle_.smoothing + 0.5, 0.0, 1.0);
    const double s = y * y * y * (6 * y * y - 15 * y + 10), d_s = 30 * y * y * (y - 1) * (y - 1);
    tau = down + (up - down) * s;
    tau_by_u = (up - down) * d_s / muscle_.smoothing;
    d_tau = d_down + (d_up - d_down) * s - tau_by_u;
  }
  const double rate = (u - a) / tau;
  return {{rate, -(1 + rate * d_tau) / tau}, (1 - rate * tau_by_u) / tau};
}

double MuscleLaw::start_activation(double t) const {
  return muscle_.initial ? *muscle_.initial : excitation(t);
}

double MuscleLaw::activation_after(double a, double begin, double end) const {
  constexpr double kFine = 0.25;  // of the shortest time constant
  constexpr int kFewest = 4;      // so that the error shrinks with the step
  const double shortest = 0.5 * std::min(muscle_.activation_time, muscle_.deactivation_time);
  const int steps = std::max(kFewest, static_cast<int>(std::ceil((end - begin) / (kFine * shortest))));
  const double h = (end - begin) / steps;
  double u = excitation(begin);
  for (int i = 0; i < steps; ++i) {
    const double t = begin + i * h, u_mid = excitation(t + 0.5 * h), u_end = excitation(t + h);
    const double k1 = activation_rate(u, a), k2 = activation_rate(u_mid, a + 0.5 * h * k1);
    const double k3 = activation_rate(u_mid, a + 0.5 * h * k2), k4 = activation_rate(u_end, a + h * k3);
    a += h / 6 * (k1 + 2 * (k2 + k3) + k4);
    u = u_end;
  }
  return a;
}

double MuscleLaw::implicit_activation(double base, double gain, double t) const {
  const double u = excitation(t);
  return zero_of(base, 1, [&](double a) {
    const CurvePoint r = activation_flow(u, a);
    return CurvePoint{base + gain * r.value - a, gain * r.slope - 1};
  });
}

double MuscleLaw::fibre_length(double share) const {
  return height_ == 0 ? share : std::hypot(share, height_);
}

double MuscleLaw::share_of_fibre(double fibre_length) const {
  return std::sqrt((fibre_length - height_) * (fibre_length + height_));
}

double MuscleLaw::potential(double length, double share) const {
  const double f = fibre_length(has_share() ? share : share_of(length)) / muscle_.fibre_length;
  const double fibres = muscle_.max_force * muscle_.fibre_length * passive_.integral(f);
  if (!has_share()) return fibres;
  return fibres + muscle_.max_force * muscle_.slack_length * series_.integral(strain(length, share));
}

double MuscleLaw::elastic_tension(double length, double share) const {
  if (has_share()) return muscle_.max_force * series_.at(strain(length, share)).value;
  return passive_tension(share_of(length));
}

double MuscleLaw::passive_tension(double share) const {
  const double f = fibre_length(share), lean = height_ == 0 ? 1 : share / f;
  return muscle_.max_force * lean * passive_.at(f / muscle_.fibre_length).value;
}

struct MuscleLaw::Fibre {
  double force, by_b, by_rate;
  double work, taken;
};

MuscleLaw::Fibre MuscleLaw::fibre(double p_a, double p_b, double rate, double by_b, double kappa,
                                  double activation) const {
  const double F0 = muscle_.max_force, l0 = muscle_.fibre_length, top = l0 * muscle_.max_velocity;
  const double f_a = fibre_length(p_a), f_b = fibre_length(p_b);
  const double lean_b = height_ == 0 ? 1 : p_b / f_b;
  const double lean = height_ == 0 ? 1 : (p_a + p_b) / (f_a + f_b);
  const double d_lean = height_ == 0 ? 0 : 2 * kappa * (1 - lean * lean_b) / (f_a + f_b);
  const double a = std::clamp(activation, 0.0, 1.0), speed = lean * rate, v = speed / top;
  const double d_v = (lean * by_b + d_lean * rate) / top;
  const CurvePoint by_length = active_force_length(muscle_, ((1 - kappa) * f_a + kappa * f_b) / l0);
  const CurvePoint by_speed = force_velocity(muscle_, v);
  const CurvePoint passive = mean(passive_, f_a / l0, f_b / l0);
  const double isometric = a * by_length.value, viscous = muscle_.fibre_damping;
  const double inner = isometric * by_speed.value + passive.value + viscous * v;
  const double steep = isometric * by_speed.slope + viscous;
  const double d_inner = kappa * lean_b / l0 * (a * by_length.slope * by_speed.value + 2 * passive.slope);
  return {F0 * lean * inner, F0 * (d_lean * inner + lean * (d_inner + steep * d_v)),
          F0 * lean * lean * steep / top, -F0 * isometric * speed,
          F0 * (isometric * (by_speed.value - 1) + viscous * v) * speed};
}

MuscleEffort MuscleLaw::between(const LawPair& length, double activation) const {
  const Fibre f = fibre(share_of(length.a), share_of(length.b), length.rate, length.velocity_gain,
                        length.kappa, activation);
  return {f.force, f.by_b, f.by_rate, f.work, f.taken, share_of(length.b), length.rate};
}

MuscleEffort MuscleLaw::between(const LawPair& length, double activation, double share, double h) const {
  const double F0 = muscle_.max_force, e_a = strain(length.a, share);
  Fibre f{};
  CurvePoint tendon;
  const double p = zero_of(share, muscle_.fibre_length, [&](double p_b) {
    f = fibre(share, p_b, (p_b - share) / h, 1 / h, 0.5, activation);
    tendon = mean(series_, e_a, strain(length.b, p_b));
    tendon.slope *= F0 / muscle_.slack_length;
    return CurvePoint{F0 * tendon.value - f.force, -tendon.slope - f.by_b};
  });
  // At the share itself, not at the one before.
  f = fibre(share, p, (p - share) / h, 1 / h, 0.5, activation);
  tendon = mean(series_, e_a, strain(length.b, p));
  const double k = tendon.slope * F0 / muscle_.slack_length;
  return {F0 * tendon.value, k > 0 ? k * f.by_b / (k + f.by_b) : 0, 0, f.work, f.taken, p, (p - share) / h};
}

MuscleEffort MuscleLaw::at(double length, double activation, double share) const {
  const double F0 = muscle_.max_force;
  const CurvePoint tendon = series_.at(strain(length, share));
  Fibre f{};
  const double rate = zero_of(0, muscle_.fibre_length * muscle_.max_velocity, [&](double p_rate) {
    f = fibre(share, share, p_rate, 0, 1, activation);
    return CurvePoint{F0 * tendon.value - f.force, -f.by_rate};
  });
  f = fibre(share, share, rate, 0, 1, activation);
  return {F0 * tendon.value, F0 * tendon.slope / muscle_.slack_length, 0, f.work, f.taken, share, rate};
}

MuscleEffort MuscleLaw::resting(double length, double activation) const {
  MuscleEffort f = at(length, activation, start_share(length, activation));
  const double k = f.by_length, own = fibre(f.share, f.share, 0, 0, 1, activation).by_b;
  f.by_length = k + own != 0 ? k * own / (k + own) : 0;  // in series
  return f;
}

MuscleLaw::StateSlopes MuscleLaw::slopes(double t, double length, double rate, double activation,
                                         double share) const {
  StateSlopes s;
  const double u = excitation(t), raw = muscle_.excitation.value(t) + input();
  const ActivationFlow flow = activation_flow(u, activation);
  s.activation_rate_by_activation = flow.slope;
  s.activation_rate_by_excitation = raw >= 0 && raw <= 1 ? flow.by_excitation : 0;
  const double p = has_share() ? share : share_of(length);
  const double speed = has_share() ? at(length, activation, share).share_rate : rate;
  const Fibre f = fibre(p, p, speed, 0, 1, activation);
  // The force is linear in the activation.
  const double by_activation = fibre(p, p, speed, 0, 1, 1).force - fibre(p, p, speed, 0, 1, 0).force;
  if (!has_share()) {
    s.tension_by_activation = by_activation;
    return s;
  }
  const double k = muscle_.max_force * series_.at(strain(length, share)).slope / muscle_.slack_length;
  s.tension_by_share = -k;
  s.share_rate_by_length = k / f.by_rate;
  s.share_rate_by_activation = -by_activation / f.by_rate;
  s.share_rate_by_share = -(k + f.by_b) / f.by_rate;
  return s;
}

MuscleEffort MuscleLaw::implicit(double length, double activation, double base, double gain) const {
  const double F0 = muscle_.max_force;
  Fibre f{};
  CurvePoint tendon;
  const auto set = [&](double p) {
    f = fibre(p, p, (p - base) / gain, 1 / gain, 1, activation);
    tendon = series_.at(strain(length, p));
    return CurvePoint{F0 * tendon.value - f.force, -F0 * tendon.slope / muscle_.slack_length - f.by_b};
  };
  const double p = zero_of(base, muscle_.fibre_length, set);
  set(p);
  const double k = F0 * tendon.slope / muscle_.slack_length;
  return {F0 * tendon.value, k > 0 ? k * f.by_b / (k + f.by_b) : 0, 0, f.work, f.taken, p, (p - base) / gain};
}

double MuscleLaw::start_share(double length, double activation) const {
  if (!has_share()) return share_of(length);
  const double F0 = muscle_.max_force, least = 1e-3 * muscle_.fibre_length;
  const double stride = 0.25 * muscle_.tendon_strain * muscle_.slack_length;
  const auto excess = [&](double p) {
    return F0 * series_.at(strain(length, p)).value - fibre(p, p, 0, 0, 1, activation).force;
  };
  double high = share_of(length);
  if (high <= least) return std::max(high, least);
  double low = high;
  while (excess(low) < 0) {
    high = low;
    low -= stride;
    if (low <= least) return least;
  }
  for (int i = 0; i < 100 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (excess(middle) > 0 ? low : high) = middle;
  }
  return low;
}

}  // namespace torsor
