"""Runs of bench/peers by MuJoCo, Pinocchio, Drake and Exudyn: peer_runs.py ENGINE OUT.json < JOBS.json, in the environment of
tools/setup_bench. A job is a mechanism (bench/peer_mechanisms.py) and the rounds of timing; every engine takes its step.

A run gives the least seconds of some rounds, and from one more, looked at 100 times: the energy error
max |E(t) - E(0)|, with energies computed here from masses, velocities and positions alike for all engines; the gap, the
largest distance between points that a joint or a loop holds together; and positions of mass centres at the end.
"""
import json
import math
import sys
import time

import numpy as np

LOOKS = 100


class Engine:
    """What an engine shows: advance(n) takes n steps, bodies() are (com, R, v, omega) of each body, in the world."""

    def __init__(self, mechanism):
        self.m = mechanism


def rot_z(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def energy(m, bodies):
    total = 0.0
    for b, (com, R, v, w) in zip(m["bodies"], bodies):
        local = R.T @ w
        total += 0.5 * b["mass"] * (v @ v) + 0.5 * local @ (np.array(b["inertia"]) * local) - b["mass"] * np.dot(m["gravity"], com)
    return float(total)


def gap(m, bodies):
    """Of all joints and loops [m]."""
    def point(i, at):
        if i < 0:
            return np.array([at, 0, 0])
        com, R, _, _ = bodies[i]
        return com + R @ np.array([at - m["bodies"][i]["com"], 0, 0])

    pairs = [(point(b["parent"], b["at"]), point(i, 0.0)) for i, b in enumerate(m["bodies"])]
    pairs += [(point(l["a"], l["at_a"]), point(l["b"], l["at_b"])) for l in m["loops"]]
    return max(float(np.linalg.norm(p - q)) for p, q in pairs)


class Mujoco(Engine):
    """Joint coordinates; loops as equality constraints, which are soft."""
    METHODS = {"implicit": "implicit", "RK4": "RK4"}

    def __init__(self, m, method):
        super().__init__(m)
        import mujoco
        self.mj = mujoco
        children = {}
        for i, b in enumerate(m["bodies"]):
            children.setdefault(b["parent"], []).append(i)
        sites = {}
        for k, loop in enumerate(m["loops"]):
            sites.setdefault(loop["a"], []).append((f"a{k}", loop["at_a"]))
            sites.setdefault(loop["b"], []).append((f"b{k}", loop["at_b"]))

        def xml(i):
            b = m["bodies"][i]
            joint = f'<joint name="j{i}" type="ball"/>' if b["type"] == "spherical" else f'<joint name="j{i}" type="hinge" axis="0 0 1"/>'
            inner = "".join(f'<site name="{name}" pos="{at!r} 0 0"/>' for name, at in sites.get(i, []))
            inner += "".join(xml(c) for c in children.get(i, []))
            return (f'<body name="b{i}" pos="{b["at"]!r} 0 0"><inertial pos="{b["com"]!r} 0 0" mass="{b["mass"]!r}" '
                    f'diaginertia="{" ".join(map(repr, b["inertia"]))}"/>{joint}{inner}</body>')

        loops = "".join(f'<connect site1="a{k}" site2="b{k}"/>' for k in range(len(m["loops"])))
        text = (f'<mujoco><option timestep="{m["step"]!r}" integrator="{self.METHODS[method]}" '
                f'gravity="{" ".join(map(str, m["gravity"]))}"><flag contact="disable"/></option>'
                f'<worldbody>{"".join(xml(c) for c in children[-1])}</worldbody><equality>{loops}</equality></mujoco>')
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        for i, b in enumerate(m["bodies"]):
            dof = self.model.joint(f"j{i}").dofadr[0]
            if b["type"] == "spherical":
                self.data.qvel[dof:dof + 3] = b["qd"]
            else:
                self.data.qpos[self.model.joint(f"j{i}").qposadr[0]] = b["q"]
                self.data.qvel[dof] = b["qd"]

    def advance(self, n):
        self.mj.mj_step(self.model, self.data, nstep=n)

    def bodies(self):
        mj, d = self.mj, self.data
        mj.mj_kinematics(self.model, d)
        mj.mj_comPos(self.model, d)
        mj.mj_comVel(self.model, d)
        found = []
        for i in range(len(self.m["bodies"])):
            body = self.model.body(f"b{i}").id
            speed = np.zeros(6)
            mj.mj_objectVelocity(self.model, d, mj.mjtObj.mjOBJ_BODY, body, speed, 0)  # of the inertial frame
            found.append((d.xipos[body].copy(), d.ximat[body].reshape(3, 3).copy(), speed[3:], speed[:3]))
        return found


class Pinocchio(Engine):
    """Accelerations by the articulated-body algorithm, or with loops by constrained dynamics; steps written here, in Python."""
    METHODS = {"semi-implicit Euler": 1, "RK4": 4}

    def __init__(self, m, method):
        super().__init__(m)
        import pinocchio as pin
        self.pin, self.stages = pin, self.METHODS[method]
        model = self.model = pin.Model()
        model.gravity.linear = np.array(m["gravity"], dtype=float)
        ids = []
        for i, b in enumerate(m["bodies"]):
            parent = 0 if b["parent"] < 0 else ids[b["parent"]]
            joint = pin.JointModelSpherical() if b["type"] == "spherical" else pin.JointModelRZ()
            place = pin.SE3(np.eye(3), np.array([b["at"], 0, 0]))
            ids.append(model.addJoint(parent, joint, place, b["name"]))
            model.appendBodyToJoint(ids[-1], pin.Inertia(b["mass"], np.array([b["com"], 0, 0]), np.diag(b["inertia"])), pin.SE3.Identity())
        self.ids, self.data = ids, model.createData()
        self.loops = []
        for loop in m["loops"]:
            place = lambda at: pin.SE3(np.eye(3), np.array([at, 0, 0]))
            one = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, ids[loop["a"]], place(loop["at_a"]), ids[loop["b"]],
                                           place(loop["at_b"]), pin.ReferenceFrame.LOCAL)
            one.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(100.0, 20.0))
            self.loops.append(one)
        if len(self.loops) > 0:
            loops, self.loops, self.loop_data = self.loops, pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
            for one in loops:
                self.loops.append(one)
                self.loop_data.append(one.createData())
            self.settings = pin.ProximalSettings(1e-12, 1e-10, 100)
            pin.initConstraintDynamics(model, self.data, self.loops, self.loop_data)
        self.q, self.v = pin.neutral(model), np.zeros(model.nv)
        for i, b in zip(ids, m["bodies"]):
            at, rate = model.joints[i].idx_q, model.joints[i].idx_v
            if b["type"] == "spherical":
                self.v[rate:rate + 3] = b["qd"]
            else:
                self.q[at], self.v[rate] = b["q"], b["qd"]
        self.tau = np.zeros(model.nv)

    def acceleration(self, q, v):
        if len(self.loops) == 0:
            return self.pin.aba(self.model, self.data, q, v, self.tau).copy()
        return self.pin.constraintDynamics(self.model, self.data, q, v, self.tau, self.loops, self.loop_data, self.settings).copy()

    def advance(self, n):
        h, moved = self.m["step"], self.pin.integrate
        for _ in range(n):
            q, v = self.q, self.v
            if self.stages == 1:
                self.v = v + h * self.acceleration(q, v)
                self.q = moved(self.model, q, h * self.v)
                continue
            a1 = self.acceleration(q, v)
            v2 = v + 0.5 * h * a1
            a2 = self.acceleration(moved(self.model, q, 0.5 * h * v), v2)
            v3 = v + 0.5 * h * a2
            a3 = self.acceleration(moved(self.model, q, 0.5 * h * v2), v3)
            v4 = v + h * a3
            a4 = self.acceleration(moved(self.model, q, h * v3), v4)
            self.q = moved(self.model, q, h / 6 * (v + 2 * v2 + 2 * v3 + v4))
            self.v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)

    def bodies(self):
        self.pin.forwardKinematics(self.model, self.data, self.q, self.v)
        found = []
        for i, b in zip(self.ids, self.m["bodies"]):
            X, V = self.data.oMi[i], self.data.v[i]
            at = np.array([b["com"], 0, 0])
            found.append((X.translation + X.rotation @ at, X.rotation, X.rotation @ (V.linear + np.cross(V.angular, at)),
                          X.rotation @ V.angular))
        return found


class Drake(Engine):
    """MultibodyPlant: continuous by an integrator of fixed step, or discrete, which alone takes loops."""
    METHODS = {"runge_kutta3": "runge_kutta3", "discrete": None}

    def __init__(self, m, method):
        super().__init__(m)
        from pydrake.math import RigidTransform
        from pydrake.multibody.plant import MultibodyPlant
        from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RevoluteJoint, SpatialInertia, UnitInertia
        from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
        discrete = self.METHODS[method] is None
        plant = self.plant = MultibodyPlant(time_step=m["step"] if discrete else 0.0)
        plant.mutable_gravity_field().set_gravity_vector(np.array(m["gravity"], dtype=float))
        self.links = []
        for b in m["bodies"]:
            com, moments = np.array([b["com"], 0, 0]), np.array(b["inertia"]) + b["mass"] * b["com"]**2 * np.array([0, 1, 1])
            about = UnitInertia(*(moments / b["mass"]))
            self.links.append(plant.AddRigidBody(b["name"], SpatialInertia(b["mass"], com, about)))
        joints = []
        for link, b in zip(self.links, m["bodies"]):
            parent = plant.world_body() if b["parent"] < 0 else self.links[b["parent"]]
            kind, extra = (BallRpyJoint, ()) if b["type"] == "spherical" else (RevoluteJoint, ([0, 0, 1],))
            frame, name = parent.body_frame(), "at_" + b["name"]
            if b["at"] != 0:
                frame = plant.AddFrame(FixedOffsetFrame(name + "_frame", frame, RigidTransform([b["at"], 0, 0])))
            joints.append(plant.AddJoint(kind(name, frame, link.body_frame(), *extra)))
        for loop in m["loops"]:
            plant.AddBallConstraint(self.links[loop["a"]], [loop["at_a"], 0, 0], self.links[loop["b"]], [loop["at_b"], 0, 0])
        plant.Finalize()
        self.simulator = Simulator(plant)
        if not discrete:
            ResetIntegratorFromFlags(self.simulator, method, m["step"])
            self.simulator.get_mutable_integrator().set_fixed_step_mode(True)
        self.context = self.simulator.get_mutable_context()
        for joint, b in zip(joints, m["bodies"]):
            if b["type"] == "spherical":
                joint.set_angular_velocity(self.context, b["qd"])
            else:
                joint.set_angle(self.context, b["q"])
                joint.set_angular_rate(self.context, b["qd"])
        self.simulator.Initialize()

    def advance(self, n):
        self.simulator.AdvanceTo(self.context.get_time() + n * self.m["step"])

    def bodies(self):
        found = []
        for link, b in zip(self.links, self.m["bodies"]):
            X, V = link.EvalPoseInWorld(self.context), link.EvalSpatialVelocityInWorld(self.context)
            R = X.rotation().matrix()
            arm = R @ np.array([b["com"], 0, 0])
            found.append((X.translation() + arm, R, V.translational() + np.cross(V.rotational(), arm), V.rotational()))
        return found


class Exudyn(Engine):
    """Redundant coordinates of bodies, joints as constraints."""
    METHODS = {"generalized-alpha": "generalized-alpha", "trapezoidal": "trapezoidal"}

    def __init__(self, m, method):
        super().__init__(m)
        import exudyn as exu
        import exudyn_models as models
        self.exu, self.solver = exu, models.SOLVERS[self.METHODS[method]]
        self.container = exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.objects = (models.planar if m["dimension"] == 2 else models.spatial)(self.mbs, m)
        self.mbs.Assemble()
        self.settings = settings = exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.verboseMode = 0
        settings.solution.file.write = False
        integration.generalizedAlpha.spectralRadius = 0.9
        integration.newton.useModifiedNewton = True
        integration.automaticStepSize = False
        if m["dimension"] == 3:
            settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
        self.time = 0.0

    def advance(self, n):
        integration = self.settings.timeIntegration
        integration.startTime, integration.endTime = self.time, self.time + n * self.m["step"]
        integration.numberOfSteps = n
        self.settings.solution.sensors.writePeriod = n * self.m["step"]
        if not self.mbs.SolveDynamic(self.settings, solverType=self.solver, updateInitialValues=True):
            raise RuntimeError("SolveDynamic gave up")
        self.time += n * self.m["step"]

    def bodies(self):
        kinds, of = self.exu.OutputVariableType, self.mbs.GetObjectOutputBody
        found = []
        for o in self.objects:
            get = lambda kind: np.array(of(o, kind, [0, 0, 0]))
            omega = get(kinds.AngularVelocity)
            omega = omega if omega.size == 3 else np.array([0, 0, float(omega.ravel()[0])])
            found.append((get(kinds.Position), get(kinds.RotationMatrix).reshape(3, 3), get(kinds.Velocity), omega))
        return found


ENGINES = {"MuJoCo": Mujoco, "Pinocchio": Pinocchio, "Drake": Drake, "Exudyn": Exudyn}


def version(name):
    import importlib.metadata
    return importlib.metadata.version({"MuJoCo": "mujoco", "Pinocchio": "pin", "Drake": "drake", "Exudyn": "exudyn"}[name])


def run(engine, method, m, rounds):
    steps = round(m["duration"] / m["step"])
    least = math.inf
    for _ in range(rounds):
        made = engine(m, method)
        begin, used = time.perf_counter(), time.process_time()
        made.advance(steps)
        least = min(least, time.perf_counter() - begin, time.process_time() - used)
    made = engine(m, method)
    bodies = made.bodies()
    first, error, open_by = energy(m, bodies), 0.0, gap(m, bodies)
    every = max(1, steps // LOOKS)
    for done in range(0, steps, every):
        made.advance(min(every, steps - done))
        bodies = made.bodies()
        now = [abs(energy(m, bodies) - first), gap(m, bodies)]
        if not all(map(math.isfinite, now)):
            return {"failure": "not finite"}
        error, open_by = max(error, now[0]), max(open_by, now[1])
    return {"seconds": least, "energy": error, "gap": open_by, "positions": [list(com) for com, _, _, _ in bodies]}


def main():
    name, out = sys.argv[1:3]
    engine, results = ENGINES[name], []
    for job in json.load(sys.stdin):
        try:
            results.append(run(engine, job["method"], job["mechanism"], job["rounds"]))
        except Exception as failure:  # an engine that cannot, or gives up, is a row that says so
            results.append({"failure": (str(failure).strip().splitlines() or [type(failure).__name__])[0]})
    with open(out, "w") as file:
        json.dump({"version": version(name), "results": results}, file)


main()
