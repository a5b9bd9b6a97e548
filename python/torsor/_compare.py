"""How far two runs are from each other."""
from __future__ import annotations

import numpy as np

from ._run import FloatArray, Run


class Comparison(dict[str, float]):
    """The largest differences by dataset. Printing it shows the time span and the worst dataset of each group."""

    span: tuple[float, float]

    def __repr__(self) -> str:
        lines = [f"largest differences over {self.span[0]:g} to {self.span[1]:g} s"]
        groups: dict[str, tuple[float, str]] = {}
        for path, difference in self.items():
            parts = path.split("/")
            group = f"{parts[0]}/*/{parts[-1]}" if len(parts) == 3 else path
            groups[group] = max(groups.get(group, (-1.0, "")), (difference, path))
        width = max(map(len, groups), default=0)
        lines += [f"  {group:<{width}}  {difference:10.3g}" + (f"  ({path})" if path != group else "")
                  for group, (difference, path) in groups.items()]
        return "\n".join(lines)


def _on(times: FloatArray, run: Run, path: str) -> FloatArray:
    """At other times: linear between records."""
    values = run[path].reshape(len(run.t), -1)
    if np.array_equal(times, run.t):
        return values
    return np.stack([np.interp(times, run.t, column) for column in values.T], axis=1)


def compare(a: Run, b: Run) -> Comparison:
    """The largest absolute difference of every dataset that both runs have, over the time that both cover.

    Where the runs have records at different times, ``b`` is interpolated linearly. Solver statistics are left out.

    >>> import torsor as ts
    >>> model = ts.load("tendon_arm")
    >>> a, b = model.simulate(duration=1), model.simulate(duration=1, formulation="joint", integrator="dopri5")
    >>> difference = ts.compare(a, b)
    >>> difference["bodies/link3/com"] < 1e-4                            # [m]
    True
    """
    last = min(a.t[-1], b.t[-1])
    times = a.t[a.t <= last]
    result = Comparison()
    result.span = (float(times[0]), float(last))
    for path in a.paths:
        if path in b and path != "time" and not path.startswith("solver/"):
            left = a[path].reshape(len(a.t), -1)[: len(times)]
            right = _on(times, b, path)
            if left.shape == right.shape:
                result[path] = float(np.max(np.abs(left - right), initial=0.0))
    return result
