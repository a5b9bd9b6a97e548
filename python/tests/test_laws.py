"""Laws of one's own: functions of Python inside the library's steps."""
import concurrent.futures
import math
import pickle

import numpy as np
import pytest

import torsor as ts
from torsor._laws import Dual

K, REST, C = 3.0, 0.4, 0.2
METHODS = [("rotationless", "energy-momentum"), ("rotationless", "generalized-alpha"), ("joint", "implicit-midpoint"),
           ("joint", "gauss-legendre"), ("joint", "dopri5"), ("joint", "variational"), ("cartesian", "energy-momentum")]


def quadratic(x):
    return 0.5 * K * (x - REST) ** 2


def arm():
    return ts.load("three_link_arm")


def simulated(model, formulation, integrator):
    return model.simulate(0.5, 0.01, formulation=formulation, integrator=integrator, progress=False)


@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
def test_numbers_of_a_spring(formulation, integrator):
    mine, built_in = arm(), arm()
    mine.add_law("spring", joint="elbow", potential=quadratic, force=lambda x, rate, t: -C * rate, dissipates=True)
    built_in.joint_spring("spring", "elbow", stiffness=K, rest=REST, damping=C)
    a, b = simulated(mine, formulation, integrator), simulated(built_in, formulation, integrator)
    assert np.max(np.abs(a["joints/elbow/position"] - b["joints/elbow/position"])) < 1e-12  # measured 2e-15
    assert a.ledger.energy.dissipated == pytest.approx(b.ledger.energy.dissipated, abs=1e-13)


def test_numbers_of_a_tendon():
    mine, built_in = arm(), arm()
    for model in (mine, built_in):
        path = [model.point("post", "world", (0, 0.8)), model.point("hand", "link3", (1, 0))]
        model.tendon("cord", path, rest_length=0.5, stiffness=7 if model is built_in else 0)
    mine.add_law("pull", tendon="cord", potential=lambda x: 3.5 * (x - 0.5) ** 2)
    a, b = (simulated(model, "rotationless", "energy-momentum") for model in (mine, built_in))
    assert np.max(np.abs(a["joints/wrist/position"] - b["joints/wrist/position"])) < 1e-12
    assert a.ledger.energy.max_residual < 1e-12


def test_derivatives_by_duals_by_the_user_and_by_differences_lead_to_the_same():
    ends = []
    for given in ({}, {"derivative": lambda x: math.sinh(x)},
                  {"derivative": lambda x: np.sinh(x)}, {"derivative": math.sinh, "second_derivative": math.cosh}):
        model = arm()
        model.add_law("well", joint="elbow", potential=np.cosh, **given)
        model.add_law("push", joint="wrist", **(
            {"force": lambda x, rate, t: math.sin(x) * math.cos(t) - rate} if given else
            {"force": lambda x, rate, t: np.sin(x) * math.cos(t) - rate}))
        run = simulated(model, "rotationless", "energy-momentum")
        assert run.ledger.energy.max_residual < 1e-12
        ends.append(run["joints/elbow/position"][-1])
    assert np.ptp(ends) < 1e-13  # measured 4e-16


def test_dual_numbers_have_the_derivatives():
    functions = [np.sin, np.cos, np.tan, np.exp, np.log, np.sqrt, np.tanh, np.sinh, np.cosh, np.arctan, np.arcsin, np.arccos,
                 lambda x: x**3 / (1 + x) - 2 * abs(x), lambda x: 2.0**x, lambda x: np.float64(3) * x - x**x, lambda x: 1 / x]
    h, x = 1e-4, 0.6
    for f in functions:
        y = f(Dual(x, 1.0))
        assert y.value == pytest.approx(float(f(x)), rel=1e-14)
        assert y.by_x == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
        assert y.by_xx == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5, abs=1e-6)


class Enough(Exception):
    pass


@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
def test_what_a_function_raises_comes_out(formulation, integrator):
    calls = 0

    def potential(x):
        nonlocal calls
        calls += 1
        if calls == 120:
            raise Enough("at call 120")
        return quadratic(x)

    model = arm()
    model.add_law("spring", joint="elbow", potential=potential)
    with pytest.raises(Enough, match="at call 120"):
        simulated(model, formulation, integrator)
    calls = 0
    sim = model.stepper(0.01, formulation=formulation, integrator=integrator)
    with pytest.raises(Enough):
        sim.step(count=1000)
    there = sim.time
    sim.step(count=10)  # and goes on
    assert sim.time == pytest.approx(there + 0.1)


def test_answers_that_are_no_numbers():
    model = arm()
    model.add_law("text", joint="elbow", potential=lambda x: "none")
    with pytest.raises(ValueError, match="could not convert"):
        simulated(model, "rotationless", "energy-momentum")
    model = arm()
    model.add_law("wall", joint="elbow", force=lambda x, rate, t: math.nan if t > 0.3 else 0.0)
    with pytest.raises(ts.StepFailure, match="force of law 'wall' is no finite number") as failed:
        simulated(model, "rotationless", "energy-momentum")
    assert failed.value.run is not None and 0.2 < failed.value.run.t[-1] <= 0.3


def test_functions_of_math_ask_for_a_derivative():
    model = arm()
    model.add_law("well", joint="elbow", potential=lambda x: math.cos(x))
    with pytest.raises(TypeError, match="law 'well'.*NumPy.*derivative"):
        simulated(model, "joint", "dopri5")


def test_no_file_can_hold_it(tmp_path):
    model = arm()
    model.add_law("spring", joint="elbow", potential=quadratic)
    for write in (model.to_yaml, model.to_dict, lambda: model.save(tmp_path / "arm.yaml")):
        with pytest.raises(ts.ModelError, match="laws.spring"):
            write()
    assert "law spring" in model._repr_html_()
    with pytest.raises(ts.ModelError, match="no file can hold"):
        ts.load(arm().to_yaml() + "laws: {spring: {joint: elbow}}\n")
    run = simulated(model, "rotationless", "energy-momentum")
    run.save(tmp_path / "run.h5")
    assert b"# law spring: functions of Python" in ts.read(tmp_path / "run.h5")._table.model


def test_copies_keep_the_law():
    model = arm()
    model.add_law("spring", joint="elbow", potential=quadratic)
    assert model != arm()
    end = simulated(model, "rotationless", "energy-momentum")["joints/elbow/position"][-1]
    for other in (model.copy(), model.set({"simulation.step": 0.02}), pickle.loads(pickle.dumps(model))):
        assert simulated(other, "rotationless", "energy-momentum")["joints/elbow/position"][-1] == end
    assert model.copy() == model
    sim = model.stepper(0.01, formulation="rotationless", integrator="energy-momentum")
    del model
    sim.copy().step()
    sim.step()


@pytest.mark.parametrize(("given", "key"), [
    ({"joint": "elbow", "tendon": "cord"}, "laws.own"), ({}, "laws.own"), ({"joint": "elbow"}, "laws.own"),
    ({"joint": "elbo", "potential": quadratic}, "laws.own.joint"),
    ({"tendon": "cord", "potential": quadratic}, "laws.own.tendon"),
    ({"joint": "elbow", "coordinate": 1, "potential": quadratic}, "laws.own.coordinate"),
    ({"joint": "elbow", "potential": 3}, "laws.own.potential"),
    ({"joint": "elbow", "potential": quadratic, "dissipates": True}, "laws.own.dissipates"),
    ({"joint": "elbow", "force": lambda x, v, t: 0, "by_rate": lambda x, v, t: 0}, "laws.own.force"),
    ({"joint": "elbow", "derivative": quadratic}, "laws.own.potential")])
def test_faults_are_named(given, key):
    model = arm()
    with pytest.raises(ts.ModelError) as fault:
        model.add_law("own", **given)
        model.check()
    assert fault.value.key == key


def test_threads_take_turns():
    model = arm()
    model.add_law("spring", joint="elbow", potential=quadratic)
    alone = simulated(model, "rotationless", "energy-momentum")["joints/elbow/position"]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        runs = list(pool.map(lambda _: simulated(model, "rotationless", "energy-momentum"), range(4)))
    assert all(np.array_equal(run["joints/elbow/position"], alone) for run in runs)


def test_check_and_evaluate_know_it():
    model = arm()
    model.add_law("spring", joint="elbow", potential=quadratic)
    assert model.check().methods
    assert model.evaluate("energy", q={"elbow": 1.0}).energy.elastic == pytest.approx(quadratic(1.0))
