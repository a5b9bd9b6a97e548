#pragma once
// Independent jobs on several threads.

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace torsor {

/// As many as the machine runs at once.
inline int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

/// job(i, thread) for i = 0 .. count - 1, each taken by the next free thread; `thread` counts from 0. The first exception
/// keeps further jobs from being begun, and is thrown here.
inline void for_each_parallel(long count, int threads, const std::function<void(long, int)>& job) {
  std::atomic<long> next{0};
  std::exception_ptr fault;
  std::mutex mutex;
  const auto serve = [&](int thread) noexcept {
    try {
      for (long i = next++; i < count; i = next++) job(i, thread);
    } catch (...) {
      next = count;
      const std::lock_guard lock(mutex);
      if (!fault) fault = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> workers;
    try {
      for (int t = 1; t < threads; ++t) workers.emplace_back(serve, t);
    } catch (const std::system_error&) {
      // The system allows no more: those that there are take all jobs.
    }
    serve(0);
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace torsor
