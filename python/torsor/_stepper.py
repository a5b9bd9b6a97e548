"""A simulation in the caller's own loop."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._ledger import Ledger

if TYPE_CHECKING:
    from ._model import Model

FloatArray = NDArray[np.float64]


class ByName:
    """Numbers by name: a float where there is one, an array where there are several. ``[...]`` and ``np.asarray`` give all."""

    def __init__(self, array: FloatArray, places: Mapping[str, Any], what: str) -> None:
        self._array, self._places, self._what = array, places, what

    def _place(self, name: Any) -> Any:
        if name is Ellipsis:
            return name
        try:
            return self._places[name]
        except (KeyError, TypeError):
            raise KeyError(f"no {self._what} {name!r}, but {', '.join(self._places)}") from None

    def __getitem__(self, name: Any) -> Any:
        return self._array[self._place(name)]

    def __setitem__(self, name: Any, value: ArrayLike) -> None:
        self._array[self._place(name)] = value

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __array__(self, dtype: Any = None, copy: Any = None) -> FloatArray:
        return np.array(self._array, dtype=dtype)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {self._array[place]}" for name, place in self._places.items()) + "}"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._places)


@dataclass
class State:
    """Where a stepper stands: to be kept, sent, changed and set again. A state that is changed must lose its memory."""

    time: float  #: [s]
    q: FloatArray  #: coordinates of all joints, in file order
    qd: FloatArray  #: rates
    memory: FloatArray  #: what else the next steps depend on; empty: a new start

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, State) and self.time == other.time and np.array_equal(self.q, other.q)
                and np.array_equal(self.qd, other.qd) and np.array_equal(self.memory, other.memory))

    __hash__ = None  # type: ignore[assignment]


class Stepper:
    """A simulation that you advance step by step, for instance with a controller of your own; made by ``model.stepper(step)``.

    ``q``, ``qd``: coordinates and rates by joint, read only. ``effort``: efforts [N m, N] by joint, and ``wrench``: (moment
    [N m], force [N]) by body, at its centre of mass in world axes; both are held until they are set again, and the ledger lists
    their work under ``external``.

    >>> import torsor as ts
    >>> sim = ts.load("tendon_arm").stepper(step=0.01)
    >>> while sim.time < 1:
    ...     sim.effort["elbow"] = -20 * sim.q["elbow"] - 2 * sim.qd["elbow"]
    ...     sim.step()
    >>> bool(abs(sim.q["elbow"]) < 0.2), sim.ledger.energy.max_residual < 1e-10
    (True, True)
    """

    def __init__(self, model: Model, with_tolerance: bool = False, *, _core_stepper: _core.Stepper | None = None) -> None:
        self.model = model
        built = model._compiled
        self._stepper = _core_stepper or _core.Stepper(built, with_tolerance)
        places: dict[str, Any] = {}
        rates: dict[str, Any] = {}
        for name, _, q, q_count, v, v_count in built.joints:
            places[name] = q if q_count == 1 else slice(q, q + q_count)
            rates[name] = v if v_count == 1 else slice(v, v + v_count)
        self.q = ByName(self._stepper.q(), places, "joint")
        self.qd = ByName(self._stepper.qd(), rates, "joint")
        self.effort = ByName(self._stepper.efforts(), rates, "joint")
        self.wrench = ByName(self._stepper.wrenches(), {name: i for i, name in enumerate(built.bodies)}, "body")

    @property
    def time(self) -> float:
        """The simulated time [s]."""
        return self._stepper.time

    def step(self, h: float | None = None, count: int = 1) -> None:
        """Advances by ``count`` steps of ``h`` [s], by default the stepper's own. If a step fails, StepFailure
        is raised and the stepper keeps the last good state. The interpreter lock is released.

        >>> import torsor as ts
        >>> sim = ts.load("tendon_arm").stepper(step=0.01)
        >>> sim.step(); sim.step(0.005, count=2); round(sim.time, 12)
        0.02
        """
        self._stepper.advance(self._stepper.step if h is None else h, count)

    @property
    def energy(self) -> float:
        """Kinetic and potential energy [J]."""
        return float(sum(self._stepper.energy()))

    @property
    def ledger(self) -> Ledger:
        """What was conserved since the stepper was made, copied or set."""
        return Ledger(self._stepper.ledger())

    @property
    def state(self) -> State:
        """The complete state. A stepper whose state is set continues from there, bit for bit as the one that the state was taken from.

        >>> import torsor as ts
        >>> sim = ts.load("tendon_arm").stepper(step=0.01)
        >>> here = sim.state
        >>> sim.step(count=10); there = sim.state
        >>> sim.state = here
        >>> sim.step(count=10); sim.state == there
        True
        """
        time, q, qd, memory = self._stepper.state()
        return State(time, np.array(q), np.array(qd), np.array(memory))

    @state.setter
    def state(self, state: State) -> None:
        numbers = [np.asarray(part, float).ravel().tolist() for part in (state.q, state.qd, state.memory)]
        self._stepper.set_state(float(state.time), *numbers)

    def reset(self, q: ArrayLike | None = None, qd: ArrayLike | None = None, time: float = 0) -> None:
        """Starts again at the given coordinates and rates, by default at the current ones.

        >>> import torsor as ts
        >>> sim = ts.load("tendon_arm").stepper(step=0.01)
        >>> sim.reset(q=[0.1, 0.2, 0.3]); round(float(sim.q["elbow"]), 12)
        0.2
        """
        here = self.state
        self.state = State(time, here.q if q is None else np.asarray(q, float),
                           here.qd if qd is None else np.asarray(qd, float), np.empty(0))

    def copy(self) -> Stepper:
        """A copy in the same state.

        >>> import torsor as ts
        >>> sim = ts.load("tendon_arm").stepper(step=0.01)
        >>> other = sim.copy(); other.step(); sim.time
        0.0
        """
        return Stepper(self.model, _core_stepper=self._stepper.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Stepper:
        return self.copy()

    def __repr__(self) -> str:
        return f"<Stepper of '{self.model.name}' at t = {self.time:g} s>"
