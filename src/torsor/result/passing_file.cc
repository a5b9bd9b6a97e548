#include "torsor/result/passing_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <random>

namespace torsor {
namespace {

constexpr int kTries = 100;

/// What a signal handler may read: no memory that grows, no lock. More at a time are not noted, but removed at their end.
struct Slot {
  static constexpr int kFree = 0, kTaken = 1, kFile = 2, kFolder = 3;
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> path;
};
std::array<Slot, 64> slots;
std::atomic<bool> is_ending{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void wait_for_end() {
  while (is_ending) pause();
}

int noted(const std::string& path, Passing::Kind kind) {
  if (path.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = Slot::kFree;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::kTaken)) continue;
    wait_for_end();  // the handler may still read what the slot held
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].state = kind == Passing::Kind::file ? Slot::kFile : Slot::kFolder;
    wait_for_end();  // or it has passed the slot, and what it holds would be left
    return static_cast<int>(i);
  }
  return -1;
}

std::string chance() {
  constexpr char kLetters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device device;
  std::string text;
  for (int i = 0; i < 8; ++i) text += kLetters[device() % (sizeof kLetters - 1)];
  return text;
}

}  // namespace

Passing::Passing(std::string path, Kind kind)
    : path_(std::move(path)), kind_(kind), slot_(noted(path_, kind)) {}

Passing::~Passing() {
  const int fault = errno;
  if (!path_.empty()) kind_ == Kind::file ? unlink(path_.c_str()) : rmdir(path_.c_str());
  keep();
  errno = fault;
}

void Passing::keep() {
  path_.clear();
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].state = Slot::kFree;
  slot_ = -1;
}

int make_passing_file(const std::string& target, Passing& file) {
  for (int i = 0; i < kTries; ++i) {
    file = Passing(target + "." + chance() + ".tmp", Passing::Kind::file);
    const int descriptor =
        open(file.path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    file.keep();
    if (errno != EEXIST) return -1;
  }
  return -1;
}

bool make_passing_folder(Passing& folder) {
  std::error_code fault;
  const std::filesystem::path place = std::filesystem::temp_directory_path(fault);
  errno = fault.value();
  for (int i = 0; i < kTries && !fault; ++i) {
    folder = Passing((place / ("torsor-" + chance())).string(), Passing::Kind::folder);
    if (mkdir(folder.path().c_str(), 0700) == 0) return true;
    folder.keep();
    if (errno != EEXIST) return false;
  }
  return false;
}

void remove_passing() noexcept {
  is_ending = true;
  for (const int kind : {Slot::kFile, Slot::kFolder}) {
    for (Slot& slot : slots) {
      if (slot.state == kind) kind == Slot::kFile ? unlink(slot.path.data()) : rmdir(slot.path.data());
    }
  }
}

}  // namespace torsor
