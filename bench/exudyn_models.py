"""The mechanisms of bench/wp_mechanisms.py in Exudyn, as bodies and constraints: planar and spatial give the objects of the bodies."""
import math

import exudyn as exu
import numpy as np
from exudyn.utilities import (ObjectGround, RevoluteJoint2D, RigidBody2D, RigidBodyInertia, NodeRigidBody2D, MarkerBodyPosition,
                              LoadMassProportional, MarkerBodyMass)

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
    return objects


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
    return objects
