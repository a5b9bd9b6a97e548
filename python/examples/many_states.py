"""A hundred thousand states in one call, and the derivatives that optimisers ask for."""
import numpy as np

import torsor as ts

tree = ts.load("seven_dof_arm").dynamics()
random = np.random.default_rng(0)
q, qd, qdd = random.normal(size=(3, 100_000, tree.nv))

effort = tree.inverse_dynamics(q, qd, qdd)
back = tree.forward_dynamics(q, qd, effort)
print(f"efforts {effort.shape}; forward dynamics is off by {np.abs(back - qdd).max():.1e}")

linear = tree.linearise(q[0], np.zeros(tree.nv), tree.gravity_forces(q[0]))
slowest = tree.modes(linear.A)[0]
print(f"A {linear.A.shape}, slowest eigenvalue {slowest.eigenvalue:.3f}")
assert np.abs(back - qdd).max() < 1e-6
