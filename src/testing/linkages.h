#pragma once
// Closed loops, described in C++: what tests of assembly and of loops run on. All angles start at zero unless
// said; without gravity.

#include <functional>

#include "torsor/model/model.h"

namespace torsor::reference {

/// Planar: `drive`, `crank_pin`, `pivot` make the tree, `rocker_pin` closes the loop. Lengths of the bars;
/// the ground pins lie on x.
ModelDescription four_bar(double crank, double coupler, double rocker, double ground);
/// The same in space, every axis along z: three of its five loop constraints repeat others.
ModelDescription spatial_four_bar(double crank = 0.5, double coupler = 1.5, double rocker = 1,
                                  double ground = 1.5);
/// `drive`, `crank_pin` and `guide` (along x) make the tree, `wrist_pin` closes the loop.
ModelDescription slider_crank(double crank, double rod);
/// The N-four-bar: n + 1 vertical cranks of 1 m on ground pins 1 m apart, their tops joined by bars of 1 m;
/// `crank<i>`, `top<i>` carry, `pin<i>` close. Angles zero lie flat along x.
ModelDescription parallel_four_bars(int n);
/// n x n crosses of two bars, pinned in their middles and at their ends, hung at a corner: it folds as one, so
/// most rows of its loops are redundant. Starts closed, in one plane.
ModelDescription scissors(int n);
/// `links` bars in the plane from the origin, joints `j0`.., the last pinned back to the ground at (ground,
/// 0) by `pin`.
ModelDescription planar_loop(int links, const std::function<double()>& length, double ground);
/// Bricard's loop of six equal links of 1 m, neighbouring axes at right angles, one degree of freedom and one
/// redundant constraint; starts closed.
ModelDescription bricard();

}  // namespace torsor::reference
