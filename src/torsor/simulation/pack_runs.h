#pragma once
// Several mechanisms of one build stepped at once on one core, a lane each: parameters, starts and programs differ.

#include <array>
#include <bitset>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/simulation/record.h"
#include "torsor/simulation/stepper.h"

namespace torsor {

class LockStep;

/// Steppers of one formulation and integrator in lock-step. A lane's numbers do not depend, to the last bit, on which
/// lanes there are beside it, on their number or on what becomes of them; they differ by rounding from those of the
/// stepper alone, whose arithmetic has another order.
class StepperPack {
 public:
  static constexpr int kWidths[] = {4, 8};
  static constexpr int kMost = 8;

  /// One to `width` steppers, which stand at one time and are stepped by the pack alone from now on. The width is one of
  /// kWidths; it decides what a step costs, and no number: where it would, 8 lanes are taken. Throws NotPackable
  /// (base/pack_lanes.h), which names what keeps them from being packed.
  explicit StepperPack(std::vector<Stepper*> steppers, int width = kMost);
  ~StepperPack();

  /// Leaves the steppers where they stand, and has none.
  void release();
  /// Goes on with others, one to `width` again, as if it were made of them; what is the same for all mechanisms of one build
  /// is kept. False where they are of another build, or packed of a kind that keeps nothing; then, and where NotPackable is
  /// thrown, the pack is of no more use.
  bool take(const std::vector<Stepper*>& steppers);

  int size() const { return size_; }
  /// All lanes but those that have failed by h.
  void step(double h);
  /// Finds for all lanes at once what their steppers would find when their balance is observed next.
  void share_balances();
  /// Takes a lane out; its stepper stays where it is.
  void stop(int lane) { running_.reset(lane); }
  const std::optional<StepFailure>& failure(int lane) const;

 private:
  void start(std::size_t lanes);

  int width_, size_ = 0;
  std::unique_ptr<LockStep> lanes_;
  std::bitset<kMost> running_;
};

/// Why models with these steppers cannot be stepped as a pack; empty: they can.
std::string pack_fault(const std::vector<Stepper*>& steppers);

/// Finds by measurement which width pays, for runs of one mechanism on one thread: the first packs take turns, and are timed.
/// All of them are runs that are wanted.
class PackWidth {
 public:
  static PackWidth of(int width);  ///< decided beforehand
  int next() const;
  bool is_decided() const;
  /// What a full pack took, its making included, by the steps of all its runs.
  void book(int width, double seconds_per_step);

 private:
  static constexpr int kRounds = 3;
  struct Timed {
    int rounds = 0;
    double least = std::numeric_limits<double>::infinity();  ///< [s]
  };
  std::array<Timed, std::size(StepperPack::kWidths)> timed_;
};

/// What is kept from pack to pack, for runs of one mechanism on one thread.
struct PackBench {
  PackWidth width;
  /// To be used again, by width.
  std::array<std::unique_ptr<StepperPack>, std::size(StepperPack::kWidths)> packs{};
  RecordedMotion recorded{};
};

/// simulate() of each stepper, in packs where they can be, else one by one: what a run gives depends on its stepper
/// alone. `listeners` has a list for each, or is empty. Without a bench packs are as wide as they can be, and made anew.
std::vector<Record> simulate_pack(const std::vector<Stepper*>& steppers, const RunSettings& settings,
                                  std::span<const std::vector<RunListener*>> listeners = {}, bool keep = true,
                                  PackBench* bench = nullptr);

}  // namespace torsor
