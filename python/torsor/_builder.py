"""The sections of a model file as functions that add to it."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import _core
from ._laws import Force, Law, Potential
from ._yaml import plain

Number = Union[float, str]  #: SI, or a text with a unit: ``"30 deg"``
Vector = Sequence[Number]
Program = Union[Number, Mapping[str, Any]]  #: of time: a number, or ``{"expression": "sin(t)"}`` and the like
Pose = Mapping[str, Any]  #: ``{"position": [..], "rotation": {..}}``


class Name(str):
    """What was added to a model, to be named in what follows."""


class Builder:
    """What is added here is checked when the model is first used."""

    _spec: dict[str, Any] | None  #: the model file as plain data; None while a text says it
    _overrides: list[tuple[str, str]]
    _built: _core.Model | None
    _laws: dict[str, Law]  #: functions, which no file can hold
    _files: list[str]  #: that it was read from, includes and meshes among them

    @abstractmethod
    def _words(self) -> dict[str, Any]: ...

    def _add(self, section: str, name: str, values: dict[str, Any]) -> Name:
        if self._spec is None:
            self._spec, self._overrides = self._words(), []
        entries = self._spec.setdefault(section, {})
        if name in entries:
            raise ValueError(f"{section}.{name} is there already")
        entries[str(name)] = plain(values)
        self._built = None
        return Name(name)

    def body(self, name: str, *, mass: Number | None = None, com: Vector | None = None, inertia: Any = None,
             shape: Mapping[str, Any] | None = None, shapes: Sequence[Mapping[str, Any]] | None = None,
             density: Number | None = None, pose: Pose | None = None, idealised: bool | None = None) -> Name:
        """Adds a rigid body: mass [kg], com [m] in the body frame, inertia [kg m^2] about the com (2D a number, 3D
        ``[Ixx, Iyy, Izz]``, optionally with ``Ixy, Ixz, Iyz`` appended), or shapes with a density [kg/m^3]. ``idealised``
        accepts a mass and inertia that no rigid body can have, also none at all.

        >>> import torsor as ts
        >>> model = ts.Model()
        >>> model.body("ball", density=700, shape={"sphere": {"radius": 0.1}})
        'ball'
        """
        return self._add("bodies", name, {"mass": mass, "com": com, "inertia": inertia, "shape": shape, "shapes": shapes,
                                          "density": density, "pose": pose, "idealised": idealised})

    def world(self, *shapes: Mapping[str, Any]) -> None:
        """Adds shapes that stand still and are only drawn.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.world({"box": [1, 1, 0.1], "color": [0.5, 0.5, 0.5]})
        >>> len(arm.to_dict()["world"]["shapes"])
        1
        """
        if self._spec is None:
            self._spec, self._overrides = self._words(), []
        self._spec.setdefault("world", {}).setdefault("shapes", []).extend(plain(list(shapes)))
        self._built = None

    def joint(self, name: str, type: str, parent: str, child: str, *, in_parent: Pose | None = None,
              in_child: Pose | None = None, axis: Vector | None = None, pitch: Number | None = None,
              reference: Mapping[str, Any] | None = None, range: Any = None, friction: Any = None,
              armature: Any = None, angle: Number | None = None, displacement: Number | None = None, position: Any = None, rate: Any = None) -> Name:
        """Adds a joint between two bodies (or ``"world"``). ``in_parent``, ``in_child``: the joint frame seen from each side.
        ``range``: stops, ``(lower, upper)`` or ``{"lower": .., "stiffness": ..}``; ``friction`` [N m, N] or
        ``{"coulomb": .., "viscous": ..}``; for joints with several coordinates one for each, or by their names.
        ``armature`` [kg m^2, kg]: rotor inertia, one number or one for each rate.
        ``angle`` [rad], ``displacement`` [m] or ``position`` (all coordinates) and ``rate`` give the start.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> tool = arm.body("tool", mass=0.1, inertia=1e-4)
        >>> arm.joint("slide", "prismatic", "link3", tool, displacement="5 mm")
        'slide'
        """
        added = self._add("joints", name, {"type": type, "parent": parent, "child": child, "in_parent": in_parent,
                                           "in_child": in_child, "axis": axis, "pitch": pitch, "reference": reference,
                                           "range": range, "friction": friction, "armature": armature})
        start = [value for value in (angle, displacement, position) if value is not None]
        if len(start) > 1:
            raise ValueError(f"joint {name}: one of angle, displacement and position says where it starts")
        self.initial(joints={name: start[0]} if start else None, rates=None if rate is None else {name: rate})
        return added

    def point(self, name: str, body: str, at: Vector) -> Name:
        """Adds a point fixed on a body (or ``"world"``), ``at`` [m] in the body frame.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.point("hand", "link3", (1, 0))
        'hand'
        """
        return self._add("points", name, {"body": body, "at": at})

    def tendon(self, name: str, path: Sequence[str] | None = None, *,
               joints: Mapping[str, Any] | None = None, stiffness: Number | None = None,
               rest_length: Program | None = None, damping: Number | None = None, tension_only: bool | None = None,
               tension: Program | None = None, wrap: Sequence[Mapping[str, Any]] | None = None,
               muscle: Mapping[str, Any] | None = None, range: Any = None, friction: Any = None, **more: Any) -> Name:
        """Adds a tendon through points: stiffness [N/m], rest_length [m], damping [N s/m]; two points make a spring.
        ``muscle`` makes it a muscle, with the keys of the model file. ``range``: stops of its length, ``(lower, upper)`` [m] or
        ``{"upper": .., "stiffness": ..}``; ``friction`` [N] or ``{"coulomb": .., "viscous": ..}``, as for a joint.

        A rest_length that is a program of time makes it a winch, a ``tension`` [N] a motor; ``wrap`` lists the surfaces that
        segments run over. ``joints`` in place of a path: a cord over pulleys in joints, whose length is a weighted sum of their
        coordinates.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> path = [arm.point("post", "world", (0, 0.4)), arm.point("hand", "link3", (1, 0))]
        >>> arm.tendon("cord", path, stiffness="2 N/m", rest_length=0.5)
        'cord'
        >>> arm.tendon("strap", path, range={"upper": "3.2 m", "overshoot": "5 mm"}, friction="0.2 N")
        'strap'
        >>> arm.tendon("flexor", path, muscle={"excitation": 0.3, "max_force": 20, "fibre_length": "1 m", "slack_length": 0.8})
        'flexor'
        >>> arm.tendon("belt", joints={"shoulder": "20 mm", "elbow": "-35 mm"}, stiffness="3 kN/m")
        'belt'
        """
        return self._add("tendons", name, {"path": path, "joints": joints, "stiffness": stiffness, "rest_length": rest_length,
                                           "damping": damping, "tension_only": tension_only, "tension": tension,
                                           "wrap": wrap, "muscle": muscle, "range": range, "friction": friction, **more})

    def joint_spring(self, name: str, joint: str, *, stiffness: Any = None, rest: Any = None, damping: Any = None,
                     law: str | None = None) -> Name:
        """Adds a spring and damper in a joint: stiffness [N m/rad, N/m], damping [N m s/rad, N s/m].

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.joint_spring("flexor", "elbow", stiffness=2, rest=10 * ts.deg, damping=0.05)
        'flexor'
        """
        return self._add("joint_springs", name, {"joint": joint, "stiffness": stiffness, "rest": rest, "damping": damping,
                                                 "law": law})

    def load(self, name: str, *, point: str | None = None, body: str | None = None, force: Sequence[Program] | None = None,
             moment: Any = None, axes: str | None = None) -> Name:
        """Adds a force [N] at a point or a moment [N m] on a body, in ``axes`` world or body.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.load("wind", point=arm.point("hand", "link3", (1, 0)), force=({"expression": "1.5*sin(t)"}, 0))
        'wind'
        """
        return self._add("loads", name, {"point": point, "body": body, "force": force, "moment": moment, "axes": axes})

    def actuator(self, name: str, joint: str | None = None, effort: Program | None = None, *,
                 coordinate: int | None = None, tendon: str | None = None, limits: Sequence[Number] | None = None,
                 **more: Any) -> Name:
        """Adds an actuator: an effort [N m, N] in a joint, or along a tendon, where it pulls; a program of time.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.actuator("motor", "elbow", {"hat": {"peak": 25, "rise": 0.4, "end": 1.2}})
        'motor'
        """
        return self._add("actuators", name, {"joint": joint, "effort": effort, "coordinate": coordinate,
                                             "tendon": tendon, "limits": limits, **more})

    def controller(self, name: str, type: str, *, period: Number | None = None, measures: str | None = None,
                   **values: Any) -> Name:
        """Adds a controller of the model file, ``pd`` or ``impedance``. For a controller of your own, use a stepper.

        With ``period`` it is sampled and its efforts are held in between; ``measures="position"`` computes rates by differences.
        The ledger shows the energy that sampling creates. A sampled ``pd`` with ``excites={"biceps": 0.02}`` excites muscles
        in place of its joint.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.controller("straight", "pd", joint="wrist", stiffness=5, damping=0.3, target=0,
        ...                period="20 ms", measures="position")
        'straight'
        >>> arm.simulate(duration=0.1, step=0.01).ledger.sampling.straight.period
        0.02
        """
        return self._add("controllers", name, {"type": type, **values, "period": period, "measures": measures})

    def servo(self, name: str, *, follows: Mapping[str, Program], actuators: Sequence[str], **what: Any) -> Name:
        """Adds a servo: a point, body or joint follows programs of time; the efforts of the actuators are found.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> motor = arm.actuator("motor", "wrist")
        >>> arm.servo("lead", joint="wrist", follows={"angle": {"expression": "0.1*t^3"}}, actuators=[motor])
        'lead'
        """
        return self._add("servos", name, {**what, "follows": follows, "actuators": actuators})

    def coupling(self, name: str, joints: Mapping[str, float | Sequence[float]], *,
                 offset: Number | None = None) -> Name:
        """Adds a coupling: the joint coordinates, times the given factors, add up to the offset (gears, belts, racks, differentials).

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.coupling("mimic", {"elbow": 0.5, "wrist": -1})
        'mimic'
        """
        return self._add("couplings", name, {"joints": joints, "offset": offset})

    def bushing(self, name: str, parent: str, child: str, *, stiffness: Mapping[str, Any] | None = None,
                damping: Mapping[str, Any] | None = None, in_parent: Pose | None = None, in_child: Pose | None = None) -> Name:
        """Adds a spring and damper between frames of two bodies (or ``"world"``), without a joint: ``translation`` [N/m,
        N s/m] and ``rotation`` [N m/rad, N m s/rad], a number or one for each axis of the parent's frame.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.bushing("mount", "world", "link3", stiffness={"translation": 100, "rotation": 2})
        'mount'
        """
        return self._add("bushings", name, {"parent": parent, "child": child, "in_parent": in_parent, "in_child": in_child,
                                            "stiffness": stiffness, "damping": damping})

    def drag(self, name: str, body: str | None = None, *, point: str | None = None, linear: Number | None = None,
             angular: Number | None = None, quadratic: Number | None = None) -> Name:
        """Adds drag on a body, or at a point of one: linear [N s/m], quadratic [N s^2/m^2], angular [N m s/rad].

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.drag("water", "link1", linear="2 N s/m")
        'water'
        """
        return self._add("drag", name, {"body": body, "point": point, "linear": linear, "angular": angular,
                                        "quadratic": quadratic})

    def add_law(self, name: str, *, joint: str | None = None, coordinate: int | None = None, tendon: str | None = None,
                point: str | None = None, potential: Potential | None = None, derivative: Potential | None = None,
                second_derivative: Potential | None = None, force: Force | None = None, by_position: Force | None = None,
                by_rate: Force | None = None, dissipates: bool = False) -> Name:
        """Adds a law of your own, which acts on one coordinate x [rad, m] of a joint, on the length x [m] of a tendon's path, or
        on a named point.

        ``potential``: U(x) [J]; the force is -dU/dx, and ``energy-momentum`` balances its energy exactly. ``force``: F(x, rate, t)
        [N m, N], positive in the direction of growing x; the ledger lists its work under the name of the law, or, with
        ``dissipates``, as dissipated energy. For a point, the potential is U(x, y, z) of its position in the world [m], and its
        ``derivative`` returns three numbers; the force is F(p, v, t) with arrays of position and velocity, and returns three
        numbers in world axes.

        Derivatives are computed with dual numbers, which work with functions of NumPy but not of ``math``. Otherwise give
        ``derivative`` (and ``second_derivative``) of the potential, and ``by_position`` and ``by_rate`` of the force. Derivatives
        that only the solver needs are approximated by differences if a function does not accept dual numbers.

        An exception of your function, Ctrl-C included, ends the run and is passed on; its attribute ``run`` holds what was
        computed. A result that is not a finite number raises a StepFailure that names the law. A model with laws of your own cannot
        be written to a file.

        >>> import numpy as np, torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.add_law("notches", joint="elbow", potential=lambda x: 0.2 * np.cos(6 * x))
        'notches'
        >>> arm.add_law("oil", joint="wrist", force=lambda x, rate, t: -0.1 * rate * abs(rate), dissipates=True)
        'oil'
        >>> arm.add_law("magnet", point=arm.point("hand", "link3", (1, 0)),
        ...             potential=lambda x, y, z: -0.5 / np.sqrt(0.1 + (x - 1)**2 + y**2))
        'magnet'
        >>> run = arm.simulate(1, 0.01, formulation="rotationless", integrator="energy-momentum")
        >>> run.ledger.energy.max_residual < 1e-12                                      # J
        True
        """
        if name in self._laws:
            raise ValueError(f"laws.{name} is there already")
        law = Law(str(name), joint, coordinate, tendon, point, potential, derivative, second_derivative, force, by_position, by_rate,
                  dissipates)
        law.check()
        self._laws[str(name)] = law
        self._built = None
        return Name(name)

    def initial(self, *, joints: Mapping[str, Any] | None = None, rates: Mapping[str, Any] | None = None,
                bodies: Mapping[str, Any] | None = None, assemble: bool | None = None) -> None:
        """Sets the start: coordinates and rates by joint, poses and velocities by body.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.initial(joints={"shoulder": 30 * ts.deg}, rates={"shoulder": 1})
        >>> float(arm.simulate(duration=0.1, step=0.01).joints.shoulder.rate[0])
        1.0
        """
        self._merge("initial", {"joints": joints, "rates": rates, "bodies": bodies, "assemble": assemble})

    def simulation(self, *, formulation: str | None = None, integrator: str | Mapping[str, Any] | None = None,
                   step: Number | None = None, duration: Number | None = None, tolerance: float | None = None,
                   record: str | Sequence[str] | None = None, record_every: int | Mapping[str, Any] | None = None,
                   land_on_kinks: bool | None = None) -> None:
        """Sets how the model is simulated by default; arguments of ``simulate`` override it.

        >>> import torsor as ts
        >>> arm = ts.load("three_link_arm")
        >>> arm.simulation(formulation="joint", integrator={"name": "dopri5", "tolerance": 1e-10}, step=0.01, duration=1)
        >>> arm.simulate().settings.tolerance
        1e-10
        """
        self._merge("simulation", {"formulation": formulation, "integrator": integrator, "step": step, "duration": duration,
                                   "tolerance": tolerance, "record": record, "record_every": record_every,
                                   "land_on_kinks": land_on_kinks})

    def _merge(self, section: str, values: dict[str, Any]) -> None:
        given = plain(values)
        if not given:
            return
        if self._spec is None:
            self._spec, self._overrides = self._words(), []
        entries = self._spec.setdefault(section, {})
        for key, value in given.items():
            entries[key] = {**entries.get(key, {}), **value} if isinstance(value, dict) and key != "integrator" else value
        self._built = None
