#include "cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace torsor {
namespace {

std::atomic<bool> interrupted{false};  // the only kind of flag that handlers and threads may share
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void raise_flag(int) { interrupted = true; }

}  // namespace

void catch_interrupt() {
  struct sigaction action = {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESETHAND;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup
  }
}

bool was_interrupted() { return interrupted; }

}  // namespace torsor
