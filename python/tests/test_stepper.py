"""Simulations in a loop of one's own."""
import pickle
import threading

import numpy as np
import pytest

import torsor as ts


def test_steps_are_those_of_a_run():
    model = ts.load("tendon_arm")
    run = model.simulate(duration=1)
    sim = model.stepper()
    for i in range(100):
        sim.step()
        assert sim.q["elbow"] == run.joints.elbow.position[i + 1]
    assert sim.time == pytest.approx(1, abs=1e-12)


def test_efforts_do_work_that_the_ledger_books():
    sim = ts.load("three_link_arm").stepper(step=0.002, formulation="rotationless", integrator="energy-momentum")
    sim.wrench[sim.model.bodies[-1]] = [0, 0, 0, 0, 5, 0]
    first = sim.energy
    while sim.time < 0.5:
        sim.effort["elbow"] = -20 * sim.q["elbow"] - 2 * sim.qd["elbow"] + 1
        sim.step()
    ledger = sim.ledger
    assert ledger.energy.work_by["external"] != 0
    assert ledger.energy.final == pytest.approx(first + ledger.energy.work, abs=1e-10)
    assert ledger.energy.max_residual < 1e-10  # measured 1e-13


@pytest.mark.parametrize("name", ["tendon_arm", "spherical_chain", "four_bar"])
def test_goes_on_from_a_state_bit_for_bit(name):
    sim = ts.load(name).stepper(step=0.001)
    sim.step(count=7)
    here = pickle.loads(pickle.dumps(sim.state))
    other = sim.copy()
    sim.step(count=5)
    other.step(count=5)
    assert other.state == sim.state
    there = sim.state
    sim.state = here
    sim.step(count=5)
    assert sim.state == there


def test_changed_state_needs_no_memory():
    sim = ts.load("tendon_arm").stepper(step=0.01)
    state = sim.state
    state.q = state.q + 0.1
    with pytest.raises(ts.ModelError):
        sim.state = state
    sim.reset(q=state.q, time=2)
    assert np.allclose(np.asarray(sim.q), state.q) and sim.time == 2
    with pytest.raises(ts.ModelError):
        sim.reset(q=[1, 2])


def test_spherical_joints_have_several_numbers():
    sim = ts.load("spherical_chain").stepper(step=0.001)
    joint = sim.model.joints[0]
    assert sim.q[joint].shape == (4,) and sim.effort[joint].shape == (3,)
    sim.effort[joint] = [0.1, 0, 0]
    sim.step()
    with pytest.raises(ValueError):
        sim.q[joint] = [1, 0, 0, 0]


def test_wrong_input_is_refused():
    sim = ts.load("tendon_arm").stepper(step=0.01)
    with pytest.raises(KeyError, match="elbow"):
        sim.effort["elbo"] = 1
    with pytest.raises(ValueError):
        sim.step(-1)
    sim.effort["elbow"] = np.nan
    with pytest.raises(ts.ModelError):
        sim.step()


def test_failed_step_leaves_the_last_good_state():
    sim = ts.load("tendon_arm").stepper(step=1e-7, integrator={"name": "energy-momentum", "max_iterations": 1})
    sim.step()
    with pytest.raises(ts.StepFailure):
        sim.step(0.5)
    before = sim.state
    assert np.isfinite(np.asarray(sim.q)).all()
    sim.step()
    assert sim.time > before.time


def test_stepper_belongs_to_one_thread():
    sim = ts.load("tendon_arm").stepper(step=0.001)
    refused = []

    def work():
        for _ in range(20):
            try:
                sim.step(count=200)
            except RuntimeError as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = 80 - len(refused)
    assert sim.time == pytest.approx(0.2 * steps, rel=1e-9)


def test_arrays_keep_their_stepper_alive():
    q = ts.load("tendon_arm").stepper(step=0.01).q[...]
    assert np.isfinite(q).all() and q.shape == (3,)


def test_a_sampled_controller_is_held_between_samples():
    arm = ts.load("three_link_arm")
    arm.controller("straight", "pd", joint="wrist", stiffness=5, damping=0.3, target=0, period=0.02, measures="position")
    run = arm.simulate(duration=0.2, step=0.005)
    efforts = np.ravel(run.controllers.straight.effort)
    assert all(efforts[4 * k] == efforts[4 * k + i] for k in range(10) for i in range(1, 4))
    assert run.ledger.sampling.straight.created != 0
    with pytest.raises(ts.ModelError, match="whole number of steps"):
        arm.simulate(duration=0.2, step=0.003)
