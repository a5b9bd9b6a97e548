"""What a simulation gave: arrays over time, and the ledger."""
from __future__ import annotations

import difflib
import html
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._ledger import Ledger, Record

if TYPE_CHECKING:
    import pandas

    from ._model import Model

FloatArray = NDArray[np.float64]


class Extremum(NamedTuple):
    """Of one recorded number: its least and its greatest value, and when they were recorded [s]."""

    min: float
    min_time: float
    max: float
    max_time: float
    unit: str


class Group:
    """A group of the result file: ``run.joints.elbow.position``; names complete, and go in brackets, too."""

    def __init__(self, run: Run, prefix: str) -> None:
        self._run, self._prefix = run, prefix

    def _names(self) -> list[str]:
        depth = len(self._prefix)
        return list(dict.fromkeys(path[depth:].split("/")[0] for path in self._run.paths if path.startswith(self._prefix)))

    def __getitem__(self, name: str) -> Any:
        return self._run._at(self._prefix + name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_run" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no '{name}' in {self._prefix or 'the run'}, but {', '.join(self._names())}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._names() if name.isidentifier())]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __repr__(self) -> str:
        return f"<{self._prefix.rstrip('/')}: {', '.join(self._names())}>"


class Run(Mapping[str, FloatArray]):
    """A simulated motion: datasets by the paths of the result file, one row for each record.

    Arrays are read-only views of the recorded data, not copies. Vectors are in world axes;
    ``quaternion`` is (w, x, y, z); ``joints/NAME/reaction`` is (moment, force) on the child at the joint frame, in its axes,
    ``reaction_world`` the same in world axes, ``reaction_parent`` that on the parent; in 2D (moment, force x, force y).

    >>> import torsor as ts
    >>> run = ts.load("tendon_arm").simulate(duration=1)
    >>> run.t.shape, run["bodies/link3/com"].shape                     # [s], [m]
    ((101,), (101, 2))
    >>> bool((run.joints.elbow.position == run["joints/elbow/position"]).all())
    True
    >>> run.unit("tendons/biarticular/tension")
    'N'
    """

    def __init__(self, table: _core.ResultTable, files: Sequence[str] = ()) -> None:
        self._table, self._files = table, list(files)  # those of the model, which nothing writes over

    # What there is

    @property
    def paths(self) -> list[str]:
        """All datasets: ``time``, ``energy/total``, ``bodies/link1/com``, ..."""
        return self._paths

    @cached_property
    def _paths(self) -> list[str]:
        return self._table.paths()

    @property
    def t(self) -> FloatArray:
        """Times of the records [s], shape (records,)."""
        return self["time"]

    def __getitem__(self, path: str) -> FloatArray:
        if path not in self._path_set:
            raise KeyError(self._missing(path))
        array: FloatArray = self._table.array(path)
        if self._table.integral(path):
            array = cast(FloatArray, array.astype(np.int64))  # counts
        return array

    @cached_property
    def _path_set(self) -> frozenset[str]:
        return frozenset(self._paths)

    def _at(self, path: str) -> Any:
        if path in self._path_set:
            return self[path]
        if any(other.startswith(path + "/") for other in self._paths):
            return Group(self, path + "/")
        raise KeyError(self._missing(path))

    def _missing(self, path: str) -> str:
        recorded = json.loads(self._table.settings or b"{}").get("record")
        if recorded:
            return f"{path}; recorded were {', '.join(recorded)}"
        near = difflib.get_close_matches(path, self._paths, n=1)
        return f"{path}; did you mean {near[0]}?" if near else f"{path}; groups are {', '.join(Group(self, '')._names())}"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "_table" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self._at(name)
        except KeyError:
            raise AttributeError(f"a run has no '{name}'; its groups are {', '.join(Group(self, '')._names())}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *Group(self, "")._names()]

    def _ipython_key_completions_(self) -> list[str]:
        return self.paths

    def unit(self, path: str) -> str:
        """The SI unit of a dataset; a list where its components differ.

        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> run.unit("bodies/link1/velocity")
        'm/s'
        """
        return self._table.unit(path)

    def components(self, path: str) -> list[str]:
        """Names of the columns of a dataset: ``['x', 'y']``; ``['']`` for a single number.

        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> run.components("bodies/link1/com")
        ['x', 'y']
        """
        return self._table.components(path)

    @cached_property
    def ledger(self) -> Ledger:
        """What the run conserved, and how well."""
        if not self._table.ledger:
            raise ValueError("this result has no ledger: its run was killed")
        return Ledger(self._table.ledger)

    @property
    def accuracy(self) -> Record:
        """How good the motion is: ``verdict``, ``warning``, ``indicator``; after ``simulate(verify=True)`` also ``digits`` and
        ``verification``, after ``simulate(accuracy=..)`` the ``steps`` that were chosen.

        >>> import torsor as ts
        >>> ts.load("tendon_arm").simulate(duration=1).accuracy.verdict
        'resolved'
        """
        accuracy: Record = self.ledger.accuracy
        return accuracy

    @cached_property
    def settings(self) -> Record:
        """The settings of the run: formulation, integrator, options, step [s], duration [s]."""
        return Record(json.loads(self._table.settings))

    @property
    def status(self) -> str:
        """``done``, ``failed``, ``interrupted`` or ``incomplete``."""
        return str(self.ledger.status) if self._table.ledger else "incomplete"

    @cached_property
    def model(self) -> Model:
        """The model that was simulated, without laws of your own."""
        from ._load import load_text

        return load_text(self._table.model.decode("utf-8", "replace"), recorded=True)

    # Files, tables, pictures

    def extrema(self) -> dict[str, Extremum]:
        """Least and greatest value of every recorded number, with their times, by the column names of ``to_pandas``.

        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=1)
        >>> run.extrema()["joints.elbow.rate"].unit
        'rad/s'
        """
        return {name: Extremum(least, least_time, greatest, greatest_time, unit)
                for name, unit, least, least_time, greatest, greatest_time in self._table.extrema()}

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a result file, ``.h5`` or ``.csv``, as ``torsor run --out`` does.

        force: also over a file that is not a result of Torsor; otherwise that raises ModelError.

        >>> import torsor as ts, tempfile, os
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run.save(os.path.join(folder, "run.csv"))
        """
        self._table.write(os.fspath(file), False, self._files, force)

    def export(self, file: str | os.PathLike[str], *, record: str | Sequence[str] | None = None, every: int = 1,
               units: bool = False, force: bool = False) -> None:
        """Writes ``.csv``, ``.json`` or ``.h5``, as ``torsor export`` does.

        record: the channels, by path or by the beginning of a path, with ``*`` and ``?``; all by default. every: only every Nth record, and
        the last. units: adds a second line to a ``.csv`` file, which begins with ``#`` and gives the units;
        ``pandas.read_csv(file, comment="#")`` skips it. force: also over a file that is not a result of Torsor.

        >>> import torsor as ts, tempfile, os
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = os.path.join(folder, "tip.csv")
        ...     run.export(file, record=["energy.total", "tendons.biarticular.tension"], every=5, units=True)
        ...     print(open(file).readlines()[1].strip())
        # s,J,N
        """
        patterns = [record] if isinstance(record, str) else list(record or [])
        self._table.part(patterns, every).write(os.fspath(file), units, self._files, force)

    def report(self, file: str | os.PathLike[str], *, every: int | None = None, force: bool = False) -> None:
        """Writes a self-contained HTML page with animation, plots and ledger. ``every``: only every Nth record. ``force``: also over a
        file that is not a page of Torsor.

        >>> import torsor as ts, tempfile, os
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run.report(os.path.join(folder, "arm.html"), every=2)
        """
        with tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "run.h5")
            self.save(result)
            _core.write_report([result], os.fspath(file), every, self._files, force)

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the time [s] as index and the columns of the CSV file: ``bodies.link1.com.x``. Needs pandas.

        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> run.to_pandas()["bodies.link3.com.x"].shape
        (11,)
        """
        import pandas

        columns = {}
        for path in self.paths:
            array = self[path]
            for i, component in enumerate(self.components(path)):
                name = path.replace("/", ".") + ("." + component if component else "")
                columns[name] = array if array.ndim == 1 else array[:, i]
        table = pandas.DataFrame(columns)
        return table.set_index("time")

    def plot(self, *what: str, ax: Any = None) -> Any:
        """Draws datasets or whole groups over time, by default the energies; returns the axes. Needs matplotlib.

        >>> import matplotlib; matplotlib.use("Agg")
        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> run.plot("joints/elbow/position").get_ylabel()
        '[rad]'
        """
        from ._plot import plot_run

        return plot_run(self, what or ("energy",), ax)

    def animate(self, *, height: int = 620) -> Any:
        """The page of ``report`` as an object that a notebook displays.

        >>> import torsor as ts
        >>> run = ts.load("tendon_arm").simulate(duration=0.1)
        >>> "<iframe" in run.animate()._repr_html_()
        True
        """
        return Animation(self._frame(height))

    def _frame(self, height: int) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "run.html")
            self.report(page)
            with open(page, encoding="utf-8") as file:
                text = file.read()
        return f'<iframe srcdoc="{html.escape(text)}" style="width: 100%; height: {height}px; border: 0"></iframe>'

    def _repr_html_(self) -> str:
        try:
            return self._frame(620)
        except Exception:  # no page without Node: the ledger then
            return f"<pre>{html.escape(str(self.ledger))}</pre>" if self._table.ledger else html.escape(repr(self))

    def __repr__(self) -> str:
        t = self.t
        span = f"{t[0]:g} to {t[-1]:g} s" if len(t) else "nothing"
        name = self.ledger.model if self._table.ledger else "?"
        return f"<Run of '{name}': {span}, {len(t)} records, {self.status}>"

    def __eq__(self, other: object) -> bool:
        """The same numbers to the last bit; the time that it took does not count."""
        if not isinstance(other, Run):
            return NotImplemented
        return self._path_set == other._path_set and all(np.array_equal(self[path], other[path], equal_nan=True) for path in self.paths)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Run:
        return self  # nothing in it changes

    def __deepcopy__(self, memo: Any) -> Run:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        table = self._table
        columns = [(path, table.unit(path), table.components(path), table.integral(path)) for path in table.paths()]
        arrays = [table.array(path) for path in table.paths()]
        texts = [table.model, table.scene, table.settings, table.version.encode(), table.ledger]
        return _make_run, (columns, arrays, len(table), texts, self._files)


class Animation:
    """A page inside a notebook."""

    def __init__(self, frame: str) -> None:
        self._frame = frame

    def _repr_html_(self) -> str:
        return self._frame


def _make_run(columns: Any, arrays: Any, rows: int, texts: Any, files: Sequence[str]) -> Run:
    return Run(_core.make_table(columns, arrays, rows, texts), files)


def read(file: str | os.PathLike[str]) -> Run:
    """Reads a result file (``.h5``), even if the run that wrote it was killed.

    >>> import torsor as ts, tempfile, os
    >>> run = ts.load("pendulum").simulate(duration=1, step=0.01)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.save(os.path.join(folder, "run.h5"))
    ...     again = ts.read(os.path.join(folder, "run.h5"))
    >>> again == run
    True
    """
    return Run(_core.read_result(os.fspath(file)))
