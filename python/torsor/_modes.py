"""Small motions: frequencies, shapes, state space."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Modes:
    """Small motions of a model, as computed by ``Model.modes``.

    The modes are sorted by frequency (``frequencies`` [Hz], ``damping_ratios``, ``eigenvalues`` [1/s]). ``shapes`` has a column for
    each mode and a row for each of the ``rates``; the largest entry of a column is 1. ``A``, ``B``, ``C``, ``D`` are the state space
    x' = A x + B w, y = C x + D w, with the names of x, w and y in ``states``, ``inputs`` and ``outputs``. ``mass``, ``damping`` and
    ``stiffness`` are the matrices of the linearised equations. ``q`` and ``time`` [s] say about which state they hold; ``steady``
    is False if the mechanism accelerates there, ``symmetric`` is True if it is at rest, undamped and all forces have a potential,
    so that the shapes are real.
    """

    frequencies: NDArray[np.float64]  # Hz
    damping_ratios: NDArray[np.float64]
    eigenvalues: NDArray[np.complex128]  # 1/s
    shapes: NDArray[np.complex128]
    rates: list[str]
    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64]
    D: NDArray[np.float64]
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    mass: NDArray[np.float64]
    damping: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    symmetric: bool  # at rest, undamped, with a potential: shapes are real
    steady: bool  # it does not accelerate there
    q: dict[str, Any]
    time: float  # s

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Modes:
        modes = found["modes"]
        count, states = len(modes), len(found["states"])
        rates, columns = _shapes(modes)

        def matrix(name: str, width: int) -> NDArray[np.float64]:
            rows = np.array(found[name], dtype=float)
            return rows.reshape(len(found[name]), width)

        half = len(found["mass"])  # states of muscles stand behind coordinates and rates
        return cls(
            frequencies=np.array([mode["frequency"] for mode in modes], dtype=float),
            damping_ratios=np.array([mode["damping_ratio"] for mode in modes], dtype=float),
            eigenvalues=np.array([complex(*mode["eigenvalue"]) for mode in modes], dtype=complex),
            shapes=np.array(columns, dtype=complex).reshape(count, len(rates)).T,
            rates=rates, A=matrix("A", states), B=matrix("B", len(found["inputs"])), C=matrix("C", states),
            D=matrix("D", len(found["inputs"])), states=found["states"], inputs=found["inputs"], outputs=found["outputs"],
            mass=matrix("mass", half), damping=matrix("damping", half), stiffness=matrix("stiffness", half),
            symmetric=found["symmetric"], steady=found["steady"], q=found["q"], time=found["time"])


def _shapes(modes: list[dict[str, Any]]) -> tuple[list[str], list[list[complex]]]:
    """Names of rates, and a list for each mode."""
    names: list[str] = []
    columns: list[list[complex]] = []
    for mode in modes:
        names, column = [], []
        parts = [mode["shape"], mode["shape_imaginary"]]
        for joint, entry in mode["shape"]["joints"].items():
            real, imaginary = [np.zeros(np.size(entry)) if part is None else np.atleast_1d(part["joints"][joint])
                               for part in parts]
            names += [f"{joint}[{i}]" for i in range(len(real))] if len(real) > 1 else [joint]
            column += [complex(x, y) for x, y in zip(real, imaginary)]
        columns.append(column)
    return names, columns
