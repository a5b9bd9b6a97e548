#include "torsor/formulation/rotationless/servo_shares.h"

#include <cmath>
#include <limits>

#include "torsor/base/norm.h"

namespace torsor {

ServoShares::ServoShares(const Model& model) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  int index = 0;
  for (const Servo& servo : model.servos()) {
    shared_.push_back(servo.actuators.size() > servo.follows.size());
    redundant_ = redundant_ || shared_.back();
    for (const int actuator : servo.actuators) {
      const auto& limits = model.actuators()[actuator].limits;
      servo_of_effort_.push_back(index);
      low_.push_back(limits && shared_.back() ? limits->first : -kNone);
      high_.push_back(limits && shared_.back() ? limits->second : kNone);
    }
    servo_of_output_.insert(servo_of_output_.end(), servo.follows.size(), index++);
  }
  shares_.resize(servo_of_effort_.size() * servo_of_output_.size());
  effort_.resize(servo_of_effort_.size());
  cut_.resize(servo_of_effort_.size());
  for (std::size_t servo = 0, effort = 0, output = 0; servo < shared_.size(); ++servo) {
    const std::size_t outputs = model.servos()[servo].follows.size();
    for (std::size_t i = 0; !shared_[servo] && i < outputs; ++i) {
      set(static_cast<int>(effort + i), static_cast<int>(output + i), 1);
    }
    effort += model.servos()[servo].actuators.size();
    output += outputs;
  }
}

double ServoShares::middle(std::size_t effort) const {
  return std::isfinite(low_[effort]) ? 0.5 * (low_[effort] + high_[effort]) : 0;
}

double ServoShares::uncut(std::size_t effort, double gain, std::span<const double> unknowns) const {
  double sum = gain * middle(effort);
  const std::size_t outputs = servo_of_output_.size();
  for (std::size_t j = 0; j < outputs; ++j) sum += shares_[effort * outputs + j] * unknowns[j];
  return sum;
}

std::span<const double> ServoShares::efforts(double gain, std::span<const double> unknowns) const {
  if (!redundant_ || unknowns.empty()) return unknowns;
  for (std::size_t i = 0; i < effort_.size(); ++i) {
    effort_[i] = uncut(i, gain, unknowns);
    if (cut_[i] == 0) continue;
    const double limit = gain * (cut_[i] < 0 ? low_[i] : high_[i]);
    effort_[i] = limit + kGive * (effort_[i] - limit);
  }
  return effort_;
}

double ServoShares::size(std::span<const double> unknowns) const {
  double largest = 0;
  if (!redundant_) return largest;
  const int outputs = output_count();
  for (int k = 0; k < outputs; ++k) {
    double moved = 0;
    for (int i = 0; i < effort_count(); ++i) {
      double change = 0;
      for (int j = 0; j < outputs; ++j) change += slope(i, j) * unknowns[j];
      moved += shares_[i * outputs + k] * change;
    }
    keep_largest(largest, std::abs(moved));
  }
  return largest;
}

bool ServoShares::find_cuts(std::span<const double> unknowns) {
  bool changed = false;
  for (std::size_t i = 0; i < cut_.size(); ++i) {
    const double effort = uncut(i, 1, unknowns);
    const int cut = effort < low_[i] ? -1 : effort > high_[i] ? 1 : 0;
    changed = changed || cut != cut_[i];
    cut_[i] = cut;
  }
  return changed;
}

}  // namespace torsor
