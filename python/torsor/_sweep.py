"""Many runs of one mechanism, on this machine or on any executor."""
from __future__ import annotations

import numbers
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._executor import Plan, on_executor, read
from ._load import load
from ._model import Model
from ._yaml import document, flow, plain
from .errors import ModelError


class Sweep:
    """The table of a sweep, with one row for each completed run.

    ``inputs``, ``measures`` and ``ledger`` map names to arrays; ``runs`` are the run numbers of the rows; ``failed`` lists
    the other runs with their inputs and the reason; ``units`` are those of inputs and measures.
    """

    def __init__(self, model: Model, plan: Plan, table: _core.SweepTable) -> None:
        self._model, self._plan, self._table = model, plan, table
        self._files = model._compiled.files  # which nothing writes over
        self.runs = np.array(table.runs, dtype=np.int64)
        self.inputs: dict[str, Any] = {}
        self.measures: dict[str, np.ndarray[Any, np.dtype[np.float64]]] = {}
        self.ledger: dict[str, np.ndarray[Any, np.dtype[np.float64]]] = {}
        self.units: dict[str, str] = {}
        for group, name, unit, labels, values in table.columns():
            if group == "inputs":
                self.inputs[name] = np.array(labels)[values.astype(int)] if labels else values
            else:
                getattr(self, group)[name] = values
            if unit:
                self.units[name] = unit

    @property
    def planned(self) -> int:
        """The number of runs in the whole sweep."""
        return self._table.planned

    @property
    def failed(self) -> list[dict[str, Any]]:
        return [{"run": run, "inputs": dict(zip(self.inputs, inputs)), "reason": reason}
                for run, inputs, reason in self._table.failed()]

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return f"<Sweep of {self.planned} runs: {len(self)} done, {len(self._table.failed())} failed>"

    def model(self, run: int) -> Model:
        """The model of one run, for instance to simulate it again: ``sweep.model(17).simulate()``."""
        changed = Model._of_text(self._plan[1], self._plan[2], read(self._plan).overrides(run))
        changed._imported, changed._files = self._model._imported, self._model._files
        return changed

    def sensitivities(self) -> dict[str, dict[str, float]]:
        """First-order Sobol indices: for each measure, the share of its variance that each input alone explains."""
        columns = self._table.columns()
        place = {(group, name): i for i, (group, name, *_) in enumerate(columns)}
        return {measure: {name: self._table.index(place["inputs", name], place["measures", measure]) for name in self.inputs}
                for measure in self.measures}

    def to_pandas(self) -> Any:
        """The table as a DataFrame, with the run number as index. Needs pandas."""
        import pandas

        columns: dict[str, Any] = {**self.inputs, **self.measures, **{f"ledger.{k}": v for k, v in self.ledger.items()}}
        return pandas.DataFrame(columns, index=pandas.Index(self.runs, name="run"))

    def to_parquet(self, file: str | os.PathLike[str]) -> None:
        """Writes a Parquet file with the columns of ``to_pandas`` and their units in the schema. Needs pyarrow."""
        import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]
        import pyarrow.parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]

        columns: dict[str, Any] = {"run": self.runs, **self.inputs, **self.measures,
                                   **{f"ledger.{k}": v for k, v in self.ledger.items()}}
        units = {**self.units, **{f"ledger.{k}": self.units[k] for k in self.ledger}}
        table = pyarrow.table(columns)
        fields = [field.with_metadata({"unit": units[field.name]}) if field.name in units else field for field in table.schema]
        pyarrow.parquet.write_table(table.cast(pyarrow.schema(fields)), os.fspath(file))

    def save(self, file: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the table as ``.h5`` or ``.csv``, as ``torsor sweep`` does. ``force``: also over a file that is not a result of Torsor."""
        self._table.write(os.fspath(file), self._files, force)

    def report(self, file: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a self-contained HTML page: scatter plots, parallel coordinates, response surface, histograms, sensitivities.
        ``force``: also over a file that is not a page of Torsor."""
        self._table.write_page(self._model.name, os.fspath(file), self._files, force)


def _plan_of(model: Model, vary: Mapping[str, Any], measure: Mapping[str, Any], samples: Mapping[str, Any] | None,
             simulation: Mapping[str, Any] | None) -> Plan:
    model._require_words()
    spec: dict[str, Any] = {"torsor_sweep": 1, "vary": dict(vary)}
    if samples is not None:
        spec["samples"] = dict(samples)
    spec["measure"] = dict(measure)
    if simulation is not None:
        spec["simulation"] = dict(simulation)
    lines = [f"{key}: {flow(plain(value))}" for key, value in spec.items()]
    text = model._text if model._spec is None else document(model._spec)
    return "\n".join(lines) + "\n", text, model._file, tuple(model._overrides), _core.build_text


def _say(wanted: bool | Callable[[int, int, int], Any] | None) -> Callable[[int, int, int], Any] | None:
    if callable(wanted):
        return wanted
    if wanted is False or not (wanted or sys.stderr.isatty()):
        return None
    begin, first = time.monotonic(), [-1]

    def line(done: int, planned: int, failed: int) -> None:
        spent = time.monotonic() - begin
        if first[0] < 0:
            first[0] = done
        fresh = done - first[0]
        left = f", {spent * (planned - done) / fresh:.0f} s left" if fresh > 0 else ""
        sys.stderr.write(f"\r{done} of {planned} runs{left}{f', {failed} failed' if failed else ''}   ")
        sys.stderr.write("\n" if done == planned else "")
        sys.stderr.flush()

    return line


def sweep(model: Model | str | os.PathLike[str] | Mapping[str, Any], vary: Mapping[str, Any], measure: Mapping[str, Any], *,
          samples: Mapping[str, Any] | None = None, simulation: Mapping[str, Any] | None = None, executor: Any = None,
          threads: int | None = None, chunk: int | None = None, out: str | os.PathLike[str] | None = None,
          progress: bool | Callable[[int, int, int], Any] | None = None) -> Sweep:
    """Simulates a model many times with different values, and keeps a few numbers of each run (``torsor sweep``).

    ``model`` is a model, or anything that ``load`` accepts. ``vary`` maps key paths of the model to ``{"range": [a, b], "count":
    n}``, ``{"log": ..}``, ``{"list": [..]}``, ``{"uniform": [a, b]}`` or ``{"normal": [mean, deviation]}``; ``samples`` is
    ``{"method": "grid" | "sobol" | "latin-hypercube" | "random", "count": n, "seed": s}``; ``measure`` maps names to ``{"max":
    channel}``, ``{"final": channel}`` and so on.

    By default the runs use threads of this process. ``executor`` is any object with a ``submit`` method as in
    ``concurrent.futures``, or a function that makes one; the function is called again if a worker dies and breaks the executor. The
    numbers do not depend on where they are computed. ``out`` names a folder in which finished runs are kept, so that the same call
    continues after a crash.

    >>> import torsor as ts
    >>> table = ts.sweep(ts.load("pendulum"), {"gravity.1": {"range": [-12, -8], "count": 3}},
    ...                  {"fastest": {"max": "energy.kinetic"}}, simulation={"duration": 1})
    >>> table
    <Sweep of 3 runs: 3 done, 0 failed>
    >>> bool((table.measures["fastest"][:-1] > table.measures["fastest"][1:]).all())
    True
    """
    if not isinstance(model, Model):
        model = load(model)
    plan = _plan_of(model, vary, measure, samples, simulation)
    core = read(plan)
    if executor is not None and threads is not None:
        raise ModelError("threads", "threads or an executor", "both")
    for name, number in (("threads", threads), ("chunk", chunk)):
        if number is not None and (not isinstance(number, numbers.Integral) or number < 1):
            raise ModelError(name, "a whole number above 0", repr(number))
    runs = _core.SweepRuns(core, "" if out is None else os.fspath(out))
    say = _say(progress)
    try:
        if executor is None:
            runs.run_in_threads(core, threads or os.cpu_count() or 1, say)
        else:
            on_executor(plan, runs, executor, chunk, say)
        return Sweep(model, plan, runs.table())
    finally:
        runs.close()
