#pragma once
// How good the motion of a run is, as far as it was measured. What is conserved is another question: the ledger's.

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace torsor {

/// Whether the steps resolve the motion: what can be seen from the run alone.
enum class MotionVerdict {
  unknown,     ///< too few steps to tell, or nothing moves
  controlled,  ///< by the method itself, to its tolerance
  resolved,
  coarse,
  unresolved
};
const char* name_of(MotionVerdict verdict);  ///< "not resolved"

/// Largest values along a run (motion_watch.h), each with its time.
struct MotionIndicator {
  int order = 0;               ///< of the method
  double controlled_to = 0;    ///< tolerance of a method that controls its error; else 0
  double phase = 0;            ///< by which velocities swing in a step [rad]
  double phase_time = 0;       ///< [s]
  double turn = 0;             ///< of a body in a step [rad]
  double turn_time = 0;        ///< [s]
  std::string turn_body;       ///< whose it is
  double velocity_change = 0;  ///< in a step, over the largest speed
  double constraint_rate = 0;  ///< `velocity max` of constraints, over the largest speed
  MotionVerdict verdict = MotionVerdict::unknown;
  std::optional<double> try_step;  ///< that would resolve it; none where it is resolved [s]
};

/// One channel of a result, or the worst of those of one quantity.
struct ChannelError {
  std::string name;  ///< `bodies/link1/com`
  std::string unit;
  double error = 0;       ///< largest that was estimated
  double time = 0;        ///< of it [s]
  double scale = 0;       ///< by which it is measured; 0: the channel rests
  double digits() const;  ///< that stand: -log10(error / scale), from 0 to 16
};

/// What runs with finer steps say of a run.
struct Verification {
  struct Trust {
    double to = 0;                ///< error of the motion
    std::optional<double> until;  ///< it is larger from then on [s]; none: up to the end it is not
  };
  std::string against;  ///< which runs: "half the step, 0.005 s"
  int order = 0;        ///< of the method
  std::optional<double> observed_order;
  double size = 0;      ///< of the mechanism [m]
  ChannelError motion;  ///< positions over the size, directions [rad]; the name is that of the body
  std::vector<ChannelError> groups;     ///< of each quantity (`bodies/com`) its worst channel
  std::vector<std::string> quantities;  ///< of the groups
  std::vector<ChannelError> channels;   ///< all of them
  std::vector<Trust> trusted;
  std::string failure;  ///< why there is no verification; else empty
};

/// Steps that were chosen for an accuracy.
struct StepChoice {
  double asked = 0;                      ///< error of the motion
  double estimated = 0;                  ///< of the steps that were taken
  double least_step = 0, most_step = 0;  ///< [s]
  long steps = 0, steps_in_all = 0;      ///< of the run; with all that were tried
  double wall_seconds = 0;               ///< of the choice
  std::optional<double> until;           ///< where it fell short: up to when the accuracy is reached [s]
  std::string shortfall;                 ///< why; empty where it did not
};

struct Accuracy {
  MotionIndicator indicator;
  std::optional<Verification> verification;
  std::optional<StepChoice> choice;
};

/// What is to be said of a motion that is not resolved; empty where there is nothing. `exact_energy`: the method
/// keeps the balance all the same.
std::string warning_of(const MotionIndicator& indicator, bool exact_energy);

/// The section of the ledger's table on the motion.
void print(std::ostream&, const Accuracy&, bool exact_energy);

}  // namespace torsor
