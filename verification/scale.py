#!/usr/bin/env python3
"""What runs on several processes cost: PYTHONPATH=build/python build/scale-env/bin/python verification/scale.py WHAT [N]

  tasks N        N empty tasks through dask, one by one: processor time of client, scheduler and workers a task
  rows N         what the client does with the rows of N runs that come in chunks of 5000: processor time a run, without an executor
  million N      a sweep of N pendulums that make no step, through dask with two workers: the same a run
  pool N         a sweep of N tendon arms on a process pool of two
  dask N         the same on dask with two workers
  mpi N          the same on MPIPoolExecutor; start it by build/scale-env/bin/mpirun -n K PYTHON -m mpi4py.futures verification/scale.py mpi N
  ray N          the same on Ray with two workers

`pool`, `dask`, `mpi` and `ray` hold the table to that of one thread, bit for bit, and give the efficiency: processor time of one thread
for the same runs, over that of all processes. On an idle machine it is what the cores do for the runs; unlike the wall time, which is
given too, other programs hardly change it. tools/scale_env makes the environment.
"""
import concurrent.futures
import functools
import json
import multiprocessing
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import time

import numpy as np
import psutil

import torsor as ts
from torsor import _core, _executor, _sweep

ARMS = {"vary": {"tendons.biarticular.stiffness": {"uniform": [0.5, 5]}, "initial.joints.elbow": {"uniform": [-0.17, 0.17]}},
        "measure": {"reach": {"final": "points.horn3.position.x"}}, "simulation": {"duration": 5}}

STILL = {"vary": {"initial.joints.pivot": {"uniform": [-1, 1]}}, "measure": {"angle": {"final": "joints.pivot.position"}},
         "simulation": {"duration": 0, "step": 0.01}}


def own_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def seconds_of(processes):
    return {name: sum(p.cpu_times().user + p.cpu_times().system for p in group) for name, group in processes.items()}


def arms(count, **how):
    return ts.sweep(ts.load("tendon_arm"), samples={"method": "sobol", "count": count, "seed": 7}, **ARMS, **how)


class Dask:
    """A scheduler and two workers in processes of their own."""

    def __enter__(self):
        import distributed

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        address = f"tcp://127.0.0.1:{port}"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        start = lambda *words: subprocess.Popen([sys.executable, "-m", *words, "--no-dashboard"], env=environment,
                                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.started = [start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port))]
        self.started += [start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        self.client = distributed.Client(address, timeout=120)
        self.client.wait_for_workers(2)
        self.processes = {"client": [psutil.Process()], "scheduler": [psutil.Process(self.started[0].pid)],
                          "workers": [psutil.Process(p.pid) for p in self.started[1:]]}
        return self

    def __exit__(self, *_):
        self.client.close()
        for process in self.started:
            process.kill()
            process.wait()


def nothing(_):
    return None


def report(what, count, before, after, wall):
    spent = {name: after[name] - before[name] for name in after}
    print(json.dumps({"what": what, "count": count, "wall_s": round(wall, 2), "load": round(os.getloadavg()[0], 1),
                      **{f"{name}_us": round(1e6 * s / count, 3) for name, s in spent.items()}}), flush=True)
    return sum(spent.values())


def tasks(count):
    with Dask() as dask:
        dask.client.gather(dask.client.map(nothing, range(100), pure=False))
        before = seconds_of(dask.processes)
        time.sleep(10)
        after = seconds_of(dask.processes)
        print("idle, of a core:", {name: round((after[name] - before[name]) / 10, 3) for name in after})
        before, begin = seconds_of(dask.processes), time.perf_counter()
        for first in range(0, count, 5000):  # a few thousand at a time, as a sweep would
            dask.client.gather(dask.client.map(nothing, range(first, min(count, first + 5000)), pure=False))
        report("tasks one by one", count, before, seconds_of(dask.processes), time.perf_counter() - begin)


def rows(count):
    plan = _sweep._plan_of(ts.load("pendulum"), samples={"method": "random", "count": count, "seed": 1}, **STILL)
    chunks = [_executor.run_chunk(plan, range(first, min(count, first + 5000)))[0] for first in range(0, count, 5000)]
    with tempfile.TemporaryDirectory() as folder:
        used = own_seconds()
        place = _core.SweepRuns(_executor.read(plan), folder)
        missing = len(place.missing())
        for chunk in chunks:
            place.add(chunk)
        added = own_seconds() - used
        table = place.table()
        made = own_seconds() - used - added
        place.close()
    assert missing == len(table.runs) == count
    print(f"rows of {count} runs: {1e6 * added / count:.3f} us a run, {1e6 * made / count:.3f} us more for the table", flush=True)


def million(count):
    pendulum, how = ts.load("pendulum"), STILL
    few = ts.sweep(pendulum, samples={"method": "random", "count": 2000, "seed": 1}, threads=1, **how)
    with Dask() as dask:
        ts.sweep(pendulum, samples={"method": "random", "count": 2000, "seed": 1}, executor=dask.client.get_executor(), **how)
        memory = psutil.Process().memory_info().rss
        before, begin = seconds_of(dask.processes), time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            table = ts.sweep(pendulum, samples={"method": "random", "count": count, "seed": 1}, executor=dask.client.get_executor(),
                             out=folder, **how)
            report("runs without a step", count, before, seconds_of(dask.processes), time.perf_counter() - begin)
            table.save(pathlib.Path(folder) / "table.h5")
            sizes = {file.name: round(file.stat().st_size / count, 1) for file in pathlib.Path(folder).iterdir()}
        print(f"bytes a run: {sizes}, memory of the client {(psutil.Process().memory_info().rss - memory) / count:.0f}")
    assert len(table) == count and np.array_equal(table.measures["angle"][:2000], few.measures["angle"])


def efficiency(what, count, processes, executor):
    arms(count, executor=executor)  # workers load what they need
    before, begin = seconds_of(processes()), time.perf_counter()
    table = arms(count, executor=executor)
    spent = report(what, count, before, seconds_of(processes()), time.perf_counter() - begin)
    used, begin = own_seconds(), time.perf_counter()
    alone = arms(count, threads=1)
    used, wall = own_seconds() - used, time.perf_counter() - begin
    assert np.array_equal(alone.measures["reach"], table.measures["reach"]) and np.array_equal(alone.runs, table.runs)
    print(f"{what}: efficiency {used / spent:.3f} (one thread: {used:.2f} s of processor, {wall:.2f} s); tables bit-equal", flush=True)


def pool(count):
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        efficiency("process pool of 2", count, lambda: {
            "client": [psutil.Process()], "workers": [psutil.Process(pid) for pid in (executor._processes or {})]}, executor)


def dask(count):
    with Dask() as cluster:
        efficiency("dask with 2 workers", count, lambda: cluster.processes, cluster.client.get_executor())


def mpi(count):
    from mpi4py import MPI
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as executor:
        size = MPI.COMM_WORLD.Get_size()
        pids = set(executor.map(worker_pid, range(20 * size)))
        efficiency(f"mpirun -n {size}", count, lambda: {"client": [psutil.Process()], "workers": [psutil.Process(p) for p in pids]}, executor)


class Ray:
    """As in docs/sweep.md."""

    def __init__(self):
        import ray

        self.remote = functools.cache(ray.remote)
        self.num_workers = int(ray.cluster_resources()["CPU"])

    def submit(self, call, *words):
        return self.remote(call).remote(*words).future()


def ray(count):
    os.environ.update(RAY_AUTH_MODE="disabled", PYTHONPATH=os.pathsep.join(sys.path))
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    efficiency("Ray with 2 workers", count, lambda: {
        "client": [psutil.Process()], "workers": [p for p in psutil.Process().children(recursive=True) if "ray::" in p.name()],
        "ray": [p for p in psutil.Process().children(recursive=True) if "ray::" not in p.name()]}, Ray())
    ray.shutdown()


def worker_pid(_):
    time.sleep(0.02)
    return os.getpid()


if __name__ == "__main__":
    {"tasks": tasks, "rows": rows, "million": million, "pool": pool, "dask": dask, "mpi": mpi, "ray": ray}[sys.argv[1]](int(sys.argv[2]))
