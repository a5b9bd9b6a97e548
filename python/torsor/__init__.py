"""Torsor: structure-preserving simulation of multibody systems, with a proof, and the dynamics of trees.

>>> import torsor as ts
>>> run = ts.load("tendon_arm").simulate(duration=1, step=0.01)
>>> run.ledger.energy.max_residual < 1e-12
True
"""
from ._compare import Comparison, compare
from ._core import Dynamics
from ._core import version as __version__
from ._ledger import Ledger, Record
from ._load import gallery, load
from ._model import Interrupted, Model, resume
from ._modes import Modes
from ._run import Run, read
from ._stepper import Stepper
from ._sweep import Sweep, sweep
from .errors import Error, ModelError, StepFailure
from .units import cm, deg, g, kN, mm, ms, rev, rpm

__all__ = [
    "Comparison", "Dynamics", "Error", "Interrupted", "Ledger", "Model", "ModelError", "Modes", "Record", "Run", "StepFailure",
    "Stepper", "Sweep", "__version__", "cm", "compare", "deg", "g", "gallery", "kN", "load", "mm", "ms", "read", "resume", "rev", "rpm",
    "sweep",
]
