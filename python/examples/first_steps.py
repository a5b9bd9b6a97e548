"""Simulate a model of the gallery, look at what was conserved, compare with another method."""
import torsor as ts

model = ts.load("tendon_arm")
run = model.simulate(duration=5, step=0.01)
print(run.ledger)

highest = run["bodies/link3/com"][:, 1].max()
print(f"the last link rises to {highest:.3f} m; the elbow ends at {run.joints.elbow.position[-1]:.3f} rad")

other = model.simulate(duration=5, formulation="joint", integrator="dopri5")
print(ts.compare(run, other))
assert run.ledger.energy.max_residual < 1e-12
