#include "torsor/formulation/rotationless/servo_shares.h"

#include <algorithm>
#include <limits>

namespace torsor {
namespace {

/// Beyond a limit an effort grows by this share still: where no efforts within the limits would do, the least
/// excess is found, and the ledger tells.
constexpr double kGive = 1e-6;

}  // namespace

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
  slope_.assign(servo_of_effort_.size(), 1.0);
  for (std::size_t servo = 0, effort = 0, output = 0; servo < shared_.size(); ++servo) {
    const std::size_t outputs = model.servos()[servo].follows.size();
    for (std::size_t i = 0; !shared_[servo] && i < outputs; ++i) {
      set(static_cast<int>(effort + i), static_cast<int>(output + i), 1);
    }
    effort += model.servos()[servo].actuators.size();
    output += outputs;
  }
}

std::span<const double> ServoShares::efforts(double gain, std::span<const double> unknowns) const {
  if (!redundant_ || unknowns.empty()) return unknowns;
  const std::size_t outputs = servo_of_output_.size();
  for (std::size_t i = 0; i < effort_.size(); ++i) {
    const double low = gain * low_[i], high = gain * high_[i];
    double sum = low_[i] > -std::numeric_limits<double>::infinity() ? 0.5 * (low + high) : 0;
    for (std::size_t j = 0; j < outputs; ++j) sum += shares_[i * outputs + j] * unknowns[j];
    const double cut = std::clamp(sum, low, high);
    slope_[i] = cut == sum ? 1 : kGive;
    effort_[i] = cut + kGive * (sum - cut);
  }
  return effort_;
}

}  // namespace torsor
