"""Many runs of one mechanism, on this machine or on any executor."""
from __future__ import annotations

import concurrent.futures
import functools
import math
import numbers
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._load import load
from ._model import Model
from ._yaml import document, flow, plain
from .errors import Error, ModelError

_Plan = tuple[str, str, str, tuple[tuple[str, str], ...]]  # texts that any process can read again
_TRIES = 4  # of a chunk whose worker died
_SHARE = 0.02  # of the time, at most, for what an executor does besides the runs
_LONGEST = 10.0  # seconds of a chunk: what a worker loses when it dies
_IN_FLIGHT = 256  # chunks, at least; three for each worker of a larger crew
_LOOK = 2.0  # seconds after which an executor is looked at from which nothing comes
_EXECUTOR = "an object with a method `submit`, as in concurrent.futures, or a function that makes one"
_PAUSES = (0.0, 1.0, 4.0, 15.0)  # seconds before an executor is made anew: a scheduler may still be starting


@functools.lru_cache(maxsize=4)
def _plan(plan: _Plan) -> _core.SweepPlan:
    return _core.SweepPlan(*plan[:3], list(plan[3]))


def _run_chunk(plan: _Plan, runs: Sequence[int]) -> bytes:
    """In a worker: the rows of some runs."""
    return _plan(plan).run(list(runs))


def _brief(runs: list[int]) -> Sequence[int]:
    """Rising numbers, as a range where they are one: that is what travels."""
    return range(runs[0], runs[-1] + 1) if runs[-1] - runs[0] + 1 == len(runs) else runs


def _nothing() -> None:
    """What a call of an executor costs."""


class Sweep:
    """The table of a sweep, with one row for each completed run.

    ``inputs``, ``measures`` and ``ledger`` map names to arrays; ``runs`` are the run numbers of the rows; ``failed`` lists
    the other runs with their inputs and the reason; ``units`` are those of inputs and measures.
    """

    def __init__(self, model: Model, plan: _Plan, table: _core.SweepTable) -> None:
        self._model, self._plan, self._table = model, plan, table
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
        changed = Model._of_text(self._plan[1], self._plan[2], _plan(self._plan).overrides(run))
        changed._imported = self._model._imported
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

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the table as ``.h5`` or ``.csv``, as ``torsor sweep`` does."""
        self._table.write(os.fspath(file))

    def report(self, file: str | os.PathLike[str]) -> None:
        """Writes a self-contained HTML page: scatter plots, parallel coordinates, response surface, histograms, sensitivities."""
        self._table.write_page(self._model.name, os.fspath(file))


def _plan_of(model: Model, vary: Mapping[str, Any], measure: Mapping[str, Any], samples: Mapping[str, Any] | None,
             simulation: Mapping[str, Any] | None) -> _Plan:
    model._require_words()
    spec: dict[str, Any] = {"torsor_sweep": 1, "vary": dict(vary)}
    if samples is not None:
        spec["samples"] = dict(samples)
    spec["measure"] = dict(measure)
    if simulation is not None:
        spec["simulation"] = dict(simulation)
    lines = [f"{key}: {flow(plain(value))}" for key, value in spec.items()]
    text = model._text if model._spec is None else document(model._spec)
    return "\n".join(lines) + "\n", text, model._file, tuple(model._overrides)


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


def _made(make: Callable[[], Any]) -> Any:
    executor = make()
    if not hasattr(executor, "submit"):
        raise ModelError("executor", _EXECUTOR, f"a function that gives {executor!r}")
    return executor


class _Crew:
    """An executor, and how many runs are worth a call of it."""

    def __init__(self, given: Any) -> None:
        self.make: Callable[[], Any] | None = None if hasattr(given, "submit") and not isinstance(given, type) else given
        if self.make is not None and not callable(self.make):
            raise ModelError("executor", _EXECUTOR, repr(given))
        self.executor = given if self.make is None else _made(self.make)
        self.tries = 0

    def close(self) -> None:
        if self.make is not None:
            self.dismiss()

    def dismiss(self) -> None:
        """Without waiting for what it still does, if it is there at all."""
        try:
            try:
                self.executor.shutdown(wait=False, cancel_futures=True)
            except TypeError:  # dask's takes no such word
                self.executor.shutdown(wait=False)
        except Exception:
            pass

    def lost(self) -> bool:
        """Whether it is a client of dask whose scheduler is gone: futures of it may then never end."""
        client = getattr(self.executor, "_client", None)
        return client is not None and getattr(client, "status", "running") != "running"

    def renew(self) -> bool:
        """After the executor itself broke; False where there is none to take its place."""
        self.tries += 1
        if self.make is None or self.tries > _TRIES:
            return False
        self.dismiss()
        for pause in _PAUSES:
            time.sleep(pause)
            try:
                self.executor = _made(self.make)
                return True
            except Exception as fault:
                if pause == _PAUSES[-1]:
                    raise Error(f"the executor broke, and no other can be made: {fault}") from fault
        return False

    def workers(self) -> int:
        """As far as the executor tells: dask by its client, MPI's and those of the standard library themselves."""
        client = getattr(self.executor, "_client", None)
        if client is not None:
            return sum(client.nthreads().values()) or 1
        return int(getattr(self.executor, "num_workers", 0) or getattr(self.executor, "_max_workers", 0) or os.cpu_count() or 1)

    def chunk(self, seconds: float, runs: int) -> int:
        """Such that a call costs at most a fiftieth of its runs, and all workers get several chunks."""
        calls = []
        for _ in range(4):
            begin = time.perf_counter()
            self.executor.submit(_nothing).result()
            calls.append(time.perf_counter() - begin)
        seconds = min(max(seconds, 1e-6), _LONGEST)
        cheap = math.ceil(min(calls) / _SHARE / seconds)
        return max(1, min(max(cheap, math.ceil(0.05 / seconds)), math.ceil(_LONGEST / seconds), math.ceil(runs / (4 * self.workers()))))


def _timed_runs(plan: _Plan, runs: _core.SweepRuns, missing: list[int]) -> tuple[list[int], float]:
    """Makes a few runs here, to see how long one takes; the first of all, which makes what others use again, does not count."""
    seconds, spent, made = math.inf, 0.0, 0
    while made < min(8, len(missing)) and spent < 0.05:
        begin = time.perf_counter()
        runs.add(_run_chunk(plan, missing[made:made + 1]))
        spent += (lasted := time.perf_counter() - begin)
        seconds = min(seconds, lasted)
        made += 1
    return missing[made:], seconds


def _on_executor(plan: _Plan, runs: _core.SweepRuns, given: Any, chunk: int | None,
                 say: Callable[[int, int, int], Any] | None) -> None:
    missing = runs.missing()
    if not missing:
        return
    runs.add(_run_chunk(plan, missing[:1]))  # here: a sweep that cannot be run at all says so at once
    missing, seconds = _timed_runs(plan, runs, missing[1:])
    crew = _Crew(given)
    try:
        size = chunk or crew.chunk(seconds, max(1, len(missing)))
        waiting = [missing[i:i + size] for i in range(0, len(missing), size)]
        waiting.reverse()
        room = max(_IN_FLIGHT, 3 * crew.workers())
        tries: dict[int, int] = {}
        flying: dict[Any, list[int]] = {}
        while waiting or flying:
            broken: BaseException | None = None
            try:
                while waiting and len(flying) < room:
                    flying[crew.executor.submit(_run_chunk, plan, _brief(waiting[-1]))] = waiting[-1]
                    waiting.pop()
            except (concurrent.futures.BrokenExecutor, RuntimeError) as fault:
                broken = fault
            done = concurrent.futures.wait(flying, _LOOK, return_when="FIRST_COMPLETED").done if flying else set()
            if not done and crew.lost():
                broken = ConnectionError("the scheduler of the executor does not answer")
            for future in done:
                part = flying.pop(future)
                try:
                    runs.add(future.result())
                    continue
                except Error:
                    raise
                except (concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError) as fault:
                    broken = fault  # nobody here cancels: dask does where its scheduler is lost
                except Exception as fault:  # a worker that died, whatever its executor calls it
                    tries[part[0]] = tries.get(part[0], 0) + 1
                    if tries[part[0]] >= _TRIES:
                        raise Error(f"runs {part[0]} to {part[-1]} failed {_TRIES} times on their executor: {fault}") from fault
                waiting.append(part)
            if say is not None:
                planned, made, failed, *_ = runs.progress()
                say(made, planned, failed)
            if broken is not None:
                waiting += flying.values()  # what came out of the broken one is lost
                flying.clear()
                if not crew.renew():
                    raise Error("the executor broke (a worker died, or its scheduler); what was done is kept where `out` names a folder, "
                                "and the same call goes on. Give a function that makes an executor, and it is replaced") from broken
    finally:
        crew.close()


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
    core = _plan(plan)
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
            _on_executor(plan, runs, executor, chunk, say)
        return Sweep(model, plan, runs.table())
    finally:
        runs.close()
