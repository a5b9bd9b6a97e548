"""The mechanisms of bench/peers, in the form of bench/wp_mechanisms.py, each with its step: every engine takes the same one."""
import math

from wp_mechanisms import arm, ball_chain, body, four_bar


def lasting(mechanism, name, duration, step):
    return {**mechanism, "name": name, "duration": duration, "step": step}


def rods(n, name, duration, step):
    """Rods of 1 m hinged in a plane, let go from the horizontal."""
    bodies = [body(f"rod{i + 1}", i - 1, "revolute", 1.0 if i else 0.0, 1.0, 0.5, [1e-3, 1 / 12, 1 / 12]) for i in range(n)]
    return lasting({"dimension": 2, "gravity": [0, -9.81, 0], "bodies": bodies, "loops": []}, name, duration, step)


def four_bars(n, duration, step):
    """IFToMM benchmark A02: n four-bars in a row, upright, the top moving at 1 m/s."""
    inertia, bodies, loops, upright = [1e-3, 1 / 12, 1 / 12], [], [], math.pi / 2
    for i in range(n + 1):
        bodies.append(body(f"post{i}", -1, "revolute", float(i), 1.0, 0.5, inertia, upright, -1.0))
    for i in range(n):
        bodies.append(body(f"bar{i}", i, "revolute", 1.0, 1.0, 0.5, inertia, -upright, 1.0))
        loops.append({"a": n + 1 + i, "at_a": 1.0, "b": i + 1, "at_b": 1.0})
    return lasting({"dimension": 2, "gravity": [0, -9.81, 0], "bodies": bodies, "loops": loops},
                   f"Row of {n} four-bars (A02)", duration, step)


def top(duration, step):
    """A disc on an axle along x that leans on a ball joint, spinning at 50 rad/s."""
    disc = body("top", -1, "spherical", 0.0, 1.0, 0.3, [0.02, 0.012, 0.012], qd=[50.0, 0.0, 0.0])
    return lasting({"dimension": 3, "gravity": [0, 0, -9.81], "bodies": [disc], "loops": []}, "Heavy top", duration, step)


MECHANISMS = {"pendulum": lambda: rods(1, "Pendulum", 10.0, 0.01),
              "double": lambda: rods(2, "Double pendulum", 10.0, 0.005),
              "arm": lambda: lasting(arm(), "Three-link arm", 50.0, 0.01),
              "four-bar": lambda: lasting(four_bar(), "Four-bar", 10.0, 0.005),
              "row": lambda: four_bars(10, 10.0, 0.01),
              "top": lambda: top(10.0, 0.002),
              "chain": lambda: lasting(ball_chain(16), "Chain on 16 ball joints", 1.5, 0.002)}
