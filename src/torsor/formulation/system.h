#pragma once
// What an integrator knows of a mechanism, by the kind of its coordinates.

#include "torsor/formulation/constrained_system.h"
#include "torsor/formulation/tree_system.h"
