#pragma once
// How long a thread has computed: others on the machine do not count.

#include <ctime>

namespace torsor {

/// Of the thread that asks, since some time; differences count [s].
inline double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace torsor
