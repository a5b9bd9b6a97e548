"""Laws of one's own: functions of Python inside the library's steps."""
import concurrent.futures
import math
import pickle
import signal

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
    with pytest.raises(ts.StepFailure, match="force of law 'wall' is not a finite number") as failed:
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


def arm_with_hand():
    model = arm()
    model.point("hand", "link3", (1, 0.1))
    return model


def hill(x, y, z):
    return 2.0 * np.exp(-((x - 1.2) ** 2) - 2 * (y + 0.3) ** 2) + 0.5 * x * y


def hill_slope(x, y, z):
    e = 2.0 * np.exp(-((x - 1.2) ** 2) - 2 * (y + 0.3) ** 2)
    return -2 * (x - 1.2) * e + 0.5 * y, -4 * (y + 0.3) * e + 0.5 * x, 0


@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
def test_a_potential_at_a_point(formulation, integrator):
    """U = k/2 |p - rest|^2 and -c v are those of an impedance controller."""
    mine, built_in = arm_with_hand(), arm_with_hand()
    mine.add_law("spring", point="hand", potential=lambda x, y, z: 0.5 * K * ((x - 1) ** 2 + (y - REST) ** 2),
                 force=lambda p, v, t: -C * v, dissipates=True)
    built_in.controller("spring", "impedance", point="hand", stiffness=[K, K], damping=[C, C], target={"x": 1, "y": REST})
    a, b = simulated(mine, formulation, integrator), simulated(built_in, formulation, integrator)
    assert np.max(np.abs(a["joints/elbow/position"] - b["joints/elbow/position"])) < 1e-12  # measured 4e-15
    assert a.ledger.energy.dissipated == pytest.approx(b.ledger.energy.dissipated, abs=1e-12)


def test_derivatives_at_a_point_by_duals_by_the_user_and_by_differences_lead_to_the_same():
    ends = []

    def curvature(x, y, z):
        h = 1e-6
        columns = [(np.array(hill_slope(x + h * (i == 0), y + h * (i == 1), z))
                    - np.array(hill_slope(x - h * (i == 0), y - h * (i == 1), z))) / (2 * h) for i in range(3)]
        return np.array(columns).T

    for given in ({}, {"derivative": hill_slope}, {"derivative": lambda x, y, z: hill_slope(float(x), float(y), z)},
                  {"derivative": hill_slope, "second_derivative": curvature}):
        model = arm_with_hand()
        model.add_law("hill", point="hand", potential=hill, **given)
        model.add_law("wind", point="hand", **(
            {"force": lambda p, v, t: [math.sin(t) - 0.2 * np.linalg.norm(v) * v[0], -0.1 * v[1], 0]} if given else
            {"force": lambda p, v, t: [math.sin(t) - 0.2 * np.sqrt(v @ v) * v[0], -0.1 * v[1], 0]}))
        run = simulated(model, "rotationless", "energy-momentum")
        assert run.ledger.energy.max_residual < 1e-12  # measured 2e-14
        ends.append(run["joints/elbow/position"][-1])
    assert np.ptp(ends) < 1e-12  # measured 2e-15


def test_faults_at_points_are_named():
    for given, key in [({"point": "hand", "joint": "elbow", "potential": hill}, "laws.own"),
                       ({"point": "foot", "potential": hill}, "laws.own.point"),
                       ({"point": "hand", "coordinate": 0, "potential": hill}, "laws.own.coordinate")]:
        model = arm_with_hand()
        with pytest.raises(ts.ModelError) as fault:
            model.add_law("own", **given)
            model.check()
        assert fault.value.key == key
    model = arm_with_hand()
    model.add_law("own", point="hand", force=lambda p, v, t: [1.0, 2.0])
    with pytest.raises(ValueError, match="force of law 'own' has 2 components, not 3"):
        simulated(model, "rotationless", "energy-momentum")


@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, Enough])
def test_what_was_computed_is_kept(tmp_path, formulation, integrator, error):
    """Ctrl-C inside a function, or an error of its own: both reach the caller, with the run so far."""
    calls = 0

    def potential(x):
        nonlocal calls
        calls += 1
        if calls == 800:
            if error is KeyboardInterrupt:
                signal.raise_signal(signal.SIGINT)
            else:
                raise error
        return quadratic(x)

    model = arm()
    model.add_law("spring", joint="elbow", potential=potential)
    model = model.set({"simulation.formulation": formulation, "simulation.integrator": integrator, "simulation.step": 0.01,
                       "simulation.duration": 6, "simulation.record_every": 3})
    with pytest.raises(error) as raised:
        model.simulate(progress=False, out=tmp_path / "run.h5")
    run = raised.value.run
    assert run.status == "interrupted" and 0 < run.t[-1] < 6
    calls = 10**6
    whole = model.simulate(run.t[-1], progress=False)
    apart = np.max(np.abs(run["joints/elbow/position"][-1] - whole["joints/elbow/position"][-1]))
    assert apart < (1e-6 if integrator == "dopri5" else 1e-12)  # error control chooses other steps towards another end
    kept = ts.read(tmp_path / "run.h5")
    assert np.array_equal(kept.t, run.t) and kept.ledger.energy.max_residual == run.ledger.energy.max_residual
