#!/usr/bin/env python3
"""Compares wrapped lengths and moment arms with MuJoCo's: bench/mujoco_wrapping.py TORSOR [MODELS] [STATES]

A chain of three hinges in space, a tendon from the ground to the last link round a sphere or a cylinder on the first or
second link, with a side site or without, at random states. With a side site MuJoCo takes another way in some states, mostly
where the straight segment misses the wrap on the other side, which it leaves straight: these are counted apart. With stiffness 2 and rest length 0 the elastic energy is l^2
and the effort that holds it 2 l dl/dq: both come from `torsor eval`. Needs the package mujoco (pip install mujoco).
"""
import json
import math
import random
import subprocess
import sys
import tempfile

import mujoco

AXES = [(0, 1, 0), (1, 0, 0), (0, 1, 0)]


def vector(rng, size):
    return [rng.uniform(-size, size) for _ in range(3)]


def text(v):
    return " ".join(repr(float(x)) for x in v)


def listed(v):
    return "[" + ", ".join(repr(float(x)) for x in v) + "]"


def random_case(rng, kind, sided):
    while True:
        case = {"kind": kind, "on": rng.randrange(1, 3), "radius": rng.uniform(0.05, 0.15), "centre": vector(rng, 0.1),
                "axis": vector(rng, 1), "post": vector(rng, 0.5), "eye": vector(rng, 0.4), "side": None}
        if sided:
            n = vector(rng, 1)
            size = math.hypot(*n)
            case["side"] = [c + 0.6 * x / size for c, x in zip(case["centre"], n)]
        if math.hypot(*case["axis"]) > 0.3:
            return case


def torsor_model(case):
    links = "".join(f"  link{i}: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}\n" for i in (1, 2, 3))
    joints = "".join(
        f"  j{i + 1}: {{type: revolute, parent: {'world' if i == 0 else f'link{i}'}, child: link{i + 1}, "
        f"in_parent: {{position: {[0, 0, 0.3 if i else 0]}, rotation: {{axis: {rotation[0]}, angle: {rotation[1]!r}}}}}, "
        f"in_child: {{rotation: {{axis: {rotation[0]}, angle: {rotation[1]!r}}}}}}}\n"
        for i, rotation in enumerate(turn_of(axis) for axis in AXES))
    on = f"link{case['on']}"
    shape = f"{case['kind']}: {case['radius']!r}" + (f", axis: {listed(case['axis'])}" if case["kind"] == "cylinder" else "")
    side = f"  side: {{body: {on}, at: {listed(case['side'])}}}\n" if case["side"] else ""
    return (f"torsor: 1\nbodies:\n{links}joints:\n{joints}points:\n  post: {{body: world, at: {listed(case['post'])}}}\n"
            f"  eye: {{body: link3, at: {listed(case['eye'])}}}\n{side}tendons:\n  cord: {{path: [post, eye], stiffness: 2, "
            f"rest_length: 0, wrap: [{{between: [post, eye], body: {on}, at: {listed(case['centre'])}, {shape}"
            f"{', side: side' if side else ''}}}]}}\n")


def turn_of(axis):
    """A rotation that takes z to a coordinate axis."""
    return {(1, 0, 0): ([0, 1, 0], math.pi / 2), (0, 1, 0): ([1, 0, 0], -math.pi / 2)}[axis]


def mujoco_model(case):
    def wraps(link):
        if link != case["on"]:
            return ""
        side = f'<site name="side" pos="{text(case["side"])}"/>' if case["side"] else ""
        size = case["radius"]
        if case["kind"] == "sphere":
            geom = f'<geom name="wrap" type="sphere" size="{size!r}" pos="{text(case["centre"])}"/>'
        else:
            geom = (f'<geom name="wrap" type="cylinder" size="{size!r} 1" pos="{text(case["centre"])}" '
                    f'zaxis="{text(case["axis"])}"/>')
        return geom + side
    body = f'<site name="eye" pos="{text(case["eye"])}"/>'
    for i in (3, 2, 1):
        inner = wraps(i) + body
        body = (f'<body pos="0 0 {0.3 if i > 1 else 0}"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'
                f'<joint type="hinge" axis="{text(AXES[i - 1])}"/>{inner}</body>')
    sidesite = ' sidesite="side"' if case["side"] else ""
    return (f'<mujoco><compiler angle="radian"/><worldbody><site name="post" pos="{text(case["post"])}"/>{body}</worldbody>'
            f'<tendon><spatial name="cord"><site site="post"/><geom geom="wrap"{sidesite}/><site site="eye"/></spatial>'
            f'</tendon></mujoco>')


def evaluate(torsor, file, q):
    state = json.dumps({"q": {f"j{i + 1}": value for i, value in enumerate(q)}})
    out = subprocess.run([torsor, "eval", file, "--state", "-", "--quantity", "energy", "--quantity", "inverse_dynamics"],
                         input=state, capture_output=True, text=True, check=True).stdout
    found = json.loads(out)
    length = math.sqrt(found["energy"]["elastic"])
    return length, [effort / (2 * length) for effort in found["inverse_dynamics"]]


def main():
    torsor = sys.argv[1]
    models, states = (int(a) for a in (sys.argv[2:] + ["25", "20"][len(sys.argv) - 2:])[:2])
    rng = random.Random(1)
    print("| round | side | states | wrapped | length, worst [m] | moment arm, worst [m] | another way |\n" + "| --- " * 7 + "|")
    for kind in ("sphere", "cylinder"):
        for sided in (False, True):
            worst_length = worst_arm = 0.0
            wrapped = count = other = 0
            for _ in range(models):
                case = random_case(rng, kind, sided)
                model = mujoco.MjModel.from_xml_string(mujoco_model(case))
                data = mujoco.MjData(model)
                with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                    file.write(torsor_model(case))
                    file.flush()
                    for _ in range(states):
                        q = [rng.uniform(-1.5, 1.5) for _ in range(3)]
                        data.qpos[:] = q
                        mujoco.mj_forward(model, data)
                        length, arms = evaluate(torsor, file.name, q)
                        count += 1
                        off = abs(length - data.ten_length[0])
                        wrapped += data.ten_wrapnum[0] > 2
                        if off > 1e-6:
                            other += 1
                            continue
                        worst_length = max(worst_length, off)
                        full = data.ten_J.reshape(-1)
                        worst_arm = max([worst_arm] + [abs(a - b) for a, b in zip(arms, full)])
            print(f"| {kind} | {'yes' if sided else 'no'} | {count} | {wrapped} | {worst_length:.1e} | {worst_arm:.1e} | {other} |")


if __name__ == "__main__":
    main()
