"""What the functions of Dynamics give where it is more than one array. Many states have leading axes."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_Array = NDArray[np.float64]


class Energy(NamedTuple):
    kinetic: _Array  #: [J]
    potential: _Array  #: of gravity [J]


class InverseDynamicsDerivatives(NamedTuple):
    effort: _Array  #: (nv,)
    by_q: _Array  #: (nv, nv): [i, j] is effort i by coordinate j
    by_qd: _Array  #: (nv, nv)


class ForwardDynamicsDerivatives(NamedTuple):
    qdd: _Array  #: (nv,)
    by_q: _Array  #: (nv, nv)
    by_qd: _Array  #: (nv, nv)
    by_effort: _Array  #: (nv, nv), the inverse of the mass matrix


class InverseDynamicsSecondDerivatives(NamedTuple):
    by_q_q: _Array  #: (nv, nv, nv)
    by_q_qd: _Array
    by_qd_qd: _Array
    by_q_qdd: _Array


class EffortRates(NamedTuple):
    effort: _Array  #: (nv,)
    first: _Array  #: time derivative
    second: _Array


class Linearisation(NamedTuple):
    A: _Array  #: (2 nv, 2 nv)
    B: _Array  #: (2 nv, nv)
    qdd: _Array  #: (nv,), of the reference


class Mode(NamedTuple):
    eigenvalue: complex  #: [1/s]
    frequency: float  #: [Hz]
    damping_ratio: float
    shape: list[complex]
