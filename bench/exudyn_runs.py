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
from exudyn.utilities import NodeGenericODE2, ObjectKinematicTree

from exudyn_models import SOLVERS, planar, spatial, start


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
    dimension = mechanism["dimension"]
    if job["coordinates"] == "tree":
        positions = tree(mbs, mechanism)
    else:
        objects = (planar if dimension == 2 else spatial)(mbs, mechanism)
        positions = lambda: [list(mbs.GetObjectOutputBody(o, exu.OutputVariableType.Position, [0, 0, 0]))[:dimension] for o in objects]
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
