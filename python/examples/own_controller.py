"""Computed torque in a loop: the joints of an arm follow a path, by the tree's own inverse dynamics."""
import numpy as np

import torsor as ts

arm = ts.load("three_link_arm").set({"gravity": (0, -9.81)})
tree = arm.dynamics()
sim = arm.stepper(step=0.002, formulation="rotationless", integrator="energy-momentum")
sim.reset(q=np.zeros(3), qd=np.zeros(3))
amplitude, stiffness, damping = np.array([0.2, 0.4, 0.6]), 400.0, 40.0

worst = 0.0
while sim.time < 2:
    phase = np.pi * (sim.time + 0.001)  # the effort acts over the whole step
    goal = amplitude * (1 - np.cos(phase))
    rate = amplitude * np.pi * np.sin(phase)
    acceleration = amplitude * np.pi**2 * np.cos(phase)
    q, qd = np.asarray(sim.q), np.asarray(sim.qd)
    wanted = acceleration + stiffness * (goal - q - 0.001 * qd) + damping * (rate - qd)
    sim.effort[...] = tree.inverse_dynamics(q, qd, wanted)
    sim.step()
    worst = max(worst, float(np.abs(amplitude * (1 - np.cos(np.pi * sim.time)) - np.asarray(sim.q)).max()))

print(f"largest error {worst:.1e} rad; the books are off by {sim.ledger.energy.max_residual:.1e} J")
assert worst < 0.02 and sim.ledger.energy.max_residual < 1e-10
