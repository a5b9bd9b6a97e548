#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace torsor {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr int kWidth = 30;

}  // namespace

ProgressBar::ProgressBar() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressBar::on_start(const Manifest&, const RunSettings& settings) {
  duration_ = settings.duration;
  start_ = shown_ = Clock::now();
}

void ProgressBar::on_step(double time) {
  ++steps_;
  if (!on_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now - shown_ < kInterval) return;
  shown_ = now;
  draw(time, std::chrono::duration<double>(now - start_).count());
}

void ProgressBar::draw(double time, double elapsed) {
  const double done = duration_ > 0 ? std::clamp(time / duration_, 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(done * kWidth);
  const double left = done > 0 ? elapsed * (1 - done) / done : 0;
  fmt::print(stderr, "\r[{}{}] {:3.0f} %  t = {:.4g} s  {:.3g} steps/s  {:.0f} s left\x1b[K",
             std::string(filled, '#'), std::string(kWidth - filled, '.'), 100 * done, time,
             static_cast<double>(steps_) / elapsed, left);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace torsor
