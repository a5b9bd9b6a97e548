"""Chunks of a sweep's runs on executors: how large they are, who makes them, and what happens when workers die."""
from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import itertools
import math
import os
import queue
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from . import _core
from .errors import Error, ModelError

Plan = tuple[str, str, str, tuple[tuple[str, str], ...], str]  # texts that any process can read again; the build that sends them
TOGETHER: int = _core.runs_together
_EXECUTOR = "an object with a method `submit`, as in concurrent.futures, or a function that makes one"
_TRIES = 4  # of a chunk whose worker died
_PAUSES = (0.0, 1.0, 4.0, 15.0)  # seconds before an executor is made anew: a scheduler may still be starting
_LOOK = 2.0  # seconds after which an executor is looked at from which nothing comes


@functools.lru_cache(maxsize=4)
def read(plan: Plan) -> _core.SweepPlan:
    return _core.SweepPlan(*plan[:3], list(plan[3]))


def run_chunk(plan: Plan, runs: Sequence[int], most: float = math.inf, call: int = 0) -> tuple[bytes, int, float]:
    """In a worker: the rows of the first of some runs, as many as it makes in `most` seconds; how many, and the seconds they took.

    `call` is another number each time: dask takes equal calls for one, and gives the same answer again, also where it is a failure.
    """
    if plan[-1] != _core.build_text:
        raise Error(f"the worker at {socket.gethostname()} has another build of Torsor than the client, so that rows would differ in "
                    f"their last digits; install the same build. The worker has\n{_core.build_text}\nthe client\n{plan[-1]}")
    begin = time.perf_counter()
    sweep = read(plan)
    rows: list[bytes] = []
    made, spent, last = 0, 0.0, math.inf
    while made < len(runs) and (made == 0 or spent + last <= most):
        part = runs[made:made + (TOGETHER if last > 0.01 else 8 * TOGETHER)]  # fewer calls for quick runs
        rows.append(sweep.run(list(part)))
        made += len(part)
        now = time.perf_counter() - begin
        last, spent = now - spent, now
    return b"".join(rows), made, spent


def brief(runs: Sequence[int]) -> Sequence[int]:
    """Rising numbers, as a range where they are one: that is what travels."""
    return range(runs[0], runs[-1] + 1) if runs and runs[-1] - runs[0] + 1 == len(runs) and isinstance(runs, list) else runs


class Schedule:
    """How many runs the next chunk has, by the seconds that calls and runs took so far. It has no clock: its caller measures.

    A chunk lasts at least fifty times as long as a call without runs, which keeps the executor's overhead below 2 %, and at most ten
    seconds, which are lost with a worker. Between these, it is a fourth of what is left for each worker: chunks shrink towards the
    end, and all workers end together. Seconds of a run are learnt from the chunks that come back, the last ones most.
    """

    SHARE, SHORTEST, LONGEST = 0.02, 0.05, 10.0
    CALLS = 4  # without runs, one after another; the shortest counts, since workers start with the first ones
    SHARES = 4
    IN_FLIGHT = 256  # chunks on an executor that does not tell its workers

    def __init__(self, fixed: int | None = None) -> None:
        self.fixed, self.told = fixed, 0  # workers; 0: the executor does not tell
        self._calls: list[float] = []
        self._runs, self._seconds, self._sure = 0.0, 0.0, False

    @property
    def most(self) -> float:
        """Seconds after which a worker gives back the rest of a chunk: runs may take longer than those before."""
        return math.inf if self.fixed else self.LONGEST

    @property
    def room(self) -> int:
        """Chunks in flight: few until it is sure how long they take."""
        if self.fixed or self._sure:
            return 3 * self.told or self.IN_FLIGHT
        return self.workers if self._timed else 1

    @property
    def workers(self) -> int:
        return self.told or os.cpu_count() or 1

    @property
    def _timed(self) -> bool:
        return len(self._calls) >= self.CALLS

    def answered(self, seconds: float) -> None:
        """So long took a call without runs, there and back."""
        self._calls.append(seconds)

    def heard(self, runs: int, seconds: float, sure: bool = True) -> None:
        """So long took these runs, where they were made; `sure` where that was a worker."""
        self._runs, self._seconds, self._sure = self._runs / 2 + runs, self._seconds / 2 + seconds, sure

    def size(self, left: int) -> int:
        """Runs of the next chunk, where so many are left; 0: a call without runs, to be timed."""
        if self.fixed or not self._timed:
            return self.fixed or 0
        run = max(self._seconds / self._runs, 1e-7) if self._runs else 1.0
        worth = max(min(self._calls) / self.SHARE, self.SHORTEST) / run
        share = left / self.workers
        fair = min(share / self.SHARES, self.LONGEST / 2 / run)  # half: else every other chunk would take too long, by chance
        size = math.ceil(max(worth, fair, min(TOGETHER, share)))
        size = min(size + -size % TOGETHER if size > TOGETHER else size, math.ceil(self.LONGEST / run))
        return size - size % TOGETHER if size > TOGETHER else size


class Work:
    """Runs that nobody makes at present."""

    def __init__(self, runs: Sequence[int]) -> None:
        self._fresh, self._at = brief(runs), 0
        self._again: list[Sequence[int]] = []

    def __len__(self) -> int:
        return len(self._fresh) - self._at + sum(map(len, self._again))

    def take(self, count: int) -> Sequence[int]:
        """As many, or fewer; first those that came back."""
        if not self._again:
            part = self._fresh[self._at:self._at + count]
            self._at += len(part)
            return part
        parts: list[int] = []
        while self._again and len(parts) < count:
            last = self._again.pop()
            self.back(last[count - len(parts):])
            parts += last[:count - len(parts)]
        return sorted(parts)

    def back(self, part: Sequence[int]) -> None:
        if part:
            self._again.append(part)


class Crew:
    """An executor, and how another takes its place."""

    def __init__(self, given: Any) -> None:
        is_executor = hasattr(given, "submit") and not isinstance(given, type)
        self.make: Callable[[], Any] | None = None if is_executor else given
        if self.make is not None and not callable(self.make):
            raise ModelError("executor", _EXECUTOR, repr(given))
        self.executor = _of_dask(given) if self.make is None else _made(self.make)
        self.tries = 0  # to replace it, since rows arrived last

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
        """As far as the executor tells: dask by its client, MPI's and those of the standard library themselves; 0: it does not."""
        client = getattr(self.executor, "_client", None)
        try:
            if client is not None:
                return 0 if self.lost() else sum(client.nthreads().values())
            return int(getattr(self.executor, "num_workers", 0) or getattr(self.executor, "_max_workers", 0))
        except Exception:  # a scheduler that does not answer, as the next call will show
            return 0


def _made(make: Callable[[], Any]) -> Any:
    executor = make()
    if not hasattr(executor, "submit"):
        raise ModelError("executor", _EXECUTOR, f"a function that gives {executor!r}")
    return _of_dask(executor)


def _of_dask(given: Any) -> Any:
    """A client of dask has a `submit`, too, whose futures are others."""
    return given.get_executor() if hasattr(given, "get_executor") else given


class _Flight:
    """Chunks on their way: to a crew, by a schedule, and back."""

    def __init__(self, plan: Plan, runs: _core.SweepRuns, crew: Crew, schedule: Schedule) -> None:
        self.plan, self.runs, self.crew, self.schedule = plan, runs, crew, schedule
        self.work = Work(runs.missing())
        self.flying: dict[Any, tuple[Sequence[int], float]] = {}
        self.back: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures that are done, of this executor or one before
        self.calls = itertools.count()
        self.tries: dict[int, int] = {}
        self.broken: BaseException | None = None  # why the executor must be replaced

    def begin(self) -> None:
        """Makes some runs here. The first alone: a sweep that cannot be run at all says so at once. Then batches, to see how long they
        take."""
        for count in (1,) if self.schedule.fixed else (1, TOGETHER, TOGETHER, TOGETHER):
            rows, made, seconds = run_chunk(self.plan, brief(self.work.take(count)))
            self.runs.add(rows)
            self.schedule.heard(made, seconds, sure=False)
            if not self.work or seconds > 0.05:  # the rest is for workers
                break

    def send(self) -> None:
        while self.work and len(self.flying) < self.schedule.room:
            part = self.work.take(self.schedule.size(len(self.work)))
            begin = time.perf_counter()
            try:
                future = self.crew.executor.submit(run_chunk, self.plan, brief(part), self.schedule.most, next(self.calls))
            except Exception as fault:
                self.work.back(part)
                self.broken = fault
                break
            self.flying[future] = part, begin
            future.add_done_callback(self.back.put)

    def receive(self) -> None:
        done: list[Any] = []
        with contextlib.suppress(queue.Empty):
            done.append(self.back.get(timeout=_LOOK) if self.flying else self.back.get_nowait())
            while True:
                done.append(self.back.get_nowait())
        if not done and self.crew.lost():
            self.broken = ConnectionError("the scheduler of the executor does not answer")
        refused: Error | None = None
        for future in done:
            if future not in self.flying:
                continue  # of an executor that was replaced
            part, begin = self.flying.pop(future)
            try:
                fault = future.exception()
            except concurrent.futures.CancelledError as cancelled:
                fault = cancelled
            if fault is None:
                self.add(part, begin, *future.result())
            elif isinstance(fault, Error):
                refused = refused or fault
            elif isinstance(fault, (concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError)):
                self.broken = fault
                self.work.back(part)
            else:
                self.failed(part, fault)
        if refused is not None:
            raise refused

    def add(self, part: Sequence[int], begin: float, rows: bytes, made: int, seconds: float) -> None:
        if not part:
            self.schedule.answered(time.perf_counter() - begin)
            return
        self.runs.add(rows)
        self.crew.tries = 0
        self.schedule.heard(made, seconds)
        self.work.back(part[made:])

    def failed(self, part: Sequence[int], fault: BaseException) -> None:
        key = part[0] if part else -1
        self.tries[key] = self.tries.get(key, 0) + 1
        if self.tries[key] >= _TRIES:
            what = f"runs {part[0]} to {part[-1]}" if part else "calls without runs"
            raise Error(f"{what} failed {_TRIES} times on their executor: {fault}") from fault
        self.work.back(part)

    def mend(self) -> None:
        """After the executor broke: what came out of it is lost, and another takes its place."""
        for part, _ in self.flying.values():
            self.work.back(part)
        self.flying.clear()
        if not self.crew.renew():
            raise Error("the executor broke (a worker died, or its scheduler); what was done is kept where `out` names a folder, "
                        "and the same call goes on. Give a function that makes an executor, and it is replaced") from self.broken
        self.broken = None


def on_executor(plan: Plan, runs: _core.SweepRuns, given: Any, chunk: int | None,
                say: Callable[[int, int, int], Any] | None) -> None:
    if not runs.missing():
        return
    crew = Crew(given)
    flight = _Flight(plan, runs, crew, Schedule(chunk))
    try:
        flight.begin()
        asked = -math.inf
        while flight.work or flight.flying:
            if time.monotonic() - asked > _LOOK:  # crews grow and shrink
                flight.schedule.told, asked = crew.workers(), time.monotonic()
            flight.send()
            flight.receive()
            if say is not None:
                planned, made, failed, *_ = runs.progress()
                say(made, planned, failed)
            if flight.broken is not None:
                flight.mend()
        planned, made, *_ = runs.progress()
        if made < planned:
            raise Error(f"{planned - made} runs did not come back from their executor")
    finally:
        for future in list(flight.flying):
            future.cancel()
        crew.close()
