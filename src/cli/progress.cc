#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/say.h"
#include "torsor/base/printable.h"
#include "torsor/result/output_file.h"

namespace torsor {
namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr int kWidth = 30;

}  // namespace

ProgressLine::ProgressLine(Elsewhere elsewhere)
    : elsewhere_(elsewhere), on_terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::operator()(const std::string& text) {
  shown_ = on_terminal_;
  if (on_terminal_) put_err_raw("\r" + printable(text) + "\x1b[K");
  if (!on_terminal_ && elsewhere_ == Elsewhere::lines) say("{}\n", text);
}

void ProgressLine::clear() {
  if (!shown_) return;
  put_err_raw("\r\x1b[K");
  shown_ = false;
}

void ProgressBar::on_start(const Manifest&, const RunSettings& settings) {
  duration_ = settings.duration;
  start_ = shown_ = Clock::now();
}

void ProgressBar::on_step(double time) {
  ++steps_;
  if (!line_.on_terminal()) return;
  const Clock::time_point now = Clock::now();
  if (now - shown_ < kInterval) return;
  shown_ = now;
  if (steps_ == 1 || begin_ < 0) begin_ = time;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const double done = duration_ > 0 ? std::clamp(time / duration_, 0.0, 1.0) : 1.0;
  const int filled = static_cast<int>(done * kWidth);
  const double left = time > begin_ ? elapsed * (duration_ - time) / (time - begin_) : 0;
  line_(fmt::format("[{}{}] {:3.0f} %  t = {:.4g} s  {:.3g} steps/s  {:.0f} s left", std::string(filled, '#'),
                    std::string(kWidth - filled, '.'), 100 * done, time,
                    static_cast<double>(steps_) / elapsed, left));
}

void write_result(const std::string& path, const std::string& text) {
  write_text_file(path, text);
  say("result: {}\n", path);
}

}  // namespace torsor
