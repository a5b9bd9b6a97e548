"""Curves over time by matplotlib."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._run import Run


def plot_run(run: Run, what: tuple[str, ...], ax: Any) -> Any:
    import matplotlib.pyplot as plt

    paths = [path for name in what for path in run.paths
             if path == name or path.startswith(name + "/") or (path.startswith(name.split("*")[0]) and "*" in name)]
    if not paths:
        raise KeyError(f"nothing to plot in {', '.join(what)}")
    if ax is None:
        ax = plt.subplots()[1]
    units = list(dict.fromkeys(run.unit(path) for path in paths))
    for path in paths:
        values = run[path]
        for i, component in enumerate(run.components(path)):
            label = path + ("." + component if component else "")
            ax.plot(run.t, values if values.ndim == 1 else values[:, i], label=label)
    ax.set_xlabel("t [s]")
    ax.set_ylabel(f"[{', '.join(units)}]")
    ax.legend(fontsize="small")
    return ax
