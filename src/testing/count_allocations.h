#pragma once
// Counts heap allocations by replacing the global operator new: to be included by one file of a test program.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace torsor {

inline std::atomic<long> allocations{0};

inline void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (!memory) throw std::bad_alloc();
  return memory;
}

/// Not inlined, or GCC takes `free` after `new` for a mistake.
[[gnu::noinline]] inline void release(void* memory) { std::free(memory); }

}  // namespace torsor

void* operator new(std::size_t size) { return torsor::allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return torsor::allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return torsor::allocate(size, alignof(std::max_align_t));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return torsor::allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t a) {
  return torsor::allocate(size, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return torsor::allocate(size, static_cast<std::size_t>(a));
}
void operator delete(void* memory) noexcept { torsor::release(memory); }
void operator delete[](void* memory) noexcept { torsor::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { torsor::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { torsor::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { torsor::release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { torsor::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { torsor::release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { torsor::release(memory); }
