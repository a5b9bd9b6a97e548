"""Muscles: built, run and, where the package mujoco is there, compared with MuJoCo's actuator at random states."""
import numpy as np
import pytest

import torsor as ts

POINTS = {"front": ("world", 0.06, 0.03), "back": ("world", -0.06, 0.03), "deltoid": ("upper_arm", 0.14, 0.015),
          "teres": ("upper_arm", 0.1, -0.015), "shaft_front": ("upper_arm", 0.12, 0.02),
          "shaft_back": ("upper_arm", 0.08, -0.02), "groove": ("upper_arm", 0.06, 0.035),
          "trochlea": ("upper_arm", 0.25, -0.03), "ulna": ("forearm", 0.05, 0.015), "radius": ("forearm", 0.06, 0.02),
          "olecranon": ("forearm", -0.02, -0.025)}
PATHS = {"shoulder_flexor": ["front", "deltoid"], "shoulder_extensor": ["back", "teres"],
         "elbow_flexor": ["shaft_front", "ulna"], "elbow_extensor": ["shaft_back", "trochlea", "olecranon"],
         "biceps": ["front", "groove", "radius"], "triceps": ["back", "trochlea", "olecranon"]}
BODIES = {"upper_arm": (2.1, 0.14, 0.02), "forearm": (1.65, 0.18, 0.03)}
FORCES = dict(zip(PATHS, (900.0, 800.0, 700.0, 800.0, 500.0, 600.0)))
RANGES = dict(zip(PATHS, ((0.08, 0.19), (0.1, 0.17), (0.13, 0.24), (0.19, 0.26), (0.22, 0.39), (0.3, 0.4))))


def arm(activation, q=(0.0, 0.0), qd=(0.0, 0.0)):
    model = ts.Model("arm", dimension=2, gravity=(0, -9.81))
    for name, (mass, com, inertia) in BODIES.items():
        model.body(name, mass=mass, com=(com, 0), inertia=inertia)
    model.joint("shoulder", "revolute", "world", "upper_arm", angle=q[0], rate=qd[0])
    model.joint("elbow", "revolute", "upper_arm", "forearm", in_parent={"position": (0.3, 0)}, angle=q[1], rate=qd[1])
    for name, (body, x, y) in POINTS.items():
        model.point(name, body, (x, y))
    for name, path in PATHS.items():
        model.tendon(name, path, muscle={"law": "mujoco", "excitation": float(activation[name]),
                                         "max_force": FORCES[name], "length_range": RANGES[name]})
    return model


def mujoco_arm(mujoco):
    def sites(owner):
        return "".join(f'<site name="{name}" pos="{x} {y} 0"/>' for name, (body, x, y) in POINTS.items() if body == owner)

    def body(name, joint, inner=""):
        mass, com, inertia = BODIES[name]
        place = "" if name == "upper_arm" else 'pos="0.3 0 0"'
        return (f'<body name="{name}" {place}><joint name="{joint}" type="hinge" axis="0 0 1"/>'
                f'<inertial pos="{com} 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>{sites(name)}{inner}</body>')

    tendons = "".join(f'<spatial name="{name}">' + "".join(f'<site site="{site}"/>' for site in path) + "</spatial>"
                      for name, path in PATHS.items())
    muscles = "".join(f'<muscle name="{name}" tendon="{name}" force="{FORCES[name]}" '
                      f'lengthrange="{RANGES[name][0]} {RANGES[name][1]}"/>' for name in PATHS)
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option gravity="0 -9.81 0"/><worldbody>{sites("world")}'
        f'{body("upper_arm", "shoulder", body("forearm", "elbow"))}</worldbody><tendon>{tendons}</tendon>'
        f'<actuator>{muscles}</actuator></mujoco>')


def test_forces_lengths_and_accelerations_are_those_of_mujoco():
    mujoco = pytest.importorskip("mujoco")
    judge = mujoco_arm(mujoco)
    there = mujoco.MjData(judge)
    rng = np.random.default_rng(3)
    for _ in range(200):
        q, qd, a = rng.uniform((-1.6, 0.1), (0.3, 2.0)), rng.uniform(-4, 4, 2), rng.uniform(0, 1, len(PATHS))
        there.qpos[:], there.qvel[:], there.act[:], there.ctrl[:] = q, qd, a, a
        mujoco.mj_forward(judge, there)
        model = arm(dict(zip(PATHS, a)), q, qd)
        run = model.simulate(1e-6, 1e-6, formulation="joint", integrator="rkmk4")
        for i, name in enumerate(PATHS):
            assert abs(run[f"tendons/{name}/length"][0] - there.ten_length[i]) <= 1e-12  # measured 2e-16
            assert abs(run[f"muscles/{name}/force"][0] + there.actuator_force[i]) <= 1e-10 * FORCES[name]  # measured 1e-15
        state = dict(zip(("shoulder", "elbow"), map(float, q))), dict(zip(("shoulder", "elbow"), map(float, qd)))
        qdd = np.ravel(model.evaluate("forward_dynamics", q=state[0], qd=state[1]).forward_dynamics)
        assert np.abs(qdd - there.qacc).max() <= 1e-10 * (1 + np.abs(there.qacc).max())  # measured 2e-14


def test_moment_arms_are_derivatives_of_lengths():
    """Of the generalised forces of one muscle after the other, by its tension."""
    rng, step = np.random.default_rng(4), 1e-4
    for name in PATHS:
        q = rng.uniform((-1.2, 0.3), (0.0, 1.8))
        alone = {other: float(other == name) for other in PATHS}

        def length(shift, name=name, q=q, alone=alone):
            run = arm(alone, q + shift).simulate(1e-6, 1e-6, formulation="joint", integrator="rkmk4")
            return run[f"tendons/{name}/length"][0]

        for joint in range(2):
            e = step * np.eye(2)[joint]
            slope = (8 * (length(e) - length(-e)) - (length(2 * e) - length(-2 * e))) / (12 * step)
            active, passive = arm(alone, q), arm({other: 0.0 for other in PATHS}, q)
            state = dict(zip(("shoulder", "elbow"), map(float, q)))
            M = np.array(active.evaluate("mass_matrix", q=state).mass_matrix)
            change = np.ravel(active.evaluate("forward_dynamics", q=state).forward_dynamics) - np.ravel(
                passive.evaluate("forward_dynamics", q=state).forward_dynamics)
            forces = [model.simulate(1e-6, 1e-6, formulation="joint", integrator="rkmk4")[f"muscles/{name}/force"][0]
                      for model in (active, passive)]
            assert abs(-(M @ change)[joint] / (forces[0] - forces[1]) - slope) <= 1e-9  # measured 5e-13


def test_the_arm_of_the_gallery_balances_its_energy():
    run = ts.load("muscle_arm").simulate(duration=0.5)
    assert run.ledger.energy.max_residual <= 1e-11 * run.ledger.energy.scale
    assert run.unit("muscles/biceps/force") == "N"
    assert (run["muscles/biceps/activation"] > 0).all()
