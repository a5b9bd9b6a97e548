"""A double pendulum with a spring, in the words of the model file."""
import torsor as ts

arm = ts.Model("spring arm", dimension=2, gravity=(0, -9.81))
upper = arm.body("upper", mass=1.2, com=(0.25, 0), inertia=0.03)
lower = arm.body("lower", mass="800 g", com=(0.2, 0), inertia=0.015)
arm.joint("shoulder", "revolute", "world", upper, angle=-60 * ts.deg)
arm.joint("elbow", "revolute", upper, lower, in_parent={"position": (0.5, 0)}, angle="20 deg", rate=1.0)
arm.joint_spring("flexor", "elbow", stiffness=2, rest="10 deg", damping=0.05)
arm.simulation(formulation="rotationless", integrator="energy-momentum", step=0.005, duration=2)

print(arm.to_yaml())
run = arm.simulate()
print(f"the flexor took {run.ledger.energy.dissipated:.3f} J; the books are off by {run.ledger.energy.max_residual:.1e} J")
assert run.ledger.energy.max_residual < 1e-10
