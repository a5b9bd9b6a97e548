#pragma once
// The scalars for which the algorithms of tree/ are compiled: one state, a pack of states, and eight
// directional derivatives at once.

#include "torsor/base/dual.h"
#include "torsor/base/pack.h"

namespace torsor {

using Dual1 = Dual<double, 1>;
using Dual8 = Dual<double, 8>;
using Pack4 = Pack<4>;
using Pack8 = Pack<8>;

}  // namespace torsor
