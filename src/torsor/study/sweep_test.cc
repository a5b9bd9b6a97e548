#include "torsor/study/sweep.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "torsor/base/error.h"

namespace torsor {
namespace {

/// How often it asks in so many steps of at least `each` ms.
int questions(int steps, int each) {
  int asked = 0;
  SweepStop stop;
  stop.stopped = [&] { return ++asked < 0; };
  for (int i = 0; i < steps; ++i) {
    if (each > 0) std::this_thread::sleep_for(std::chrono::milliseconds(each));
    stop.on_step(i);
  }
  return asked;
}

TEST(SweepStop, AsksAfterEverySlowStepAndSeldomAfterQuickOnes) {
  EXPECT_EQ(questions(8, 11), 8);
  EXPECT_LT(questions(10'000, 0), 5'000);  // measured 629; more where the machine holds the thread up
}

/// All lanes of a pack share it.
TEST(SweepStop, EndsEveryRunAtItsNextStep) {
  SweepStop stop;
  stop.stopped = [] { return true; };
  for (int lane = 0; lane < 8; ++lane) EXPECT_THROW(stop.on_step(0.5), RunInterrupted);
}

}  // namespace
}  // namespace torsor
