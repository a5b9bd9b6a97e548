#pragma once
// What the figures show, from the runs of an experiment; thinned to what an eye can tell apart.

#include "experiments/measures.h"

namespace torsor {

using Curves = std::function<std::vector<Curve>(Outcomes)>;
using Series = std::function<double(const Observation& now, const Observation& first)>;

/// One curve a run over time, in the order of `runs`.
Curves over_time(std::vector<int> runs, const Series& series);
/// Several numbers of one run over time, each with its label.
Curves numbers_of(int run, std::vector<std::pair<std::string, Observable>> numbers);
/// |difference| of a number in two runs that record the same times.
Curves difference_over_time(std::string label, int run, int reference, const Observable& of);
/// Paths of centres of mass in the plane of the first two axes: of the bodies given, in one run.
Curves paths(int run, std::vector<int> bodies);
/// One point a run: its measure over its step, or over its number of bodies.
Curves over_steps(std::string label, const std::function<Measure(int)>& measure);
Curves over_bodies(std::string label, const std::function<Measure(int)>& measure);
/// All curves of each.
Curves together(std::vector<Curves> all);
/// Printed values beside ours.
Curves published(Curve curve);

Plot energy_error_plot(std::string title, std::vector<int> runs);  ///< |E(t) - E(0)|, log
Plot constraint_plot(std::string title, std::vector<int> runs);    ///< log
Plot unit_length_plot(std::string title, std::vector<int> runs);   ///< log
Plot order_plot(std::string title);                                ///< mean energy error over step of all

/// At most `most` points: of each stretch those with the least and the largest y.
Curve thinned(const Curve& curve, std::size_t most = 400);

}  // namespace torsor
