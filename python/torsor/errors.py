"""What can go wrong: bad input (ModelError), a step that cannot be made (StepFailure)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._wording import in_python

if TYPE_CHECKING:
    from ._run import Run


class Error(RuntimeError):
    """Any error that Torsor itself raises."""


class ModelError(Error, ValueError):
    """Bad input: which key, what was expected there and what was found.

    >>> import torsor as ts
    >>> try:
    ...     ts.load({"torsor": 1, "bodies": {"link": {"mass": -1, "inertia": [1, 1, 1]}}})
    ... except ts.ModelError as error:
    ...     print(error.key, "|", error.found)
    bodies.link.mass | -1
    """

    key: str  #: path in the model file: ``bodies.link.mass``
    expected: str
    found: str
    file: str  #: empty where there is none
    line: int  #: of the file, or of ``model.to_yaml()``; 0 where it is unknown

    def __init__(self, key: str, expected: str, found: str, file: str = "", line: int = 0, message: str = "") -> None:
        super().__init__(in_python(message) or f"{key}: expected {expected}; found {found}")
        self.key, self.expected, self.found = in_python(key), in_python(expected), in_python(found)
        self.file, self.line = "" if file.startswith("--set ") else file, line  # --set: given in Python, not in a file

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.key, self.expected, self.found, self.file, self.line, str(self))


class StepFailure(Error, ArithmeticError):
    """A step that did not converge or led to no finite state; ``run`` holds everything before it.

    >>> import torsor as ts
    >>> try:
    ...     ts.load("tendon_arm").simulate(duration=5, step=0.5, formulation="joint",
    ...                                    integrator={"name": "implicit-midpoint", "max_iterations": 1})
    ... except ts.StepFailure as failure:
    ...     print(failure.run.status, failure.time < 5)
    failed True
    """

    time: float  #: at which the step began [s]
    step: float  #: its size [s]
    residual: float
    iterations: int
    advice: str
    run: Run | None  #: what was computed before; of a stepper None

    def __init__(self, time: float, step: float, residual: float, iterations: int, advice: str, message: str = "",
                 run: Run | None = None) -> None:
        super().__init__(message or f"step of {step:g} s at t = {time:g} s failed: {advice}")
        self.time, self.step, self.residual, self.iterations, self.advice = time, step, residual, iterations, advice
        self.run = run

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.time, self.step, self.residual, self.iterations, self.advice, str(self), self.run)
