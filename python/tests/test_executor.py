"""Chunks of runs: how many runs each has, and what happens when a worker cannot make them. Times are those of a clock made here."""
import concurrent.futures
import functools
import heapq
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import types

import pytest

import torsor as ts
from sweep_cases import MEASURE, SAMPLES, VARY, pendulum, same, swept
from torsor import _core, _executor, _sweep
from torsor._executor import Schedule, Work

# --- the schedule alone


def made_by(workers, count, call, seconds_of, guess):
    """A crew in a clock of its own makes `count` runs: lengths of its chunks, seconds of all runs, time at which all are made."""
    schedule, work = Schedule(), Work(list(range(count)))
    schedule.told = workers
    schedule.heard(8, 8 * guess, sure=False)
    free, flying, lengths, now = [0.0] * workers, [], [], 0.0
    heapq.heapify(free)
    while work or flying:
        while work and len(flying) < schedule.room:
            part = work.take(schedule.size(len(work)))
            spent, made, last = 0.0, 0, 0.0
            while made < len(part) and spent + last <= schedule.most:
                batch = part[made:made + 8]
                last = len(batch) * seconds_of(batch[0])
                spent += last
                made += len(batch)
            end = max(now, heapq.heappop(free)) + call + spent
            heapq.heappush(free, end)
            heapq.heappush(flying, (end, len(lengths), part, made, spent))
            lengths.append(spent)
        now, _, part, made, spent = heapq.heappop(flying)
        if part:
            schedule.heard(made, spent)
            work.back(part[made:])
        else:
            schedule.answered(call)
    return lengths, sum(lengths), now


@pytest.mark.parametrize("workers, run", [(2, 1e-3), (2, 0.03), (50, 4e-3), (50, 0.03)])
@pytest.mark.parametrize("call", [1e-4, 4e-3, 0.05])
@pytest.mark.parametrize("guess", [0.2, 1, 7])
def test_calls_take_less_than_a_fiftieth_and_chunks_at_most_ten_seconds(workers, run, call, guess):
    """In a minute of work for each worker, whatever was guessed at the beginning; measured 4e-5 to 0.0199."""
    lengths, spent, end = made_by(workers, int(workers * 60 / run), call, lambda _: run, guess * run)
    assert sum(lengths) == pytest.approx(workers * 60)
    # Calls that are timed, and the first chunk of each worker, whose length is guessed, do not count.
    assert call * (len(lengths) - 4 - workers) < 0.02 * spent
    assert max(lengths) < 10
    # All end together, but for one of the last chunks, which are short.
    assert end < 1.02 * spent / workers + 1.5 * max(0.05, 50 * call) + 10 * call


def test_schedule_learns_from_chunks_that_come_back():
    schedule = Schedule()
    schedule.told = 2
    assert schedule.room == 1 and schedule.size(10**6) == 0  # calls without runs come first
    for seconds in (1.5, 0.002, 0.004, 0.003):  # the first starts a worker
        schedule.answered(seconds)
    schedule.heard(8, 8 * 7e-3, sure=False)
    assert schedule.room == 2  # few chunks in flight until one is back
    assert schedule.size(48) == 16  # 50 calls of 2 ms
    schedule.heard(16, 16e-3)
    assert schedule.room == 6
    for _ in range(8):
        schedule.heard(100, 0.1)
    assert 96 <= schedule.size(200) <= 112 and schedule.size(8000) == 1000 and schedule.size(10**6) == 5000
    for _ in range(8):
        schedule.heard(1, 20.0)
    assert schedule.size(10**6) == 1  # one run is as long as a chunk may be
    schedule.told = 0
    assert schedule.room == 256  # of a crew whose size nobody knows


def test_few_long_runs_go_to_all_workers():
    schedule = Schedule()
    schedule.told = 10
    schedule.heard(8, 4.0)
    for _ in range(4):
        schedule.answered(1e-3)
    assert schedule.size(1000) == 16  # of half a second each: 5 s, in whole batches
    assert schedule.size(40) == 4 and schedule.size(5) == 1


def test_a_given_chunk_is_kept():
    schedule = Schedule(7)
    schedule.heard(1, 100.0)
    assert schedule.size(1000) == 7 and schedule.room >= 3 and schedule.most == float("inf")


def test_runs_that_fail_at_once_make_no_long_chunks():
    """The first 2000 runs take nothing, and the client's too; each of the others takes a second."""
    lengths, spent, end = made_by(4, 2400, 1e-3, lambda run: 1e-6 if run < 2000 else 1.0, 1e-6)
    assert spent == pytest.approx(400.002) and max(lengths) <= 10
    assert 1e-3 * len(lengths) < 0.02 * spent and end < 100 + 20


def test_work_is_neither_lost_nor_given_twice():
    work, taken = Work(list(range(100))), []
    while work:
        part = work.take(7)
        keep = 1 + len(taken) % 7
        taken += part[:keep]
        work.back(part[keep:])
    assert sorted(taken) == list(range(100)) and not work.take(3)


# --- chunks on executors that are made here


class Clock:
    """Stands for the module `time` where chunks are timed."""

    def __init__(self):
        self.now = 0.0

    def module(self):
        return types.SimpleNamespace(perf_counter=lambda: self.now, monotonic=lambda: self.now, sleep=self.pass_by)

    def pass_by(self, seconds):
        self.now += seconds


class Slow:
    """A plan whose runs take their time by the clock."""

    def __init__(self, plan, clock, seconds_of):
        self.plan, self.clock, self.seconds_of = plan, clock, seconds_of

    def run(self, runs):
        self.clock.pass_by(sum(map(self.seconds_of, runs)))
        return self.plan.run(runs)


class Here(concurrent.futures.Executor):
    """Makes a chunk as soon as it is submitted, after a known time; `faults` are raised in the place of the first calls."""

    num_workers = 2

    def __init__(self, clock, latency, faults=()):
        self.clock, self.latency, self.faults = clock, latency, list(faults)
        self.calls, self.lengths = 0, []

    def submit(self, call, *words):
        self.clock.pass_by(self.latency)
        self.calls += 1
        future, begin = concurrent.futures.Future(), self.clock.now
        try:
            if self.faults:
                raise self.faults.pop(0)
            future.set_result(call(*words))
        except Exception as fault:
            future.set_exception(fault)
        self.lengths.append(self.clock.now - begin)
        return future


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(_executor, "time", clock.module())
    return clock


def slowed(monkeypatch, clock, seconds_of):
    read = _executor.read
    monkeypatch.setattr(_executor, "read", lambda plan: Slow(read(plan), clock, seconds_of))


def test_an_executor_of_known_latency_costs_less_than_two_per_cent(monkeypatch, clock):
    wanted = swept(samples={**SAMPLES, "count": 5000}, duration=0.1)
    slowed(monkeypatch, clock, lambda run: 1e-3)
    executor = Here(clock, 0.002)
    same(wanted, swept(samples={**SAMPLES, "count": 5000}, duration=0.1, executor=executor))
    assert executor.calls * 0.002 < 0.02 * 5 and max(executor.lengths) < 10
    assert executor.calls > 10


def test_an_executor_of_runs_that_fail_at_once_and_runs_that_last(monkeypatch, clock):
    vary = {"bodies.rod.mass": {"list": [-1, 1]}, "gravity.1": {"range": [-12, -8], "count": 400}}
    grid = {"method": "grid"}
    wanted = swept(vary=vary, samples=grid, duration=0.1)
    assert len(wanted.failed) == 400
    slowed(monkeypatch, clock, lambda run: 1e-6 if run < 400 else 1.0)
    executor = Here(clock, 0.001)
    same(wanted, swept(vary=vary, samples=grid, duration=0.1, executor=executor))
    assert max(executor.lengths) < 64 and executor.calls < 200  # at most 64 quick runs go between two looks at the clock


def test_a_worker_gives_back_what_it_has_no_time_for(monkeypatch, clock):
    slowed(monkeypatch, clock, lambda run: 0.1)
    plan = _sweep._plan_of(pendulum(), VARY, MEASURE, SAMPLES, {"duration": 0.1})
    rows, made, seconds = _executor.run_chunk(plan, range(40), 2.0)
    assert made == 16 and seconds == pytest.approx(1.6)
    assert rows == _executor.run_chunk(plan, range(16))[0]
    assert _executor.run_chunk(plan, range(0)) == (b"", 0, 0.0)


@pytest.mark.parametrize("fault", [concurrent.futures.BrokenExecutor("gone"), concurrent.futures.CancelledError(), OSError("gone")])
@pytest.mark.parametrize("when", [0, 2, 4])
def test_a_worker_that_dies_costs_its_call_alone(clock, fault, when):
    """While calls are timed (the first four) or later: a broken executor is replaced, a call that failed is made again."""
    made = []

    def crew():
        made.append(Here(clock, 1e-3))
        if len(made) == 1:
            executor, submit = made[0], made[0].submit

            def failing(*words):
                if executor.calls == when:
                    executor.faults.append(fault)
                return submit(*words)

            executor.submit = failing
        return made[-1]

    same(swept(), swept(executor=crew))
    assert len(made) == (1 if isinstance(fault, OSError) else 2)


def test_a_worker_that_dies_each_time_ends_the_sweep(clock):
    with pytest.raises(ts.Error, match="calls without runs failed 4 times on their executor: gone"):
        swept(executor=Here(clock, 1e-3, [OSError("gone")] * 4))
    with pytest.raises(ts.Error, match=r"runs \d+ to \d+ failed 4 times on their executor: gone"):
        swept(executor=Here(clock, 1e-3, [OSError("gone")] * 100), chunk=2)
    with pytest.raises(ts.Error, match="the same call goes on"):
        swept(executor=Here(clock, 1e-3, [concurrent.futures.BrokenExecutor("gone")]))


def test_calls_are_told_apart(clock):
    """Dask remembers what equal calls gave, failures too."""
    class Remembering(Here):
        given = {}

        def submit(self, call, *words):
            if words not in self.given:
                self.given[words] = super().submit(call, *words)
            return self.given[words]

    for options in {}, {"chunk": 2}:
        executor = Remembering(clock, 1e-3, [OSError("gone")] * 3)
        same(swept(), swept(executor=executor, **options))
        assert executor.calls > 4 and not executor.faults


@pytest.mark.parametrize("fault", [SystemExit(0), KeyboardInterrupt(), MemoryError()])
def test_what_ends_a_worker_does_not_end_its_caller(clock, fault):
    class Ending(Here):
        def submit(self, call, *words):
            future = concurrent.futures.Future()
            future.set_exception(fault)
            return future

    with pytest.raises(ts.Error, match="failed 4 times on their executor"):
        swept(executor=Ending(clock, 1e-3))


def test_chunks_that_nobody_waits_for_are_cancelled():
    class Waiting(concurrent.futures.Executor):
        futures = []

        def submit(self, call, *words):
            self.futures.append(concurrent.futures.Future())
            if len(self.futures) == 1:
                self.futures[0].set_result(call(*words))
            return self.futures[-1]

    def stop(done, planned, failed):
        raise KeyboardInterrupt

    executor = Waiting()
    with pytest.raises(KeyboardInterrupt):
        swept(executor=executor, chunk=2, progress=stop)
    assert len(executor.futures) > 8 and all(future.cancelled() for future in executor.futures[1:])


@pytest.mark.parametrize("options", [{}, {"chunk": 3}])
def test_a_worker_of_another_build_is_refused_at_once(monkeypatch, clock, options):
    class Other(Here):
        def submit(self, call, *words):
            with monkeypatch.context() as patch:
                patch.setattr(_core, "build_text", "torsor 0.0.1 of another day")
                return super().submit(call, *words)

    executor = Other(clock, 1e-3)
    with pytest.raises(ts.Error, match="the worker at .* has another build of Torsor than the client") as caught:
        swept(executor=executor, **options)
    assert "torsor 0.0.1 of another day" in str(caught.value) and _core.build_text in str(caught.value)
    assert executor.calls <= 6 and not isinstance(caught.value, ts.ModelError)


# --- executors of others


def test_mpi_gives_the_same_table(tmp_path):
    pytest.importorskip("mpi4py")
    mpirun = shutil.which("mpirun", path=os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if mpirun is None:
        pytest.skip("no mpirun")
    (tmp_path / "sweep.py").write_text("""
import sys
from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor
from sweep_cases import swept

if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        swept(executor=pool).save(sys.argv[1])
        swept(executor=pool, chunk=2).save(sys.argv[2])
        print(MPI.COMM_WORLD.Get_size(), pool.num_workers)
""")
    swept().save(tmp_path / "wanted.h5")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path]), "TMPDIR": "/tmp",
                   # Root, as in a container, and more processes than cores: by version 4 and by version 5 of Open MPI.
                   "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                   "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    done = subprocess.run([mpirun, "-n", "4", sys.executable, "-m", "mpi4py.futures", tmp_path / "sweep.py", tmp_path / "a.h5", tmp_path / "b.h5"],
                          env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == ["4", "3"]
    for name in ("a.h5", "b.h5"):
        assert (tmp_path / name).read_bytes() == (tmp_path / "wanted.h5").read_bytes()


def test_ray_gives_the_same_table(monkeypatch):
    """By the adapter of docs/sweep.md."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # or it writes a key into the home folder
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    ray = pytest.importorskip("ray")

    class Ray:
        def __init__(self):
            self.remote = functools.cache(ray.remote)
            self.num_workers = int(ray.cluster_resources()["CPU"])

        def submit(self, call, *words):
            return self.remote(call).remote(*words).future()

    def die(*words):
        os.kill(os.getpid(), signal.SIGKILL)

    class Deadly(Ray):
        calls = 0

        def submit(self, call, *words):
            self.calls += 1
            if self.calls == 8:  # no retry by Ray itself: that the sweep does it is to be seen
                return ray.remote(max_retries=0)(die).remote(*words).future()
            return super().submit(call, *words)

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        same(swept(), swept(executor=Ray))
        deadly = Deadly()
        same(swept(), swept(executor=deadly, chunk=2))
        assert deadly.calls == 24 + 1
        with pytest.raises(ts.ModelError, match="no_such_body"):
            swept(vary={"bodies.no_such_body.mass": {"list": [1, 2]}}, samples={"method": "grid"}, executor=Ray())
    finally:
        ray.shutdown()
