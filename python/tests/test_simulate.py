"""Runs: the program's numbers, bit for bit; what is kept when a run ends early."""
import concurrent.futures
import json
import signal
import threading
import time

import numpy as np
import pytest

import torsor as ts

WAYS = [("tendon_arm", {}), ("tendon_arm", {"formulation": "joint", "integrator": "dopri5", "tolerance": 1e-9}),
        ("four_bar", {}), ("heavy_top", {}), ("spherical_chain", {}), ("chain16_dampers", {}), ("impedance_arm", {})]


@pytest.mark.parametrize("name, choice", WAYS)
def test_numbers_are_those_of_the_program(name, choice, run_program, tmp_path):
    out = tmp_path / "program.h5"
    words = [word for key, value in choice.items() for word in (f"--{key}", value)]
    ledger = json.loads(run_program("run", name, *words, "--duration", "0.5", "--out", out, "--json"))
    run = ts.load(name).simulate(duration=0.5, **choice)
    assert run == ts.read(out)
    mine = run.ledger.to_dict()
    for timing in ("wall_seconds", "realtime_factor"):
        mine.pop(timing), ledger.pop(timing)
    assert mine == ledger


def test_ledger_prints_as_the_program_does(run_program):
    def without_time(text):
        return [line for line in text.splitlines() if "wall time" not in line]

    run = ts.load("tendon_arm").simulate(duration=2)
    assert without_time(str(run.ledger)) == without_time(run_program("run", "tendon_arm", "--duration", "2").replace("--verify", "verify=True"))


def test_arrays_are_views_that_outlive_the_run():
    run = ts.load("tendon_arm").simulate(duration=1)
    com = run["bodies/link3/com"]
    assert np.shares_memory(com, run["bodies/link3/com"]) and not com.flags.writeable
    before = com.copy()
    del run
    again = [ts.load("tendon_arm").simulate(duration=1)["time"] for _ in range(3)]
    assert np.array_equal(com, before) and len(again[0]) == 101


def test_attributes_lead_where_paths_do():
    run = ts.load("tendon_arm").simulate(duration=0.1)
    assert np.array_equal(run.joints.elbow.position, run["joints/elbow/position"])
    assert set(run.tendons) == set(ts.load("tendon_arm").tendons)
    assert "elbow" in dir(run.joints) and "energy" in dir(run)
    with pytest.raises(AttributeError, match="elbow"):
        run.joints.elbo
    with pytest.raises(KeyError):
        run["joints/elbo/position"]


def test_failed_step_keeps_what_was_computed():
    with pytest.raises(ts.StepFailure) as caught:
        ts.load("tendon_arm").simulate(duration=5, step=0.5, formulation="joint",
                                       integrator={"name": "implicit-midpoint", "max_iterations": 1})
    failure = caught.value
    assert failure.run.status == "failed" and failure.run.t[-1] == failure.time
    assert failure.advice and failure.iterations >= 0


def test_bad_settings_name_their_key():
    model = ts.load("tendon_arm")
    for choice, key in [({"step": -1}, "simulation.step"), ({"integrator": "nonsense"}, "simulation.integrator"),
                        ({"formulation": "nonsense"}, "simulation.formulation"), ({"out": "run.txt"}, "out"),
                        ({"accuracy": -1}, "accuracy")]:
        with pytest.raises(ts.ModelError) as caught:
            model.simulate(**choice)
        assert caught.value.key == key and caught.value.expected and caught.value.found
        assert str(caught.value).startswith(key) and "--" not in str(caught.value) and not caught.value.file


def test_messages_name_arguments_not_options():
    model = ts.Model("rod", dimension=2)
    model.body("rod", mass=1, inertia=1)
    model.joint("hinge", "revolute", "world", "rod")
    with pytest.raises(ts.ModelError, match=r"simulation.step: expected a step in seconds \(or step=H\), found none"):
        model.simulate(duration=1)


def test_interrupt_keeps_what_there_is():
    threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
    with pytest.warns(ts.Interrupted):
        run = ts.load("tendon_arm").simulate(duration=1e5, step=0.01, record_every=1000)
    assert run.status == "interrupted" and 0 < run.t[-1] < 1e5
    assert run.ledger.energy.max_residual < 1e-9  # measured 2e-13


def test_error_in_progress_is_raised():
    def stop(simulated):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        ts.load("tendon_arm").simulate(duration=1e5, step=0.01, record_every=1000, progress=stop)


def test_progress_is_told_the_time():
    seen = []
    ts.load("tendon_arm").simulate(duration=40, step=0.0005, record_every=1000, progress=seen.append)
    assert seen == sorted(seen) and all(0 < simulated <= 40 for simulated in seen)


def test_lock_is_released():
    """A thread counts on while a run goes."""
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    ts.load("tendon_arm").simulate(duration=300, record_every=1000)
    done.set()
    thread.join()
    assert counted > 5


def test_runs_in_threads_are_those_in_a_row(tmp_path):
    model = ts.load("tendon_arm")
    alone = model.simulate(duration=2)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda i: model.simulate(duration=2, out=tmp_path / f"{i}.h5"), range(8)))
    assert all(run == alone for run in runs)
    assert all(ts.read(tmp_path / f"{i}.h5") == alone for i in range(8))


def test_accuracy_of_the_motion():
    run = ts.load("tendon_arm").simulate(duration=1, verify=True)
    assert run.accuracy.verdict == "resolved" and run.accuracy.warning is None
    assert run.accuracy.digits["motion"] > 3 and run.accuracy.digits["bodies/com"] > 3
    assert "digits" not in ts.load("tendon_arm").simulate(duration=1).accuracy


def test_steps_for_an_accuracy(tmp_path):
    out = tmp_path / "run.h5"
    run = ts.load("four_bar").simulate(duration=1, accuracy=1e-5, out=out)
    assert 0.4e-5 <= run.accuracy.steps.estimated <= 1e-5
    assert run.ledger.energy.max_residual <= 1e-11 * run.ledger.energy.scale
    assert ts.read(out).accuracy == run.accuracy
    with pytest.raises(ts.ModelError, match="accuracy"):
        ts.load("pendulum").simulate(duration=1, accuracy=1e-5)


def test_verdicts_say_what_was_checked():
    exact = ts.load("tendon_arm").simulate(duration=1).ledger.verdicts
    assert {name: verdict.state for name, verdict in exact.items()} == {
        "energy": "exact", "constraints": "exact", "momenta": "none", "motion": "order"}
    assert exact.energy.figure < 1e-12 and exact.motion.figure is None
    explicit = ts.load("tendon_arm").simulate(duration=1, formulation="joint", integrator="rkmk4").ledger.verdicts
    assert explicit.energy.state == "none" and "(no guarantee)" in explicit.energy.text
    verified = ts.load("tendon_arm").simulate(duration=1, verify=True).ledger.verdicts.motion
    assert verified.state == "order" and 0 < verified.figure < 1e-3
