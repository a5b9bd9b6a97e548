"""Sweeps that several tests make, and what they share. No test; scripts on other processes import it, too."""
import numpy as np

import torsor as ts

VARY = {"gravity.1": {"uniform": [-20, -5]}, "bodies.rod.mass": {"list": [1, 2, -1]}}
MEASURE = {"swing": {"frequency": "joints.pivot.position"}, "top": {"max": "energy.kinetic"}}
SAMPLES = {"method": "sobol", "count": 48, "seed": 3}


def pendulum():
    model = ts.Model("swing", dimension=2, gravity=(0, -9.81))
    rod = model.body("rod", mass=1, com=(0, -0.5), inertia=1 / 12)
    model.joint("pivot", "revolute", "world", rod, angle=0.2)
    return model


def settings(duration=1.0):
    return {"formulation": "rotationless", "integrator": "energy-momentum", "step": 0.01, "duration": duration}


def swept(duration=1.0, vary=VARY, samples=SAMPLES, **options):
    return ts.sweep(pendulum(), vary, MEASURE, samples=samples, simulation=settings(duration), **options)


def same(a, b):
    assert np.array_equal(a.runs, b.runs)
    for name in MEASURE:
        assert np.array_equal(a.measures[name], b.measures[name])
    assert a.failed == b.failed
    return True


def act_at(count, act):
    """A progress function that acts once, when so many runs are there and most are not; and the runs at which it did."""
    told = []

    def progress(done, planned, failed):
        if count <= done < planned / 2 and not told:
            told.append(done)
            act()

    return progress, told
