"""Gains of an impedance controller by scipy.optimize: a hand that is let go beside its goal shall get there soon, and gently."""
from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped,unused-ignore]

import torsor as ts

RHO = 1e-4  # what a squared newton costs beside a squared metre


def cost(run: ts.Run, error: Any, force: Any) -> float:
    """Integral of error^2 + RHO force^2."""
    return float(np.trapezoid(np.sum(np.square(error) + RHO * np.square(force), axis=-1), run.t))


def tuned(of: Any, start: Any) -> Any:
    """The gains with the least cost. Their logarithms vary: gains are above 0, and a tenth more is a tenth more everywhere."""
    found = minimize(lambda x: of(np.exp(x)), np.log(start), method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-12, "maxiter": 1000})
    assert found.success, found.message
    return np.exp(found.x)


# A case with a known answer: a mass on a rail, u = -K x - D v. By Riccati's equation K = 1 / sqrt(RHO), D = sqrt(2 m K), from any start.
MASS = 2.0
cart = ts.Model("cart", dimension=2)
slider = cart.body("slider", mass=MASS, inertia=0.1)
cart.joint("rail", "prismatic", "world", slider, axis=(1, 0), displacement=0.1)
cart.controller("hold", "pd", joint="rail", stiffness=1, damping=1, target=0)


def cart_cost(gains: Any) -> float:
    run = cart.set({"controllers.hold.stiffness": gains[0], "controllers.hold.damping": gains[1]}).simulate(
        duration=3, step=0.005, formulation="rotationless", integrator={"name": "petrov-galerkin", "m": 1})
    return cost(run, run["joints/rail/position"][:, None], run["controllers/hold/effort"][:, None])


gains = tuned(cart_cost, [30, 30])
exact = np.array([RHO**-0.5, (2 * MASS) ** 0.5 * RHO**-0.25])
print(f"cart: K = {gains[0]:.2f} N/m, D = {gains[1]:.3f} N s/m; exact {exact[0]:.2f}, {exact[1]:.3f}")
assert np.allclose(gains, exact, rtol=2e-3)

# The arm: K and D along x and y. How heavy the hand feels depends on the pose, so nobody knows them beforehand.
goal = np.array([0.5, 0.0])
arm = ts.load("impedance_arm").set({"controllers.circle.target": {"x": goal[0], "y": goal[1]}, "initial.joints.shoulder": "-30 deg"})


def arm_run(gains: Any) -> ts.Run:
    return arm.set({"controllers.circle.stiffness": list(gains[:2]), "controllers.circle.damping": list(gains[2:])}).simulate(
        duration=2, step=0.005, formulation="rotationless", integrator="energy-momentum")


def arm_cost(gains: Any) -> float:
    run = arm_run(gains)
    error = run["points/hand/position"] - goal
    force = -gains[:2] * error - gains[2:] * run["points/hand/velocity"]
    return cost(run, error, force)


start = np.array([300.0, 300.0, 40.0, 40.0])
best = tuned(arm_cost, start)
print(f"arm: K = {best[0]:.1f}, {best[1]:.1f} N/m, D = {best[2]:.2f}, {best[3]:.2f} N s/m; cost {arm_cost(start):.6f} -> {arm_cost(best):.6f}")
assert arm_cost(best) < arm_cost(start)
