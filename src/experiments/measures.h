#pragma once
// The small vocabulary in which experiments say what is measured. Runs are named by their place in the
// experiment.

#include "experiments/experiment.h"

namespace torsor {

/// The run, if it went to its end; throws std::runtime_error with what stopped it otherwise.
const RunOutcome& finished(Outcomes outcomes, int run);

using Observable = std::function<double(const Observation&)>;

// Of one run.
Measure energy_error_max(int run);           ///< of |E(t) - E(0)| [J]
Measure energy_error_mean(int run);          ///< likewise
Measure relative_energy_error_max(int run);  ///< over |E(0)|
Measure relative_energy_error_end(int run);
Measure energy_change_after(int run, double time);  ///< largest |E(t) - E(time)| for t >= time
/// Rise of the straight line through the energy error over the whole run, over the largest error: 0 for what
/// swings within bounds, towards 1 for what drifts.
Measure energy_trend(int run);
Measure balance_residual(int run);  ///< of the ledger, relative to its scale of energy
Measure constraint_error(int run);  ///< largest, of positions [m]
Measure linear_momentum_error(int run);
Measure angular_momentum_error(int run);
Measure unit_length_error(int run);                 ///< largest, of quaternions
Measure unit_length_error_end(int run, int joint);  ///< of one joint's
Measure attitude_norm_error(int run);               ///< largest | |R| - 1 | of all bodies' rotations
Measure evaluations(int run);                       ///< of the right-hand side
Measure wall_seconds(int run);
Measure simulated_time(int run);
Measure largest(int run, Observable of);
Measure least(int run, Observable of);  ///< with its sign
Measure at_end(int run, Observable of);
/// How far the common centre of mass moves [m].
Measure centre_moves(int run);

// Of several.
Measure distance_at_end(int run, int reference);                ///< of centres of mass [m]
Measure difference_at_end(int run, int reference, Observable);  ///< of one number
/// Over all times; both record the same ones.
Measure largest_difference(int run, int reference, Observable of);
/// Slope of log y over log h by least squares over the runs first..last, of which y is the measure.
Measure order(int first, int last, const std::function<Measure(int)>& of);
/// Of the mean energy error, over all runs whose step lies within the bounds.
Measure energy_order(double least_step, double most_step);
Measure distance_order(int first, int last, int reference);
Measure difference_order(int first, int last, int reference, Observable of);
/// Slope of log(wall time) over log(bodies).
Measure time_growth(int first, int last);
/// Largest ratio of the mean energy error at a step to that at any greater one, over all runs: at most 1 if
/// a smaller step never makes it worse.
Measure worst_refinement();
/// Of all runs: the least mean energy error, the largest step that went to the end.
Measure least_energy_error_mean();
Measure largest_step();
/// 1 if the model was refused, 0 otherwise.
Measure is_refused(int run);

/// Why the first run that stopped early did; empty if none did.
std::string first_fault(Outcomes outcomes);

// Observables.
Observable joint_coordinate(int joint, int coordinate = 0);

}  // namespace torsor
