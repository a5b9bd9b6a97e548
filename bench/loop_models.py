#!/usr/bin/env python3
"""Mechanisms with many loops, as model files: bench/loop_models.py KIND N > model.yaml.

  four-bars   N four-bars in a row (IFToMM benchmark A02): 2 N + 1 planar rods, N loops
  lift        a scissor lift of N crosses: 2 N rods, N - 1 loops, one degree of freedom and a swing
  scissors    a square lattice of N x N crosses, hung at a corner: 2 N^2 rods, about 2 N^2 loops, most of their rows
              redundant
  sprung-lift, sprung-scissors  the same with a spring across each cross: they stay open, and swing up and down
  truss       N triangles of pinned rods, hung at one end: rigid, 2 N + 1 rods, N loops
  truss-grid  N x N squares of pinned rods, each with a diagonal: 3 N^2 rods, 3 N^2 loops
  tower       a tensegrity tower in space of N cells, three struts each, held by tendons alone; no loops of joints
  columns     the same with its struts in the file column by column, so that neighbours are far apart
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
        self.springs = []  # node, node, stiffness [N/m]; at rest at the start

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
        yield from self.spring_lines(on)
        yield "initial:\n  joints:"
        for name, angle in turned.items():
            yield f"    {name}: {angle!r}"
        yield f"  rates: {{hook: {rate}}}"
        yield "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.01, duration: 10}"


    def spring_lines(self, on):
        if not self.springs:
            return
        yield "points:"
        for n in sorted({n for a, b, _ in self.springs for n in (a, b)}):
            rod, along = on[n][0]
            yield f"  p{n}: {{body: rod{rod}, at: [{along!r}, 0]}}"
        yield "tendons:"
        for i, (a, b, stiffness) in enumerate(self.springs):
            yield (f"  spring{i}: {{path: [p{a}, p{b}], stiffness: {stiffness}, "
                   f"rest_length: {math.dist(self.places[a], self.places[b])!r}}}")


def crosses(name, rows, columns, stiffness=0):
    mechanism = Pinned(name)
    for i in range(rows):
        for j in range(columns):
            node = mechanism.node
            middle = node(j + 0.5, -0.6 * (i + 0.5))
            mechanism.rod([node(j, -0.6 * i), middle, node(j + 1, -0.6 * (i + 1))])
            mechanism.rod([node(j + 1, -0.6 * i), middle, node(j, -0.6 * (i + 1))])
            if stiffness:
                mechanism.springs.append((node(j, -0.6 * (i + 1)), node(j + 1, -0.6 * (i + 1)), stiffness))
    return mechanism.lines(0.5)


def lift(n):
    return crosses(f"Scissor lift of {n} crosses", n, 1)


def scissors(n):
    return crosses(f"Lattice of {n} x {n} scissors", n, n)


def sprung_lift(n):
    """Stiff enough to carry what hangs below the topmost cross."""
    return crosses(f"Scissor lift of {n} crosses with springs", n, 1, 400 * n)


def sprung_scissors(n):
    return crosses(f"Lattice of {n} x {n} scissors with springs", n, n, 400 * n)


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


# Force over length of the tendons of an endless tower over that of its prestress, in which struts and tendons balance.
DENSITIES = {"vertical": 0.862, "ring": 0.374, "top": 0.626, "short": 0.166, "long": 0.217, "saddle": 0.894}


def tensegrity(name, n, by_columns=False, gravity=0, mass=1, stiffness=10000, prestress=0.05, speed=3):
    """Cells of three struts, wound to the left and to the right in turn, that reach 0.3 m into each other. The lowest
    stands on ball joints; the rest moves aside, the top the fastest."""
    height, overlap, radius, wind = 1.0, 0.3, 0.5, 5 * math.pi / 6

    def ring(z, turn):
        return [(radius * math.cos(turn + 2 * math.pi * j / 3), radius * math.sin(turn + 2 * math.pi * j / 3), z)
                for j in range(3)]

    at, turn = {}, 0.0
    for c in range(n):
        wound = turn + (wind if c % 2 == 0 else -wind)
        base = c * (height - overlap)
        for j in range(3):
            at[f"foot{c}_{j}"], at[f"head{c}_{j}"] = ring(base, turn)[j], ring(base + height, wound)[j]
        turn = wound + math.pi / 3
    length = math.dist(at["foot0_0"], at["head0_0"])

    def numbers(list):
        return "[" + ", ".join(repr(x) for x in list) + "]"

    def turned(c, j):  # z along the strut
        z = [(b - a) / length for a, b in zip(at[f"foot{c}_{j}"], at[f"head{c}_{j}"])]
        flat = math.hypot(z[0], z[1])
        x = [-z[1] / flat, z[0] / flat, 0.0]
        y = [-z[2] * x[1], z[2] * x[0], z[0] * x[1] - z[1] * x[0]]
        return "{matrix: [" + ", ".join(numbers(row) for row in zip(x, y, z)) + "]}"

    def struts():
        pairs = [(c, j) for c in range(n) for j in range(3)]
        return sorted(pairs, key=lambda pair: pair[::-1]) if by_columns else pairs

    yield f"torsor: 1\nname: {name}\ngravity: [0, 0, {-gravity}]\nbodies:"
    for c, j in struts():
        middle = [(a + b) / 2 for a, b in zip(at[f"foot{c}_{j}"], at[f"head{c}_{j}"])]
        pose = f", pose: {{position: {numbers(middle)}, rotation: {turned(c, j)}}}" if c > 0 else ""
        yield f"  strut{c}_{j}: {{mass: {mass}, shape: {{cylinder: {{radius: 0.02, length: {length!r}}}}}{pose}}}"
    yield "joints:"
    for j in range(3):
        yield (f"  ball{j}: {{type: spherical, parent: world, child: strut0_{j}, in_parent: {{position: "
               f"{numbers(at[f'foot0_{j}'])}, rotation: {turned(0, j)}}}, in_child: {{position: [0, 0, {-length / 2!r}]}}}}")
    yield "points:"
    for c, j in struts():
        for end, place in (("foot", -length / 2), ("head", length / 2)):
            yield f"  {end}{c}_{j}: {{body: strut{c}_{j}, at: [0, 0, {place!r}]}}"
    yield "tendons:"
    count = 0

    def join(kind, degrees, from_ring, to_ring):
        nonlocal count
        for a in from_ring:
            for b in to_ring:
                turn = math.atan2(at[b][1], at[b][0]) - math.atan2(at[a][1], at[a][0])
                if abs(math.cos(turn) - math.cos(math.radians(degrees))) > 1e-9 or (a > b and from_ring == to_ring):
                    continue
                rest = math.dist(at[a], at[b]) * (1 - prestress * DENSITIES[kind])
                count += 1
                yield (f"  {kind}{count}: {{path: [{a}, {b}], stiffness: {stiffness}, rest_length: {rest!r}, "
                       "tension_only: true}")

    for c in range(n):
        feet, heads = ([f"{end}{c}_{j}" for j in range(3)] for end in ("foot", "head"))
        yield from join("vertical", 30, feet, heads)
        if c > 0:
            yield from join("ring", 120, feet, feet)
        yield from join("ring" if c + 1 < n else "top", 120, heads, heads)
        if c + 1 < n:
            next_feet, next_heads = ([f"{end}{c + 1}_{j}" for j in range(3)] for end in ("foot", "head"))
            yield from join("saddle", 60, heads, next_feet)
            for kind, degrees in (("short", 30), ("long", 90)):
                yield from join(kind, degrees, feet, next_feet)
                yield from join(kind, degrees, heads, next_heads)
    yield "initial:\n  bodies:"
    for c in range(1, n):
        for j in range(3):
            yield f"    strut{c}_{j}: {{velocity: [{speed * (c / n)**2!r}, 0, 0]}}"
    yield "simulation: {formulation: rotationless, integrator: energy-momentum, step: 0.005, duration: 10}"


def tower(n):
    return tensegrity(f"Tensegrity tower of {n} cells", n)


def columns(n):
    return tensegrity(f"Tensegrity tower of {n} cells, by columns", n, by_columns=True)


KINDS = {"four-bars": four_bars, "lift": lift, "sprung-lift": sprung_lift, "scissors": scissors, "sprung-scissors": sprung_scissors,
         "truss": truss, "truss-grid": truss_grid, "tower": tower, "columns": columns}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    print("\n".join(KINDS[sys.argv[1]](int(sys.argv[2]))))
