#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>

#include "cli/verbs.h"
#include "torsor/result/passing_file.h"

namespace torsor {
namespace {

// The only kind of flags that handlers and threads may share.
std::atomic<bool> catches{false}, interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// Calls nothing that a signal could find half done.
extern "C" void take_signal(int) {
  if (catches && !interrupted.exchange(true)) return;
  remove_passing();
  constexpr char kSaid[] = "torsor: interrupted\n";
  [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, kSaid, sizeof kSaid - 1);
  _exit(kInterrupted);
}

}  // namespace

void end_at_interrupt() {
  struct sigaction action = {};
  action.sa_handler = take_signal;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) sigaddset(&action.sa_mask, signal);
  for (const int signal : kSignals) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup
  }
}

void catch_interrupt() { catches = true; }

bool was_interrupted() { return interrupted; }

}  // namespace torsor
