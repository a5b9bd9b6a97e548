#!/usr/bin/env python3
"""Mechanisms with many loops, as model files: bench/loop_models.py KIND N > model.yaml.

  four-bars   N four-bars in a row (IFToMM benchmark A02): 2 N + 1 planar rods, 2 N rows of loops
"""
import sys


def four_bars(n):
    """Upright, the top moving at 1 m/s."""
    rod = "{mass: 1, com: [0.5, 0], inertia: 0.0833333333333333333}"
    yield "torsor: 1\nname: Row of %d four-bars\ndimension: 2\ngravity: [0, -9.81]\nbodies:" % n
    for i in range(n + 1):
        yield f"  post{i}: {rod}"
    for i in range(1, n + 1):
        yield f"  bar{i}: {rod}"
    yield "joints:"
    for i in range(n + 1):
        yield f"  base{i}: {{type: revolute, parent: world, child: post{i}, in_parent: {{position: [{i}, 0]}}}}"
    for i in range(1, n + 1):
        yield f"  left{i}: {{type: revolute, parent: post{i - 1}, child: bar{i}, in_parent: {{position: [1, 0]}}}}"
        yield (f"  right{i}: {{type: revolute, parent: bar{i}, child: post{i}, in_parent: {{position: [1, 0]}}, "
               "in_child: {position: [1, 0]}}")
    yield "initial:\n  joints:"
    for i in range(n + 1):
        yield f"    base{i}: 90 deg"
    for i in range(1, n + 1):
        yield f"    left{i}: -90 deg"
    yield "  rates:"
    for i in range(n + 1):
        yield f"    base{i}: -1"
    for i in range(1, n + 1):
        yield f"    left{i}: 1"
    yield "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 10}"


KINDS = {"four-bars": four_bars}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    print("\n".join(KINDS[sys.argv[1]](int(sys.argv[2]))))
