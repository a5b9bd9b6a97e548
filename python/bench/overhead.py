"""What a call from Python costs, beside Pinocchio's (pip install pin): python/bench/overhead.py

Times are the least of several runs that take turns; on a machine that does other things compare ratios. What Python adds is the
difference to the call in C++, which `bench/` measures.
"""
from __future__ import annotations

import argparse
import time

import numpy as np

import torsor as ts

try:
    import pinocchio as pin
except ImportError:
    pin = None


def least(turns, repeat):
    """Seconds a call, for each of several (function, count) that take turns."""
    best = [float("inf")] * len(turns)
    for _ in range(repeat):
        for i, (function, count) in enumerate(turns):
            begin = time.perf_counter()
            for _ in range(count):
                function()
            best[i] = min(best[i], (time.perf_counter() - begin) / count)
    return best


def pinocchio_arm(spec):
    """The same arm: revolute joints in a row, body frames at the joints."""
    model = pin.Model()
    model.gravity.linear = np.array(spec["gravity"], float)
    parent = 0
    for name, joint in spec["joints"].items():
        axis = np.array(joint.get("axis", [0, 0, 1]), float)
        place = pin.SE3(np.eye(3), np.array(joint["in_parent"]["position"], float))
        kinds = {(0, 0, 1): pin.JointModelRZ, (0, 1, 0): pin.JointModelRY, (1, 0, 0): pin.JointModelRX}
        kind = kinds[tuple(np.abs(axis).astype(int))]() if axis.min() >= 0 else pin.JointModelRevoluteUnaligned(axis)
        parent = model.addJoint(parent, kind, place, name)
        body = spec["bodies"][joint["child"]]
        inertia = pin.Inertia(float(body["mass"]), np.array(body["com"], float), np.diag(np.array(body["inertia"], float)))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    return model, model.createData()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=30)
    parser.add_argument("--states", type=int, default=100_000)
    options = parser.parse_args()
    arm = ts.load("seven_dof_arm")
    tree = arm.dynamics()
    random = np.random.default_rng(0)
    q, qd, qdd = random.normal(size=(3, tree.nv))
    Q, QD, QDD = random.normal(size=(3, options.states, tree.nv))
    rnea, states = tree.inverse_dynamics, options.states

    turns = {"torsor inverse_dynamics": (lambda: rnea(q, qd, qdd), 20_000),
             "torsor forward_dynamics": (lambda: tree.forward_dynamics(q, qd, qdd), 20_000),
             "torsor mass_matrix": (lambda: tree.mass_matrix(q), 20_000),
             "an empty function": (lambda: None, 20_000),
             "torsor batch, a state": (lambda: rnea(Q, QD, QDD), 1)}
    if pin:
        model, data = pinocchio_arm(arm.to_dict())
        error = np.abs(pin.rnea(model, data, q, qd, qdd) - rnea(q, qd, qdd)).max()
        print(f"agreement with Pinocchio {pin.__version__}: {error:.1e} N m")
        turns["pinocchio rnea"] = (lambda: pin.rnea(model, data, q, qd, qdd), 20_000)
        turns["pinocchio aba"] = (lambda: pin.aba(model, data, q, qd, qdd), 20_000)

        def loop():
            for i in range(10_000):
                pin.rnea(model, data, Q[i], QD[i], QDD[i])

        turns["pinocchio loop in Python, a state"] = (loop, 1)
    times = dict(zip(turns, least(list(turns.values()), options.repeat)))
    times["torsor batch, a state"] /= states
    if pin:
        times["pinocchio loop in Python, a state"] /= 10_000
    for name, seconds in times.items():
        print(f"{name:40} {1e9 * seconds:9.1f} ns")
    if pin:
        single = times["pinocchio rnea"] / times["torsor inverse_dynamics"]
        many = times["pinocchio loop in Python, a state"] / times["torsor batch, a state"]
        print(f"one call: {single:.1f} times as quick as Pinocchio's; {states} states: {many:.1f} times its loop")


if __name__ == "__main__":
    main()
