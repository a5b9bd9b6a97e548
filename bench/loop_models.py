#!/usr/bin/env python3
"""Mechanisms with many loops, as model files: bench/loop_models.py KIND N > model.yaml.

  four-bars   N four-bars in a row (IFToMM benchmark A02): 2 N + 1 planar rods, N loops
  lift        a scissor lift of N crosses: 2 N rods, N - 1 loops, one degree of freedom and a swing
  scissors    a square lattice of N x N crosses, hung at a corner: 2 N^2 rods, about 2 N^2 loops, most of their rows
              redundant
  truss       N triangles of pinned rods, hung at one end: rigid, 2 N + 1 rods, N loops
  truss-grid  N x N squares of pinned rods, each with a diagonal: 3 N^2 rods, 3 N^2 loops
"""
import math
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


class Pinned:
    """Planar rods pinned together at nodes; the first node hangs on the ground."""

    def __init__(self, name):
        self.name, self.places, self.rods, self.at = name, [], [], {}

    def node(self, x, y):
        key = (round(x, 9), round(y, 9))
        if key not in self.at:
            self.at[key] = len(self.places)
            self.places.append((x, y))
        return self.at[key]

    def rod(self, nodes):
        """Through two or more nodes on a line."""
        self.rods.append(nodes)

    def lines(self, rate):
        yield f"torsor: 1\nname: {self.name}\ndimension: 2\ngravity: [0, -9.81]\nbodies:"
        on = [[] for _ in self.places]  # of each node: rods, and where on them
        angles = []
        for r, nodes in enumerate(self.rods):
            (x0, y0), (x1, y1) = self.places[nodes[0]], self.places[nodes[-1]]
            length = math.hypot(x1 - x0, y1 - y0)
            angles.append(math.atan2(y1 - y0, x1 - x0))
            yield f"  rod{r}: {{mass: {length!r}, com: [{length / 2!r}, 0], inertia: {length**3 / 12!r}}}"
            for n in nodes:
                on[n].append((r, math.hypot(self.places[n][0] - x0, self.places[n][1] - y0)))
        yield "joints:"
        held, turned = {on[0][0][0]: None}, {}
        r, along = on[0][0]
        yield f"  hook: {{type: revolute, parent: world, child: rod{r}, in_child: {{position: [{along!r}, 0]}}}}"
        turned["hook"] = angles[r]
        # The tree first, always at the first node that has a rod to offer, inner nodes of rods before their ends, so
        # that loops are short; what is left closes them.
        inner = {n for nodes in self.rods for n in nodes[1:-1]}
        nodes = sorted(range(len(self.places)), key=lambda n: (n not in inner, n))
        carrier = [None] * len(self.places)
        used = set()

        def pin(n, r, along):
            used.add((n, r))
            c, at = carrier[n]
            return (f"  pin{n}_{r}: {{type: revolute, parent: rod{c}, child: rod{r}, in_parent: {{position: "
                    f"[{at!r}, 0]}}, in_child: {{position: [{along!r}, 0]}}}}")

        while len(held) < len(self.rods):
            for n in nodes:
                known = [entry for entry in on[n] if entry[0] in held]
                fresh = [entry for entry in on[n] if entry[0] not in held]
                if known and fresh:
                    break
            carrier[n] = carrier[n] or known[0]
            r, along = fresh[0]
            held[r] = n
            turned[f"pin{n}_{r}"] = angles[r] - angles[carrier[n][0]]
            yield pin(n, r, along)
        for n in range(len(self.places)):
            carrier[n] = carrier[n] or on[n][0]
            for r, along in on[n]:
                if r != carrier[n][0] and (n, r) not in used:
                    yield pin(n, r, along)
        yield "initial:\n  joints:"
        for name, angle in turned.items():
            yield f"    {name}: {angle!r}"
        yield f"  rates: {{hook: {rate}}}"
        yield "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 10}"


def crosses(name, rows, columns):
    mechanism = Pinned(name)
    for i in range(rows):
        for j in range(columns):
            node = mechanism.node
            middle = node(j + 0.5, -0.6 * (i + 0.5))
            mechanism.rod([node(j, -0.6 * i), middle, node(j + 1, -0.6 * (i + 1))])
            mechanism.rod([node(j + 1, -0.6 * i), middle, node(j, -0.6 * (i + 1))])
    return mechanism.lines(0.5)


def lift(n):
    return crosses(f"Scissor lift of {n} crosses", n, 1)


def scissors(n):
    return crosses(f"Lattice of {n} x {n} scissors", n, n)


def truss(n):
    mechanism = Pinned(f"Truss of {n} triangles")
    at = [mechanism.node(0.5 * i, -0.8 * (i % 2)) for i in range(n + 2)]
    for i in range(n):
        mechanism.rod([at[i], at[i + 1]])
        mechanism.rod([at[i], at[i + 2]])
    mechanism.rod([at[n], at[n + 1]])
    return mechanism.lines(0.5)


def truss_grid(n):
    mechanism = Pinned(f"Truss of {n} x {n} squares")
    node = mechanism.node
    for i in range(n + 1):
        for j in range(n + 1):
            if j < n:
                mechanism.rod([node(j, -i), node(j + 1, -i)])
            if i < n:
                mechanism.rod([node(j, -i), node(j, -i - 1)])
            if i < n and j < n:
                mechanism.rod([node(j, -i), node(j + 1, -i - 1)])
    return mechanism.lines(0.5)


KINDS = {"four-bars": four_bars, "lift": lift, "scissors": scissors, "truss": truss, "truss-grid": truss_grid}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    print("\n".join(KINDS[sys.argv[1]](int(sys.argv[2]))))
