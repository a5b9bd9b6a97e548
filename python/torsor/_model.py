"""Models: read, built in Python, simulated."""
from __future__ import annotations

import copy
import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from . import _core
from ._builder import Builder, Number, Vector
from ._ledger import Record
from ._progress import ProgressBar, make_progress
from ._laws import Law
from ._run import Run
from ._statics import Statics
from ._stepper import Stepper
from ._yaml import document, flow, plain
from .errors import ModelError


class Interrupted(UserWarning):
    """Warning: a run was ended by Ctrl-C; the run holds what was computed."""


class Model(Statics, Builder):
    """A mechanism, described as in a model file: bodies, joints, tendons, springs, loads, actuators, controllers, a start.

    Read one with ``ts.load``, or build it part by part with the methods below. Numbers are in SI units and radians; strings may
    carry units (``"30 deg"``). The model is checked when it is first used; ``ts.ModelError`` then names the key that is wrong.

    >>> import torsor as ts
    >>> arm = ts.Model("arm", dimension=2, gravity=(0, -9.81))
    >>> link = arm.body("link", mass=1, com=(0.5, 0), inertia=0.1)                      # kg, m, kg m^2
    >>> arm.joint("shoulder", "revolute", "world", link, angle=30 * ts.deg)
    'shoulder'
    >>> run = arm.simulate(duration=1, step=0.01, formulation="joint", integrator="gauss-legendre")
    >>> run.ledger.energy.max_residual < 1e-6                                           # J
    True
    """

    def __init__(self, name: str | None = None, *, dimension: int = 3, gravity: Vector | None = None) -> None:
        spec: dict[str, Any] = {"torsor": 1, "name": name, "dimension": dimension, "gravity": gravity, "bodies": {}}
        self._spec, self._built, self._overrides = plain(spec), None, []
        self._text, self._file, self._imported = "", "", ""
        self._laws, self._files = {}, []

    # Texts and dicts

    @classmethod
    def _of_text(cls, text: str, file: str, overrides: Iterable[tuple[str, str]] = (),
                 laws: Mapping[str, Law] | None = None) -> Model:
        model = cls.__new__(cls)
        model._spec, model._text, model._file, model._overrides = None, text, file, list(overrides)
        model._built, model._imported, model._laws, model._files = None, "", dict(laws or {}), []
        return model

    def _words(self) -> dict[str, Any]:
        """What a file can hold of it."""
        if self._spec is not None:
            return copy.deepcopy(self._spec)
        result: dict[str, Any] = json.loads(_core.model_json(self._text, self._file, self._overrides))
        return result

    def _require_words(self) -> None:
        for name in self._laws:
            raise ModelError(f"laws.{name}", "a model without laws of its own, to be written as a file",
                             "a function, which no file can hold")

    def to_yaml(self) -> str:
        """The model as the text of a model file.

        >>> import torsor as ts
        >>> print(ts.Model("none", dimension=2).to_yaml().splitlines()[0])
        torsor: 1
        """
        self._require_words()
        if self._spec is None and not self._overrides:
            return self._text
        return document(self._words())

    def to_dict(self) -> dict[str, Any]:
        """The model file as plain dicts and lists, with keys and units as in the file.

        >>> import torsor as ts
        >>> model = ts.load("pendulum")
        >>> ts.load(model.to_dict()) == model
        True
        """
        self._require_words()
        return self._words()

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a model file (YAML). A name that ends in ``.urdf`` gives URDF, if the model is a tree and URDF can express it.

        >>> import torsor as ts, tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ts.load("pendulum").save(os.path.join(folder, "mine.yaml"))
        ...     again = ts.load(os.path.join(folder, "mine.yaml"))
        >>> again == ts.load("pendulum")
        True
        """
        path = os.path.abspath(os.fspath(file))
        if path.endswith(".urdf") or self._imported:  # meshes are named from the folder of the file
            text = _core.converted_text(self.to_yaml(), self._file, [], path)
        else:
            text = self.to_yaml()
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    @property
    def _compiled(self) -> _core.Model:
        if self._built is None:
            text = self._text if self._spec is None else document(self._spec)
            self._built = _core.Model(text, self._file, self._overrides, [law.compiled() for law in self._laws.values()], self._files)
        return self._built

    def set(self, values: Mapping[str, Any]) -> Model:
        """A copy of the model with some values replaced, as by ``torsor run --set``.

        >>> import torsor as ts
        >>> stiff = ts.load("tendon_arm").set({"tendons.biarticular.stiffness": 5, "gravity": (0, -9.81)})
        >>> stiff.to_dict()["gravity"]
        [0, -9.81]
        """
        overrides = [(path, flow(plain(value))) for path, value in values.items()]
        text = self._text if self._spec is None else document(self._spec)
        changed = Model._of_text(text, self._file, [*self._overrides, *overrides], self._laws)
        changed._imported, changed._files = self._imported, self._files
        changed._compiled
        return changed

    # What it is

    @property
    def name(self) -> str:
        return self._compiled.name

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._compiled.dimension

    @property
    def bodies(self) -> list[str]:
        """Names, in file order."""
        return self._compiled.bodies

    @property
    def joints(self) -> list[str]:
        """Names, in file order. The free joint of a floating body has the name of the body."""
        return [joint[0] for joint in self._compiled.joints]

    @property
    def tendons(self) -> list[str]:
        return self._compiled.tendons

    @property
    def actuators(self) -> list[str]:
        return self._compiled.actuators

    def check(self) -> Record:
        """What the model is: dof, loops, what it conserves, which methods can simulate it (``torsor check --json``).

        >>> import torsor as ts
        >>> report = ts.load("four_bar").check()
        >>> report.dof, report.loops
        (1, ['rocker_pin'])
        """
        return Record(json.loads(self._compiled.check_json()))

    def evaluate(self, *quantities: str, **state: Mapping[str, Any] | Sequence[str] | float) -> Record:
        """Quantities at a state, springs and other elements included (``torsor eval``).

        The state is given by ``q``, ``qd``, ``qdd`` and ``effort``, each a mapping by joint name; further by ``time``, by
        ``actuators`` (efforts by name, in place of their programs) and, in models with loops, by ``independent``: the joints
        in whose rates the answers are expressed. Joints of a loop that are not given follow from the others.

        >>> import torsor as ts
        >>> model = ts.load("pendulum")
        >>> sorted(model.evaluate("energy", q={model.joints[0]: 0.5}).energy)
        ['elastic', 'gravity', 'kinetic', 'total']
        >>> robot = ts.load("five_bar")
        >>> robot.evaluate("independent", q={"left_shoulder": 2.1, "right_shoulder": 1.0}).independent
        ['left_shoulder', 'right_shoulder']
        """
        return Record(json.loads(self._compiled.evaluation_json(json.dumps(plain(state)), list(quantities))))

    def show(self, file: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a self-contained HTML page of the assembled start, with a slider for each joint (``torsor show``). ``force``: also over
        a file that is not a page of Torsor.

        >>> import torsor as ts, tempfile, os
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ts.load("four_bar").show(os.path.join(folder, "four_bar.html"))
        """
        _core.write_show(self._compiled, os.fspath(file), force)

    # What it does

    def simulate(self, duration: Number | None = None, step: Number | None = None, *, formulation: str | None = None,
                 integrator: str | Mapping[str, Any] | None = None, tolerance: float | None = None,
                 record: str | Sequence[str] | None = None, record_every: int | Mapping[str, Any] | None = None,
                 extrema: bool = False, out: str | os.PathLike[str] | None = None,
                 progress: bool | Callable[[float], Any] | None = None, verify: bool = False,
                 accuracy: float | None = None, checkpoint: str | None = None, force: bool = False) -> Run:
        """Simulates and returns the run: the same numbers as ``torsor run``. Arguments that are not given are taken from the model.

        - duration, step: in seconds, or strings with units
        - integrator: a name, or ``{"name": .., option: ..}`` (``torsor list integrators``)
        - tolerance: of the solver, or of the error control
        - record: the channels to keep, by path or by the beginning of a path, with ``*`` and ``?``; all by default
        - record_every: steps between two records, or ``{"steps": N, "keep": "extremes"}``, which also records the extremes
          between them
        - extrema: puts least and greatest values into the ledger (``run.extrema()`` has them in any case)
        - out: a result file (``.h5``, ``.csv``), written during the run
        - progress: True, False, a function of the simulated time [s], or None for a progress bar on a terminal or in a notebook
        - verify: simulates again with finer steps; ``run.accuracy`` then says how many digits of each channel are correct
        - accuracy: chooses the steps so that the error of the motion stays below this value (positions relative to the size of
          the mechanism, angles in rad), with ``energy-momentum`` and ``petrov-galerkin``
        - checkpoint: how often a ``.h5`` file stores a state from which ``ts.resume`` can continue: ``"10 s"`` (the default),
          ``"5 min"``, ``"1000 steps"``, ``"off"``
        - force: lets ``out`` replace a file that is not a result of Torsor; the model's own files are never replaced

        Raises StepFailure if a step fails; its attribute ``run`` holds what was computed until then. Ctrl-C ends the run with a
        warning; it then has the status ``interrupted`` and holds what was computed. In a model with laws of your own, Ctrl-C
        raises KeyboardInterrupt, and errors of your functions are passed on; both carry the attribute ``run``. The interpreter
        lock is released, so that runs in several threads use several cores.

        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=2, integrator={"name": "energy-momentum", "reduction": "null-space"})
        >>> run.ledger.energy.max_error < 1e-12                                         # J
        True
        >>> ts.load("tendon_arm").simulate(duration=2, verify=True).accuracy.digits.motion > 3
        True
        """
        asked = {"duration": duration, "step": step, "formulation": formulation, "integrator": integrator,
                 "tolerance": tolerance, "record": record, "record_every": record_every}
        changes = {f"simulation.{key}": value for key, value in asked.items() if value is not None}
        model = (self.set(changes) if changes else self)._compiled
        length = json.loads(_core.settings_json(model))["duration"]
        shown = make_progress(progress, length)
        try:
            table, failure = _core.simulate(model, tolerance is not None, None if out is None else os.fspath(out), shown,
                                            extrema, verify, accuracy, checkpoint, force)
        finally:
            if isinstance(shown, ProgressBar):
                shown.close()
        return _ended(table, failure, model.files)

    def dynamics(self, *, cut_loops: bool = False) -> _core.Dynamics:
        """Kinematics and dynamics of the tree at any state, or at many states at once, without springs and other elements. Models
        with loops are refused unless ``cut_loops`` is True, which leaves out the joints that close them; ``evaluate`` includes loops
        and couplings.

        >>> import torsor as ts
        >>> tree = ts.load("seven_dof_arm").dynamics()
        >>> tree.mass_matrix(tree.neutral()).shape
        (7, 7)
        """
        return _core.Dynamics(self._compiled, cut_loops)

    def stepper(self, step: float | None = None, *, formulation: str | None = None,
                integrator: str | Mapping[str, Any] | None = None, tolerance: float | None = None) -> Stepper:
        """A simulation that you advance in your own loop: see Stepper. ``step`` [s] is the default of ``sim.step()``.

        >>> import torsor as ts
        >>> sim = ts.load("tendon_arm").stepper(step=0.01)
        >>> sim.step(); sim.time
        0.01
        """
        asked = {"step": step, "formulation": formulation, "integrator": integrator, "tolerance": tolerance}
        changes = {f"simulation.{key}": value for key, value in asked.items() if value is not None}
        model = (self.set(changes) if changes else self)
        return Stepper(model, tolerance is not None)

    # As people expect

    def __repr__(self) -> str:
        try:
            built = self._compiled
        except ValueError as error:
            return f"<Model, not valid yet: {error}>"
        return (f"<Model '{built.name}': {built.dimension}D, {len(built.bodies)} bodies, {len(built.joints)} joints, "
                f"{built.rate_count} rates>")

    def _repr_html_(self) -> str:
        from html import escape

        text = document(self._words()) if self._laws or self._spec is not None or self._overrides else self._text
        text += "".join(f"# law {name}: functions of Python\n" for name in self._laws)
        return f"<details><summary>{escape(repr(self))}</summary><pre>{escape(text)}</pre></details>"

    def __eq__(self, other: object) -> bool:
        """The same words, whatever their layout."""
        return isinstance(other, Model) and self._laws == other._laws and self._words() == other._words()

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Model:
        other = Model._of_text(self._text, self._file, self._overrides, self._laws)
        other._spec, other._built, other._imported = copy.deepcopy(self._spec), self._built, self._imported
        other._files = self._files
        return other

    def __deepcopy__(self, memo: Any) -> Model:
        return self.__copy__()

    def copy(self) -> Model:
        """A copy, which can be changed without changing this model.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> other = arm.copy()
        >>> other.drag("water", "link1", linear=2); other == arm
        'water'
        False
        """
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._spec, self._text, self._file, self._overrides, self._imported, self._laws, self._files)


def _restore(spec: dict[str, Any] | None, text: str, file: str, overrides: list[tuple[str, str]], imported: str,
             laws: dict[str, Law], files: list[str]) -> Model:
    model = Model._of_text(text, file, overrides, laws)
    model._spec, model._imported, model._files = spec, imported, files
    return model


def _ended(table: _core.ResultTable, failure: Any, files: list[str]) -> Run:
    run = Run(table, files)
    if failure is not None:
        failure.run = run
        raise failure
    if run.status in ("interrupted", "incomplete"):
        warnings.warn(f"interrupted at t = {run.t[-1]:g} s; what was computed is in the run", Interrupted, stacklevel=3)
    return run


def resume(file: str | os.PathLike[str], duration: float | None = None, *, model: Model | None = None,
           progress: bool | Callable[[float], Any] | None = None, checkpoint: str | None = None) -> Run:
    """Continues the run of a result file (``torsor resume``): after Ctrl-C, a crash or a reboot, or up to a later time (duration
    [s]). The result is bit for bit that of a run that never stopped. Returns the whole run and extends the file.

    model: needed only for models with laws of your own, which no file can hold. progress, checkpoint: as in ``simulate``. Raises
    ModelError if the run is finished and no later time is asked for, and if the file is of another version or model.

    >>> import torsor as ts, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "arm.h5")
    ...     _ = ts.load("tendon_arm").simulate(duration=1, out=file)
    ...     longer = ts.resume(file, duration=2)
    >>> longer == ts.load("tendon_arm").simulate(duration=2)
    True
    """
    path = os.fspath(file)
    given = None if model is None else model._compiled
    shown = make_progress(progress, _core.resumed_duration(path) if duration is None else duration)
    try:
        table, failure = _core.resume(path, duration, given, shown, checkpoint)
    finally:
        if isinstance(shown, ProgressBar):
            shown.close()
    return _ended(table, failure, [] if given is None else given.files)
