"""Sweeps from Python: one table, whoever made the runs."""
import concurrent.futures
import multiprocessing
import os
import signal
import socket
import subprocess
import sys

import h5py
import numpy as np
import pytest

import torsor as ts
from sweep_cases import MEASURE, act_at, pendulum, same, settings, swept

LONG = 100.0  # seconds of runs in whose middle somebody dies: 10,000 steps


def test_rows_are_those_of_single_runs():
    table = swept()
    assert table.planned == 48 and len(table) + len(table.failed) == 48 and 12 <= len(table.failed) <= 20
    assert all("bodies.rod.mass" in failed["reason"] and failed["inputs"]["bodies.rod.mass"] == 2 for failed in table.failed)
    for row in (0, 13, 30):
        run = table.model(int(table.runs[row])).simulate()
        # Runs of a sweep are made in packs, whose sums have another order: measured 1e-15.
        assert run["energy/kinetic"].max() == pytest.approx(table.measures["top"][row], rel=1e-12)
    assert table.units["swing"] == "Hz" and table.units["gravity.1"] == "m/s^2"
    assert table.ledger["balance"].max() < 1e-11


def test_model_may_be_a_name_of_the_gallery():
    vary, measure = {"gravity.1": {"list": [-10, -5]}}, {"top": {"max": "energy.kinetic"}}
    by_name, by_model = (ts.sweep(model, vary, measure, simulation={"duration": 0.5}) for model in ("pendulum", ts.load("pendulum")))
    assert np.array_equal(by_name.measures["top"], by_model.measures["top"])
    with pytest.raises(ts.ModelError, match="found 'no_such_model'"):
        ts.sweep("no_such_model", vary, measure)


def test_foreign_files_are_written_over_by_force_alone(tmp_path):
    table = ts.sweep("pendulum", {"gravity.1": {"list": [-10, -5]}}, {"top": {"max": "energy.kinetic"}}, simulation={"duration": 0.5})
    for name, text, write in (("mine.csv", "run,score\n1,2\n", table.save), ("mine.html", "<html>mine</html>", table.report)):
        file = tmp_path / name
        file.write_text(text)
        with pytest.raises(ts.ModelError, match="force=True"):
            write(file)
        assert file.read_text() == text
        write(file, force=True)
        write(file)


def test_threads_processes_and_chunks_give_the_same_table():
    wanted = swept(threads=1)
    same(wanted, swept(threads=3))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        same(wanted, swept(executor=pool))
        same(wanted, swept(executor=pool, chunk=1))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        same(wanted, swept(executor=pool, chunk=7))


class Fragile(concurrent.futures.ProcessPoolExecutor):
    """Two processes, of which one can be killed."""

    def __init__(self):
        super().__init__(2, mp_context=multiprocessing.get_context("spawn"))

    def kill(self):
        os.kill(next(iter(self._processes)), signal.SIGKILL)


def test_a_worker_that_is_killed_costs_its_chunk_alone():
    made = []

    def crew():
        made.append(Fragile())
        return made[-1]

    progress, told = act_at(8, lambda: made[0].kill())
    same(swept(duration=LONG), swept(duration=LONG, executor=crew, chunk=2, progress=progress))
    assert told and len(made) == 2  # in the middle, and the first was broken by it


def test_a_broken_executor_that_cannot_be_replaced_says_how_to_go_on(tmp_path):
    pool = Fragile()
    progress, told = act_at(8, pool.kill)
    with pytest.raises(ts.Error, match="the same call goes on"):
        swept(duration=LONG, executor=pool, chunk=2, out=tmp_path / "s", progress=progress)
    seen = []
    table = swept(duration=LONG, out=tmp_path / "s", progress=lambda done, planned, failed: seen.append(done))
    assert told and seen[0] > told[0]
    same(swept(duration=LONG), table)


def test_a_folder_goes_on_and_is_not_taken_for_another_sweep(tmp_path):
    seen = []

    def stop(done, planned, failed):
        seen.append(done)
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swept(duration=LONG, threads=1, out=tmp_path / "s", progress=stop)
    table = swept(duration=LONG, out=tmp_path / "s", progress=lambda done, planned, failed: seen.append(done))
    same(table, swept(duration=LONG))
    with pytest.raises(ts.ModelError, match="another sweep"):
        swept(duration=1.0, out=tmp_path / "s")


def ask_and_die(folder, on_executor):
    """In a process of its own: it asks for the sweep, and is killed when some runs are there."""

    def die(done, planned, failed):
        if 8 <= done < planned:
            os.kill(os.getpid(), signal.SIGKILL)

    if on_executor:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            swept(duration=LONG, out=folder, progress=die, executor=pool, chunk=2)
    else:
        swept(duration=LONG, out=folder, progress=die, threads=1)


@pytest.mark.parametrize("on_executor", [False, True])
def test_a_caller_that_is_killed_costs_what_was_on_its_way(tmp_path, on_executor):
    asking = multiprocessing.get_context("spawn").Process(target=ask_and_die, args=(tmp_path / "s", on_executor))
    asking.start()
    asking.join()
    assert asking.exitcode == -signal.SIGKILL
    seen = []
    table = swept(duration=LONG, out=tmp_path / "s", progress=lambda done, planned, failed: seen.append(done))
    assert seen[0] > 8
    same(table, swept(duration=LONG))


def test_files_hold_the_table(tmp_path):
    table = swept()
    table.save(tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5") as file:
        assert "torsor_sweep: 1" in file["text/sweep"][()].decode() and b"torsor: 1" in file.attrs["model"]
        assert [label.decode() for label in file["labels/bodies.rod.mass"]] == ["1", "2", "-1"]
        assert np.array_equal(file["measures/top"][:], table.measures["top"])
        assert file["measures/top"].attrs["unit"] == b"J"
        assert np.array_equal(file["failed/run"][:], [failed["run"] for failed in table.failed])
        assert file["failed/reason"][0].decode() == table.failed[0]["reason"]
    table.save(tmp_path / "t.csv")
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 49
    frame = table.to_pandas()
    assert list(frame.index) == list(table.runs)
    # The largest kinetic energy is as m g: relative variances 0.12 of g, 0.11 of m, shares of some 0.49 and 0.46.
    assert 0.2 < table.sensitivities()["top"]["gravity.1"] < 0.75


def test_faults_of_the_sweep_name_their_key():
    with pytest.raises(ts.ModelError) as caught:
        ts.sweep(pendulum(), {"bodies.rood.mass": {"range": [1, 2], "count": 2}}, MEASURE, simulation=settings())
    assert caught.value.key.startswith("vary.bodies.rood.mass")
    with pytest.raises(ts.ModelError) as caught:
        ts.sweep(pendulum(), {"gravity.1": {"range": [1, 2], "count": 2}}, {"x": {"max": "nothing"}}, simulation=settings())
    assert caught.value.key == "measure.x"


def test_dask_workers_that_die_are_replaced():
    distributed = pytest.importorskip("distributed")
    with (distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
          distributed.Client(cluster) as client):
        same(swept(), swept(executor=client.get_executor()))
        same(swept(), swept(executor=client))
        victim = next(iter(client.run(os.getpid).values()))
        progress, told = act_at(8, lambda: os.kill(victim, signal.SIGKILL))
        same(swept(duration=LONG), swept(duration=LONG, executor=client.get_executor(), chunk=2, progress=progress))
        assert told and victim not in client.run(os.getpid).values()


class Dask:
    """A scheduler and two workers as processes, which can be killed and started again at the same address."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes = []

    def call(self, *words):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        call = [sys.executable, "-m", *words, "--no-dashboard"]
        self.processes.append(subprocess.Popen(call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def start(self):
        self.call("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        for _ in range(2):
            self.call("distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny")

    def kill(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        self.processes = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()


def test_a_scheduler_that_is_killed_costs_what_was_in_flight(tmp_path):
    """The scheduler dies with its workers in mid-sweep: the call says so, what is stored stays, the same call goes on."""
    distributed = pytest.importorskip("distributed")
    wanted = swept(duration=LONG)
    with Dask() as dask:
        with distributed.Client(dask.address, timeout=60) as client:
            progress, told = act_at(8, dask.kill)
            with pytest.raises(ts.Error, match="the same call goes on"):
                swept(duration=LONG, executor=client.get_executor(), chunk=2, out=tmp_path / "s", progress=progress)
            assert told
        dask.start()
        seen = []
        with distributed.Client(dask.address, timeout=60) as client:
            table = swept(duration=LONG, executor=client.get_executor(), chunk=2, out=tmp_path / "s",
                          progress=lambda done, planned, failed: seen.append(done))
        assert seen[0] > told[0]
        same(wanted, table)


def test_a_function_that_makes_a_client_goes_on_after_a_restart():
    """Scheduler and workers die and come back: a new client goes on by itself."""
    distributed = pytest.importorskip("distributed")
    wanted = swept(duration=LONG)
    clients = []

    def crew():
        clients.append(distributed.Client(dask.address, timeout=30))
        return clients[-1].get_executor()

    def restart():
        dask.kill()
        dask.start()

    with Dask() as dask:
        progress, told = act_at(8, restart)
        same(wanted, swept(duration=LONG, executor=crew, chunk=2, progress=progress))
        assert told and len(clients) >= 2  # more where the scheduler is slow to come back
        for client in clients:
            client.close(timeout=1)


def test_parquet_holds_the_table(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = swept()
    table.to_parquet(tmp_path / "t.parquet")
    read = parquet.read_table(tmp_path / "t.parquet")
    assert np.array_equal(read["run"].to_numpy(), table.runs)
    assert np.array_equal(read["top"].to_numpy(), table.measures["top"])
    assert read.schema.field("top").metadata == {b"unit": b"J"}
    assert read["bodies.rod.mass"].to_pylist() == list(table.inputs["bodies.rod.mass"])


@pytest.mark.parametrize("threads", [1, 2])
def test_what_progress_raises_reaches_the_caller(threads):
    def progress(done, planned, failed):
        raise LookupError("enough")

    for _ in range(5):  # whichever thread calls it: this used to abort the interpreter
        with pytest.raises(LookupError, match="enough"):
            swept(threads=threads, progress=progress)


@pytest.mark.parametrize("options", [{"chunk": 0}, {"chunk": -1}, {"chunk": 2.5}, {"threads": -1}, {"threads": 0}])
def test_counts_below_one_are_refused(options):
    with pytest.raises(ts.ModelError, match="a whole number above 0"):
        swept(**options)


@pytest.mark.parametrize("executor", [3, lambda: None])
def test_what_is_no_executor_is_refused(executor):
    with pytest.raises(ts.ModelError, match="an object with a method `submit`"):
        swept(executor=executor)


@pytest.mark.parametrize("vary", [
    {"gravity.1": {"range": [-10, -9], "count": 4}},
    {"simulation.duration": {"list": [50, 1e5]}},  # soon a thread has no run left, most likely the caller's
])
def test_ctrl_c_ends_runs_between_two_steps(vary):
    program = f"""
import torsor as ts
model = ts.load("double_pendulum").set({{"simulation.step": 1e-4, "simulation.duration": 1e5}})
print("running", flush=True)
ts.sweep(model, {vary}, {{"e": {{"final": "energy.total"}}}}, threads=2)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "running\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in process.communicate(timeout=20)[1]
        finally:
            process.kill()
