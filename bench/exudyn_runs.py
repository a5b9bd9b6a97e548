"""Runs of bench/work_precision by Exudyn, in the environment of tools/setup_bench: a JSON list of jobs comes in, one of
results goes out. A job holds a mechanism (bench/wp_mechanisms.py), a solver, its coordinates (`tree`: angles of joints;
`redundant`: bodies and constraints), and a step or a tolerance. Times are those of the solver's call, without output files.
"""
import json
import math
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.utilities import (ObjectGround, RevoluteJoint2D, RigidBody2D, RigidBodyInertia, NodeRigidBody2D,
                              ObjectKinematicTree, NodeGenericODE2, MarkerBodyPosition, LoadMassProportional, MarkerBodyMass)

SOLVERS = {"generalized-alpha": exu.DynamicSolverType.GeneralizedAlpha,
           "trapezoidal": exu.DynamicSolverType.TrapezoidalIndex2, "RK44": exu.DynamicSolverType.RK44,
           "DOPRI5": exu.DynamicSolverType.DOPRI5}


def start(mechanism):
    """Of planar bodies: angle, origin, rate and its velocity at the start."""
    placed = []
    for b in mechanism["bodies"]:
        angle, origin, rate, velocity = placed[b["parent"]] if b["parent"] >= 0 else (0.0, np.zeros(2), 0.0, np.zeros(2))
        arm = b["at"] * np.array([math.cos(angle), math.sin(angle)])
        placed.append((angle + b["q"], origin + arm, rate + b["qd"], velocity + rate * np.array([-arm[1], arm[0]])))
    return placed


def planar(mbs, mechanism):
    ground = mbs.AddObject(ObjectGround())
    objects = []
    for b, (angle, origin, rate, velocity) in zip(mechanism["bodies"], start(mechanism)):
        arm = b["com"] * np.array([math.cos(angle), math.sin(angle)])
        node = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[*(origin + arm), angle],
                                           initialVelocities=[*(velocity + rate * np.array([-arm[1], arm[0]])), rate]))
        objects.append(mbs.AddObject(RigidBody2D(mass=b["mass"], inertia=b["inertia"][2], nodeNumber=node)))
        mbs.AddLoad(LoadMassProportional(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=objects[-1])),
                                         loadVector=mechanism["gravity"]))

    def pin(a, at_a, b, at_b):
        marks = [mbs.AddMarker(MarkerBodyPosition(
            bodyNumber=ground if i < 0 else objects[i],
            localPosition=[at - (mechanism["bodies"][i]["com"] if i >= 0 else 0), 0, 0])) for i, at in ((a, at_a), (b, at_b))]
        mbs.AddObject(RevoluteJoint2D(markerNumbers=marks))

    for i, b in enumerate(mechanism["bodies"]):
        pin(b["parent"], b["at"], i, 0.0)
    for loop in mechanism["loops"]:
        pin(loop["a"], loop["at_a"], loop["b"], loop["at_b"])
    return lambda: [list(mbs.GetObjectOutputBody(o, exu.OutputVariableType.Position, [0, 0, 0]))[:2] for o in objects]


def spatial(mbs, mechanism):
    """A chain stretched out along x, its first body turning."""
    ground = mbs.AddObject(ObjectGround())
    objects, origin, spin = [], 0.0, np.array(mechanism["bodies"][0]["qd"])
    for b in mechanism["bodies"]:
        origin += b["at"]
        centre = [origin + b["com"], 0, 0]
        inertia = RigidBodyInertia(mass=b["mass"], com=[0, 0, 0], inertiaTensor=np.diag(b["inertia"]))
        objects.append(mbs.CreateRigidBody(inertia=inertia, referencePosition=centre, initialVelocity=list(np.cross(spin, centre)),
                                           initialAngularVelocity=list(spin), gravity=mechanism["gravity"]))
    for i, b in enumerate(mechanism["bodies"]):
        before = ground if i == 0 else objects[i - 1]
        at = 0.0 if i == 0 else b["at"] - mechanism["bodies"][i - 1]["com"]
        mbs.CreateSphericalJoint(itemNumbers=[before, objects[i]], position=[at, 0, 0], useGlobalFrame=False, show=False)
    return lambda: [list(mbs.GetObjectOutputBody(o, exu.OutputVariableType.Position, [0, 0, 0])) for o in objects]


def tree(mbs, mechanism):
    """A planar chain in the angles of its hinges."""
    bodies = mechanism["bodies"]
    n = len(bodies)
    node = mbs.AddNode(NodeGenericODE2(referenceCoordinates=[0.0] * n, initialCoordinates=[b["q"] for b in bodies],
                                       initialCoordinates_t=[b["qd"] for b in bodies], numberOfODE2Coordinates=n))
    mbs.AddObject(ObjectKinematicTree(
        nodeNumber=node, jointTypes=[exu.JointType.RevoluteZ] * n, linkParents=[b["parent"] for b in bodies],
        jointTransformations=exu.Matrix3DList([np.eye(3)] * n), jointOffsets=exu.Vector3DList([[b["at"], 0, 0] for b in bodies]),
        linkInertiasCOM=exu.Matrix3DList([np.diag(b["inertia"]) for b in bodies]),
        linkCOMs=exu.Vector3DList([[b["com"], 0, 0] for b in bodies]), linkMasses=[b["mass"] for b in bodies],
        gravity=mechanism["gravity"]))

    def positions():
        angles = mbs.systemData.GetODE2Coordinates(exu.ConfigurationType.Current)
        moved = {**mechanism, "bodies": [{**b, "q": q} for b, q in zip(bodies, angles)]}
        return [list(origin + b["com"] * np.array([math.cos(angle), math.sin(angle)]))
                for b, (angle, origin, _, _) in zip(bodies, start(moved))]

    return positions


def run(job):
    mechanism = job["mechanism"]
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    build = tree if job["coordinates"] == "tree" else planar if mechanism["dimension"] == 2 else spatial
    positions = build(mbs, mechanism)
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.endTime = mechanism["duration"]
    settings.timeIntegration.verboseMode = 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = mechanism["duration"]
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    if mechanism["dimension"] == 3:
        settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    if "tolerance" in job:
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.absoluteTolerance = settings.timeIntegration.relativeTolerance = job["tolerance"]
        settings.timeIntegration.numberOfSteps = 2  # the longest step
        settings.timeIntegration.initialStepSize = 1e-3
    else:
        settings.timeIntegration.automaticStepSize = False
        settings.timeIntegration.numberOfSteps = round(mechanism["duration"] / job["step"])
    least = math.inf
    for _ in range(job["rounds"]):
        begin, used = time.perf_counter(), time.process_time()
        done = mbs.SolveDynamic(settings, solverType=SOLVERS[job["solver"]])
        least = min(least, time.perf_counter() - begin, time.process_time() - used)
        if not done:
            return None
    return {"seconds": least, "positions": positions()}


def attempt(job):
    try:
        return run(job)
    except Exception as failure:  # a solver that gives up is a missing point, not the end of the diagram
        print(f"exudyn: {job['solver']}: {str(failure).splitlines()[0]}", file=sys.stderr)
        return None


json.dump({"version": exu.__version__, "results": [attempt(job) for job in json.load(sys.stdin)]}, open(sys.argv[1], "w"))
