"""Random calls with right and wrong arguments: they may raise, never crash. More of them: TORSOR_FUZZ_CALLS."""
import gc
import os
import random
import threading

import numpy as np
import pytest

import torsor as ts
from torsor import _core

CALLS = int(os.environ.get("TORSOR_FUZZ_CALLS", 12_000))
ALLOWED = (ValueError, TypeError, KeyError, ts.Error, OverflowError, RuntimeError, AttributeError, MemoryError, IndexError)
MODELS = ["seven_dof_arm", "all_joints", "tree_robot", "pendulum", "spherical_chain", "three_link_arm", "tendon_arm"]
METHODS = [name for name in dir(ts.Dynamics) if not name.startswith("_")]


def number(choice):
    return choice.choice([0.0, 1.0, -1.0, 1e-300, 1e300, np.nan, np.inf, -np.inf, choice.gauss(0, 1), choice.gauss(0, 1)])


def array(choice, sizes):
    """Of a fitting shape more often than not, in any layout and type."""
    size = choice.choice(sizes) if choice.random() < 0.9 else choice.randrange(0, 30)
    lead = choice.choice([(), (), (), (1,), (0,), (3,), (17,), (2, 3)])
    generator = np.random.default_rng(choice.randrange(2**32))
    values = generator.normal(size=(*lead, size)) if choice.random() < 0.9 else np.full((*lead, size), number(choice))
    kind = choice.randrange(12)
    if kind == 0:
        return values.tolist()
    if kind == 1:
        return np.asfortranarray(values)
    if kind == 2:
        return np.repeat(values, 2, axis=-1)[..., ::2]
    if kind == 3:
        return values.astype(choice.choice([np.float32, np.int32, np.complex128, ">f8", bool, np.float16, str, object]))
    if kind == 4:
        return values[..., ::-1]
    if kind == 5:
        return choice.choice([None, "text", 3, {}, [], object(), values.T, np.array(5.0), b"bytes", range(7)])
    if kind == 6:
        values.flags.writeable = False
    return values


def argument(choice, tree):
    sizes = [tree.nq, tree.nv, tree.nv, 6 * len(tree.bodies)]
    if choice.random() < 0.12:
        return choice.choice([*tree.bodies[:2], "world", "nobody", "body", "spatial", "hybrid", "mixed", "", "\0", 7, None])
    if choice.random() < 0.08:
        return np.random.default_rng(choice.randrange(2**32)).normal(size=(len(tree.bodies), 6))
    return array(choice, sizes)


def call(choice, tree):
    name = choice.choice(METHODS)
    method = getattr(tree, name)
    if not callable(method):
        return
    arguments = [argument(choice, tree) for _ in range(choice.choice([1, 1, 2, 2, 3, 3, 3, 4, 5]))]
    try:
        method(*arguments)
    except ALLOWED:
        pass


def right_call(choice, tree):
    """All of the right size, so that the algorithms themselves see the NaN."""
    count = choice.choice([(), (1,), (9,), (40,)])
    q = np.random.default_rng(choice.randrange(2**32)).normal(size=(*count, tree.nq))
    v = np.random.default_rng(choice.randrange(2**32)).normal(size=(*count, tree.nv))
    for values in (q, v):
        if choice.random() < 0.3 and values.size:
            values.flat[choice.randrange(values.size)] = number(choice)
    name = choice.choice(["inverse_dynamics", "forward_dynamics", "regressor", "linearise", "inverse_dynamics_derivatives",
                          "forward_dynamics_derivatives", "accelerations"])
    getattr(tree, name)(q, v, v)
    getattr(tree, choice.choice(["mass_matrix", "poses", "com", "gravity_forces", "christoffel"]))(q)


@pytest.mark.filterwarnings("ignore:.*in cast")
def test_dynamics_never_crashes():
    choice = random.Random(1)
    trees = [ts.load(name).dynamics() for name in MODELS]
    for i in range(CALLS):
        tree = choice.choice(trees)
        right_call(choice, tree) if i % 5 == 0 else call(choice, tree)
        if i % 500 == 0:
            trees[choice.randrange(len(trees))] = ts.load(choice.choice(MODELS)).dynamics()
            gc.collect()


def test_dynamics_never_crashes_in_threads():
    trees = [ts.load(name).dynamics() for name in MODELS]

    def work(seed):
        choice = random.Random(seed)
        for _ in range(CALLS // 20):
            call(choice, choice.choice(trees))
            right_call(choice, choice.choice(trees))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def mutated(choice, value):
    """A model's dict with something wrong in it."""
    if isinstance(value, dict) and value and choice.random() < 0.95:
        key = choice.choice(list(value))
        changed = dict(value)
        if choice.random() < 0.1:
            changed.pop(key)
        else:
            changed[key] = mutated(choice, value[key])
        return changed
    if isinstance(value, list) and value and choice.random() < 0.7:
        changed = list(value)
        changed[choice.randrange(len(value))] = mutated(choice, choice.choice(value))
        return changed
    return choice.choice([number(choice), "text", -1, 0, 1, [], {}, [1, 2, 3], "30 deg", True, None, "world", "\n", 10**30])


def test_models_never_crash():
    choice = random.Random(2)
    specs = [ts.load(name).to_dict() for name in MODELS + ["four_bar", "impedance_arm", "joint_springs", "driven_arm"]]
    simulated = 0
    for _ in range(CALLS // 20):
        spec = choice.choice(specs)
        for _ in range(choice.choice([1, 1, 2, 3])):
            spec = mutated(choice, spec)
        try:
            model = ts.load(spec)
            model.check()
            run = model.simulate(step=0.01, duration=0.02)
            simulated += 1
            run.to_pandas(), run.ledger, repr(run), run.model
            sim = model.stepper(step=0.01)
            sim.effort[...] = number(choice)
            sim.step()
            sim.state = sim.state
        except ALLOWED:
            pass
    assert simulated > 20


def test_core_refuses_nonsense():
    choice = random.Random(3)
    model = ts.load("tendon_arm")
    run = model.simulate(duration=0.1)
    targets = [_core.Model, _core.model_json, _core.find_model, _core.load, _core.converted_text, _core.read_result, _core.make_table,
               _core.ledger_text, _core.write_report, _core.Dynamics, _core.Stepper, run._table.array, run._table.unit,
               model._compiled.evaluation_json, _core.settings_json]
    junk = [None, 0, -1, 1.5, "", "text", b"", b"{}", [], [[]], {}, (), object(), np.zeros(3), "/", "/dev/null", True, [("a", "b")]]
    for _ in range(CALLS // 4):
        try:
            choice.choice(targets)(*(choice.choice(junk) for _ in range(choice.randrange(5))))
        except ALLOWED + (OSError,):
            pass


@pytest.mark.filterwarnings("ignore:nanobind")
def test_uninitialised_objects_are_refused():
    for cls in (_core.Model, _core.Dynamics, _core.Stepper, _core.ResultTable):
        try:
            made = cls.__new__(cls)
        except ALLOWED:
            continue
        for name in dir(cls):
            if not name.startswith("_"):
                with pytest.raises(ALLOWED):
                    attribute = getattr(made, name)
                    attribute() if callable(attribute) else None
                    raise ValueError


def test_views_outlive_their_owners():
    kept = []
    for i in range(60):
        run = ts.load("pendulum").simulate(duration=0.1, step=0.01)
        sim = ts.load("tendon_arm").stepper(step=0.01)
        kept += [run.t, run["energy/total"], sim.q[...], sim.effort[...], sim.copy().wrench[...]]
        del run, sim
        if i % 10 == 0:
            gc.collect()
    assert all(np.isfinite(view).all() for view in kept)


def test_nothing_leaks():
    """Memory stands still over many calls and runs."""
    import resource

    tree = ts.load("seven_dof_arm").dynamics()
    model = ts.load("tendon_arm")
    q = np.zeros((200, 7))

    def work():
        for _ in range(200):
            tree.inverse_dynamics(q, q, q), tree.forward_dynamics_derivatives(q[0], q[0], q[0])
            try:
                tree.mass_matrix(np.zeros(3))
            except ValueError:
                pass
        for _ in range(10):
            model.simulate(duration=1), model.stepper(step=0.01).step()

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    for _ in range(3):
        work()
    gc.collect()
    before = resident()
    for _ in range(10):
        work()
    gc.collect()
    assert resident() - before < 8e6  # measured 0 to 0.3 MB
