// Counts heap allocations: this file replaces the global operator new of the test program.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "simulation/stepper.h"
#include "testing/models.h"

namespace {

std::atomic<long> allocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (!memory) throw std::bad_alloc();
  return memory;
}

/// Not inlined, or GCC takes `free` after `new` for a mistake.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace torsor {
namespace {

TEST(Allocations, AreCounted) {
  const long before = allocations;
  delete new double(1);
  EXPECT_GT(allocations, before);
}

TEST(Allocations, NoneInAStepOrAnObservation) {
  const ModelDescription descriptions[] = {reference::all_elements(), reference::driven_arm(),
                                           reference::spherical_chain(20)};
  for (const ModelDescription& description : descriptions) {
    const Model model(description);
    for (const char* integrator : {"rkmk4", "dopri5", "implicit-midpoint"}) {
      SCOPED_TRACE(description.name + ", " + integrator);
      const auto stepper =
          make_stepper(model, {.formulation = "joint", .integrator = integrator, .options = {}});
      Observation observation = stepper->make_observation();
      const long before = allocations;
      for (int i = 0; i < 20; ++i) {
        stepper->step(0.001);
        stepper->observe(observation);
        stepper->observe_balance(observation);
      }
      EXPECT_EQ(allocations - before, 0);
    }
  }
}

}  // namespace
}  // namespace torsor
