#include "torsor/simulation/sampled_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/base/error.h"

namespace torsor {
namespace {

constexpr double kSampleRounding = 1e-6;  ///< of a period: what times may be off after many steps

}  // namespace

std::shared_ptr<HeldEfforts> make_held_efforts(const Model& model) {
  auto held = std::make_shared<HeldEfforts>();
  bool any = false;
  for (const Controller& controller : model.controllers()) {
    any = any || controller.is_sampled();
    held->emplace_back(controller.is_sampled() ? driven_rate_count(model, controller) : 0);
  }
  return any ? held : nullptr;
}

void require_whole_steps(const SampledController& controller, double step) {
  const double steps = controller.period / step, whole = std::round(steps);
  if (whole >= 1 && std::abs(steps - whole) <= kSampleRounding * whole) return;
  const double below = std::floor(steps), above = std::ceil(steps);
  throw ModelError("controllers." + controller.name + ".period",
                   fmt::format("a whole number of steps of {:.6g} s, as {}{:.6g} s, or a step of {:.6g} s",
                               step, below >= 1 ? fmt::format("{:.6g} s or ", below * step) : "",
                               above * step, controller.period / above),
                   fmt::format("{:.6g} s", controller.period));
}

SampledControl::SampledControl(const Model& model, std::shared_ptr<HeldEfforts> held)
    : held_(std::move(held)), efforts_(model), view_(model) {
  for (std::size_t i = 0; i < model.controllers().size(); ++i) {
    const Controller& controller = model.controllers()[i];
    if (!controller.is_sampled()) continue;
    clocks_.push_back(
        {{controller.name, controller.period, -1}, static_cast<int>(i), controller.position_only, 0, 0, {}});
  }
}

bool SampledControl::Clock::is_due(double t) const {
  return samples == 0 || t >= next() - kSampleRounding * of.period;
}

bool SampledControl::is_due(double t) const {
  return std::any_of(clocks_.begin(), clocks_.end(), [&](const Clock& clock) { return clock.is_due(t); });
}

bool SampledControl::sample(const Observation& shown) {
  bool changed = false;
  view_.load(shown);
  for (Clock& clock : clocks_) {
    if (!clock.is_due(shown.time)) continue;
    if (clock.samples == 0) clock.start = shown.time;
    Measurement now = efforts_.measure(clock.controller, view_.bodies, view_.q, view_.qd);
    // Before the first sample nothing is known: the first differences are zero.
    if (clock.position_only)
      now = with_rates_from(now, clock.samples == 0 ? now : clock.last, clock.of.period);
    clock.last = now;
    ++clock.samples;
    efforts_.evaluate(clock.controller, shown.time, now, view_.bodies, view_.q);
    std::vector<double>& held = (*held_)[clock.controller];
    changed = changed || held != efforts_.efforts(clock.controller);
    held = efforts_.efforts(clock.controller);
  }
  return changed;
}

void SampledControl::require_step(double t, double h) const {
  for (const Clock& clock : clocks_) {
    if (t + h <= clock.next() + kSampleRounding * clock.of.period) continue;
    require_whole_steps(clock.of, h);
    throw ModelError("controllers." + clock.of.name + ".period",
                     fmt::format("a step that ends at the sample at t = {:.9g} s", clock.next()),
                     fmt::format("one of {:.6g} s from t = {:.9g} s", h, t));
  }
}

void SampledControl::pass(StateTape& tape) {
  for (Clock& clock : clocks_) {
    tape(clock.start, clock.samples, clock.last);
    for (double& effort : (*held_)[clock.controller]) tape(effort);  // elements point to them
  }
}

}  // namespace torsor
