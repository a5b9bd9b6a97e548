#include "torsor/assembly/servo_check.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "torsor/base/error.h"
#include "torsor/base/nearest.h"
#include "torsor/base/norm.h"
#include "torsor/formulation/constrained_mechanism.h"
#include "torsor/integrator/constrained_integrator.h"
#include "torsor/model/servo.h"
#include "torsor/numerics/dense.h"

namespace torsor {
namespace {

using Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kHeld = 1e-12;       ///< mobility, as a share of the free bodies', of what joints hold
constexpr double kRepeated = 1e-10;   ///< eigenvalue of what follows from the others, scaled
constexpr double kNoAnswer = 1e-8;    ///< cosine; rounding leaves 1e-15
constexpr double kWeakAnswer = 1e-3;  ///< cosine
constexpr double kHorizon = 10;       ///< programs are looked at so far at least [s]
constexpr double kStart = 1e-9;       ///< [m, rad, and per s]

MatrixXd square(const std::vector<double>& rows) {
  const auto n = static_cast<Eigen::Index>(std::lround(std::sqrt(static_cast<double>(rows.size()))));
  return Eigen::Map<const MatrixXd>(rows.data(), n, n).transpose();
}

/// Names where a vector has its large entries.
std::vector<std::string> named_by(const Vector& direction, const std::vector<std::string>& names) {
  std::vector<std::string> large;
  const double most = max_abs(direction);
  for (Eigen::Index i = 0; i < direction.size(); ++i) {
    if (std::abs(direction[i]) > 0.1 * most) large.push_back(in_quotes(names[i]));
  }
  return large;
}

struct Jump {
  double time, by;
};

/// The first jump of a derivative after t = 0: intervals are halved towards the larger change, which does not
/// vanish with them at a jump. What comes and goes between two samples is not seen.
std::optional<Jump> first_jump(const Program& program, double horizon, double Jet::*derivative) {
  constexpr int kSamples = 1024;
  std::vector<double> times = program.breakpoints();
  for (int i = 0; i <= kSamples; ++i) times.push_back(horizon * i / kSamples);
  std::erase_if(times, [](double t) { return t < 0; });
  std::sort(times.begin(), times.end());
  const auto at = [&](double t) { return program.evaluate(t).*derivative; };
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    double a = times[i], b = times[i + 1], f_a = at(a), f_b = at(b);
    while (b - a > 1e-14 * b) {
      const double middle = 0.5 * (a + b), f = at(middle);
      if (middle <= a || middle >= b) break;
      const bool left = std::abs(f - f_a) >= std::abs(f_b - f);
      (left ? b : a) = middle;
      (left ? f_b : f_a) = f;
    }
    if (std::abs(f_b - f_a) > 1e-7 * (1 + std::abs(f_a))) return Jump{b, f_b - f_a};
  }
  return std::nullopt;
}

class Check {
 public:
  Check(const Model& model, ServoObserver& system, const ConstrainedState& start)
      : system_(system), start_(start), motions_(system.outputs(0, start.x, start.v, start.angles)) {
    for (const OutputMotion& motion : motions_) {
      outputs_.push_back(motion.key.substr(motion.key.rfind('.') + 1));
    }
    for (const Servo& servo : model.servos()) {
      for (std::size_t i = 0; i < servo.actuators.size(); ++i) {
        efforts_.push_back(model.actuators()[servo.actuators[i]].name);
        servos_.push_back("servos." + servo.name);
      }
    }
  }

  ServoCheck run(const Model& model) {
    ServoCheck check;
    check.outputs = static_cast<int>(motions_.size());
    if (motions_.empty()) return check;
    check.authority = authority();
    check.is_weak = check.authority < kWeakAnswer;
    for (const OutputMotion& motion : motions_) require_start(motion);
    for (const Servo& servo : model.servos()) {
      for (const auto& [name, program] : servo.follows) {
        if (is_rough(model, servo, name, program)) check.rough.push_back(servo.name + "." + name);
      }
    }
    return check;
  }

 private:
  /// The least cosine.
  double authority() const {
    const ServoMaps maps = system_.servo_maps(0, start_.x, start_.angles);
    if (maps.outputs.empty()) {
      throw ModelError(servos_[0], "a start at which the mechanism can move", "a singular position");
    }
    const MatrixXd G_y = square(maps.outputs), G_u = square(maps.efforts);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      if (!(G_y(k, k) > kHeld * maps.free_outputs[i])) {
        throw ModelError(motions_[i].key, "an output that can move", "one that the joints hold at the start");
      }
      if (!(G_u(k, k) > kHeld * maps.free_efforts[i])) {
        throw ModelError(
            servos_[i] + ".actuators", "actuators that move something",
            fmt::format("{}, which only pulls at what the joints hold at the start", in_quotes(efforts_[i])));
      }
    }
    const MatrixXd L_y = independent(G_y, outputs_, "follows", "outputs that can move independently");
    const MatrixXd L_u = independent(G_u, efforts_, "actuators", "actuators that act independently");
    const MatrixXd half = solve_lower(L_y, square(maps.outputs_by_efforts));
    const Svd cosines = svd(solve_lower(L_u, half.transpose()).transpose());
    const auto rank = (cosines.values.array() > kNoAnswer).count();
    if (rank == cosines.values.size()) return cosines.values.minCoeff();
    // The combination of outputs that does not answer.
    const Vector silent = solve_transposed(L_y, cosines.U.rightCols(1));
    refuse_degree(static_cast<int>(rank), silent.cwiseProduct(L_y.rowwise().norm()));
  }

  /// The Cholesky factor of G = C M^-1 C^T.
  MatrixXd independent(const MatrixXd& G, const std::vector<std::string>& names, const char* key,
                       const char* expected) const {
    const Vector scale = G.diagonal().cwiseSqrt().cwiseInverse();
    const MatrixXd scaled = scale.asDiagonal() * G * scale.asDiagonal();
    const SymmetricEigen eigen = symmetric_eigen(scaled);
    const auto rank = (eigen.values.array() > kRepeated).count();
    if (rank < G.rows()) {
      const Vector null = eigen.vectors.col(0);
      Eigen::Index largest = 0;
      null.cwiseAbs().maxCoeff(&largest);
      throw ModelError(fmt::format("{}.{}", servos_[largest], key),
                       fmt::format("{} (rank {})", expected, G.rows()),
                       fmt::format("rank {} at the start: {} follow from one another", rank,
                                   listed(named_by(null, names))));
    }
    return cholesky(G);
  }

  [[noreturn]] void refuse_degree(int rank, const Vector& silent) const {
    Eigen::Index largest = 0;
    silent.cwiseAbs().maxCoeff(&largest);
    const std::string& key = motions_[largest].key;
    const std::vector<std::string> names = named_by(silent, outputs_);
    throw ModelError(
        key.substr(0, key.find(".follows")) + ".actuators",
        fmt::format("efforts that set the accelerations of all {} output{} (rank {}, relative degree 2)",
                    outputs_.size(), outputs_.size() == 1 ? "" : "s", outputs_.size()),
        fmt::format(
            "rank {} at the start: {} do{} not answer to the efforts in two derivatives (relative "
            "degree above 2, index above 3). Lead another point, body or joint, act in another joint, "
            "or give the bodies between them the inertia that they have",
            rank, listed(names), names.size() == 1 ? "es" : ""));
  }

  /// Whether the second derivative jumps.
  static bool is_rough(const Model& model, const Servo& servo, const std::string& name,
                       const Program& program) {
    if (program.smoothness() >= 2) return false;
    const double horizon = larger(kHorizon, model.simulation().duration.value_or(0));
    if (const auto jump = first_jump(program, horizon, &Jet::rate)) {
      const std::string unit = is_angle_output(name) ? "rad/s" : "m/s";
      throw ModelError(
          fmt::format("servos.{}.follows.{}", servo.name, name),
          "a program whose rate does not jump, which would take an infinite effort",
          fmt::format("one whose rate jumps by {:.3g} {} at t = {:.6g} s", jump->by, unit, jump->time));
    }
    return first_jump(program, horizon, &Jet::acceleration).has_value();
  }

  static void require_start(const OutputMotion& motion) {
    const double off = motion.value - motion.target, rate_off = motion.rate - motion.target_rate;
    const bool stands = std::abs(off) <= kStart, moves = std::abs(rate_off) <= kStart;
    if (stands && moves) return;
    const char* unit = motion.kind == OutputMotion::Kind::length ? "m" : "rad";
    if (motion.kind == OutputMotion::Kind::turn) {
      throw ModelError(motion.key, "roll, pitch and yaw that start with the body's own orientation and rate",
                       stands
                           ? fmt::format("a rate that is {:.3g} rad/s off", rate_off)
                           : fmt::format("an orientation from which the body is turned by {:.3g} rad", off));
    }
    if (!stands) {
      throw ModelError(
          motion.key,
          fmt::format("a program that starts where the model does, at {:.12g} {}", motion.value, unit),
          fmt::format("{:.12g} {}, off by {:.3g} {}", motion.target, unit, -off, unit));
    }
    throw ModelError(
        motion.key,
        fmt::format("a program that starts with the model's rate, {:.12g} {}/s", motion.rate, unit),
        fmt::format("{:.12g} {}/s, off by {:.3g} {}/s", motion.target_rate, unit, -rate_off, unit));
  }

  ServoObserver& system_;
  const ConstrainedState& start_;
  std::vector<OutputMotion> motions_;
  std::vector<std::string> outputs_, efforts_, servos_;  ///< the last two by effort
};

}  // namespace

ServoCheck check_servos(const Model& model, ServoObserver& system, const ConstrainedState& start) {
  return Check(model, system, start).run(model);
}

std::string summary(const ServoCheck& check) {
  std::string text = fmt::format("{} output{}, authority {:.3g} of 1", check.outputs,
                                 check.outputs == 1 ? "" : "s", check.authority);
  if (check.is_weak) text += ": weak, efforts will be large";
  if (!check.rough.empty()) {
    text += fmt::format("; the acceleration of {} jumps, and so do the efforts", listed(check.rough));
  }
  return text;
}

}  // namespace torsor
