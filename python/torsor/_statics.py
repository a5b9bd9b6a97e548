"""Where a mechanism rests, how it swings, what it reaches."""
from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from . import _core
from ._builder import Vector
from ._ledger import Record
from ._modes import Modes


class Statics:
    """Answers that need no simulation."""

    @property
    @abstractmethod
    def _compiled(self) -> _core.Model: ...

    def equilibrium(self) -> Record:
        """The rest position that a slow, heavily damped motion from the start would reach (``torsor equilibrium``).

        Members: ``q`` by joint name, ``potential`` [J], ``stability`` (stable, neutral, unstable), ``reactions``, ``tendons``.

        >>> import torsor as ts
        >>> rest = ts.load("four_bar").equilibrium()
        >>> rest.stability, rest.residual < 1e-9
        ('stable', True)
        """
        return Record(json.loads(self._compiled.equilibrium_json(False, 0, False))["equilibria"][0])

    def equilibria(self, *, starts: int = 0) -> list[Record]:
        """All rest positions that a search from many starts finds, by increasing potential; there may be others.

        >>> import torsor as ts
        >>> [rest.stability for rest in ts.load("toggle").equilibria()]
        ['stable', 'stable', 'unstable']
        """
        found = json.loads(self._compiled.equilibrium_json(True, starts, False))["equilibria"]
        return [Record(one) for one in found]

    def hold(self) -> Record:
        """The smallest actuator efforts that hold the mechanism at its start. Members: ``efforts``, ``holds``, ``free_efforts``.

        >>> import torsor as ts
        >>> ts.load("rpr_platform").hold().holds
        True
        """
        return Record(json.loads(self._compiled.equilibrium_json(False, 0, True)))

    def modes(self, at: str | float = "equilibrium", *, out: str | os.PathLike[str] | None = None,
              force: bool = False) -> Modes:
        """Modes of small motions (``torsor modes``) about the rest position near the start, about the start itself (``"start"``), or
        about the state at a time [s], to which the model is then simulated.

        out: writes a ``.json`` or ``.mat`` file for other programs. force: also over a file that is not one of Torsor.

        >>> import torsor as ts
        >>> modes = ts.load("four_bar").modes()
        >>> modes.A.shape, modes.frequencies.shape
        ((2, 2), (1,))
        """
        where = at if isinstance(at, str) else f"t={at!r}"
        return Modes._of(json.loads(self._compiled.modes_json(where, "" if out is None else os.fspath(out), force)))

    def reach(self, **points: Vector) -> Record:
        """The pose near the start that brings named points to given positions [m]. Members: ``q`` by joint name, ``reaches``, ``miss`` [m].

        >>> import torsor as ts
        >>> arm = ts.Model("arm", dimension=2)
        >>> link = arm.body("link", mass=1, inertia=0.1)
        >>> arm.joint("shoulder", "revolute", "world", link); arm.point("hand", link, (1, 0))
        'shoulder'
        'hand'
        >>> round(arm.reach(hand=(0, 1)).q["shoulder"], 9)
        1.570796327
        """
        return Record(self._poses(points, False, 0)[0])

    def reach_all(self, *, starts: int = 0, **points: Vector) -> list[Record]:
        """All poses that a search from many starts finds, the nearest first; there may be others (``torsor pose --all``).

        >>> import torsor as ts
        >>> poses = ts.load("driven_arm").reach_all(palm=(0.6, 0.5))
        >>> all(pose.reaches for pose in poses), poses[0].self_motions
        (True, 1)
        """
        return [Record(one) for one in self._poses(points, True, starts)]

    def assembly_modes(self, *, starts: int = 0) -> list[Record]:
        """All ways in which the loops can be closed with the independent coordinates of the start; the first is the start itself.

        >>> import torsor as ts
        >>> len(ts.load("four_bar").assembly_modes())
        2
        """
        return [Record(one) for one in json.loads(self._compiled.pose_json([], False, True, starts))["assembly_modes"]]

    def _poses(self, points: Mapping[str, Vector], every: bool, starts: int) -> list[dict[str, Any]]:
        wanted = [f"{name}={','.join(repr(float(x)) for x in place)}" for name, place in points.items()]
        poses: list[dict[str, Any]] = json.loads(self._compiled.pose_json(wanted, every, False, starts))["poses"]
        return poses
