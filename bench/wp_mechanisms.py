"""The mechanisms of bench/work_precision as data: every engine builds them from the same numbers.

A body hangs by a joint at its own origin on a point of its parent; `q` and `qd` are the joint's angle and rate, or, of a ball
joint, which starts unturned, its angular velocity. A loop pins a point of one body to a point of another.
"""
import math


def body(name, parent, kind, at, mass, com, inertia, q=0.0, qd=0.0):
    return {"name": name, "parent": parent, "type": kind, "at": at, "mass": mass, "com": com, "inertia": inertia, "q": q,
            "qd": qd}


def arm():
    """models/three_link_arm.yaml"""
    bodies = [body(f"link{i + 1}", i - 1, "revolute", 1.0 if i else 0.0, 1.0, 0.5, [1.0, 1.0, 1.0]) for i in range(3)]
    return {"name": "Three-link arm", "dimension": 2, "gravity": [0, -1, 0], "duration": 5.0, "bodies": bodies, "loops": []}


def four_bar():
    """models/four_bar.yaml, assembled: the crank upright, the other two where their circles meet."""
    crank, coupler, rocker, ground = 0.5, 1.5, 1.0, 1.5
    ax, ay, bx = 0.0, crank, ground
    apart = math.hypot(bx - ax, ay)
    along = (coupler**2 - rocker**2 + apart**2) / (2 * apart)
    across = math.sqrt(coupler**2 - along**2)
    ux, uy = (bx - ax) / apart, -ay / apart
    x, y = ax + along * ux - across * uy, ay + along * uy + across * ux
    turn, back, rate = math.atan2(y - ay, x - ax), math.atan2(y, x - bx), 2.0
    # velocities: crank end + coupler's turn = rocker's turn, two equations for the two rates
    vx, vy = -rate * ay, 0.0
    c, s, d, e = -(y - ay), x - ax, -y, x - bx
    determinant = -c * e + d * s
    coupler_rate = (vx * e - vy * d) / determinant
    rocker_rate = (s * vx - c * vy) / determinant
    upright = math.pi / 2
    rod = lambda i: [i / 2, i / 2, i]
    bodies = [body("crank", -1, "revolute", 0.0, 1.0, 0.25, rod(0.0208), upright, rate),
              body("coupler", 0, "revolute", crank, 3.0, 0.75, rod(0.5625), turn - upright, coupler_rate - rate),
              body("rocker", -1, "revolute", ground, 2.0, 0.5, rod(0.1667), back, rocker_rate)]
    return {"name": "Four-bar", "dimension": 2, "gravity": [0, -9.81, 0], "duration": 4.0, "bodies": bodies,
            "loops": [{"a": 1, "at_a": coupler, "b": 2, "at_b": rocker}]}


def ball_chain(links=16):
    """Rods of 1 m stretched out to the side, turning about the vertical, let go."""
    bodies = [body(f"rod{i + 1}", i - 1, "spherical", 1.0 if i else 0.0, 1.0, 0.5, [0.005, 0.085, 0.085],
                   qd=[0, 0, 1.0] if i == 0 else [0, 0, 0]) for i in range(links)]
    return {"name": f"Chain on {links} ball joints", "dimension": 3, "gravity": [0, 0, -9.81], "duration": 1.5,
            "bodies": bodies, "loops": []}


MECHANISMS = {"arm": arm, "four-bar": four_bar, "chain": ball_chain}


def model_text(mechanism):
    """The mechanism as a model file of Torsor."""
    planar = mechanism["dimension"] == 2
    point = (lambda x: f"[{x!r}, 0]") if planar else (lambda x: f"[{x!r}, 0, 0]")
    bodies = mechanism["bodies"]
    lines = ["torsor: 1", f"name: {mechanism['name']}", f"dimension: {mechanism['dimension']}",
             f"gravity: {mechanism['gravity'][:mechanism['dimension']]}", "bodies:"]
    for b in bodies:
        inertia = b["inertia"][2] if planar else b["inertia"]
        lines.append(f"  {b['name']}: {{mass: {b['mass']!r}, com: {point(b['com'])}, inertia: {inertia}}}")
    lines.append("joints:")
    parent = lambda i: "world" if i < 0 else bodies[i]["name"]
    for b in bodies:
        lines.append(f"  at_{b['name']}: {{type: {b['type']}, parent: {parent(b['parent'])}, child: {b['name']}, "
                     f"in_parent: {{position: {point(b['at'])}}}}}")
    for i, loop in enumerate(mechanism["loops"]):
        lines.append(f"  loop{i}: {{type: revolute, parent: {parent(loop['a'])}, child: {parent(loop['b'])}, in_parent: "
                     f"{{position: {point(loop['at_a'])}}}, in_child: {{position: {point(loop['at_b'])}}}}}")
    lines.append("initial:")
    if planar:
        lines.append("  joints: {" + ", ".join(f"at_{b['name']}: {b['q']!r}" for b in bodies) + "}")
    lines.append("  rates: {" + ", ".join(f"at_{b['name']}: {b['qd']!r}" for b in bodies) + "}")
    if mechanism["loops"]:
        lines.append("  assemble: true")
    lines.append(f"simulation: {{step: 0.01, duration: {mechanism['duration']!r}}}")
    return "\n".join(lines) + "\n"


def plain_text(mechanism):
    """The mechanism for bench/simbody_runs.cc: numbers one after another."""
    words = [len(mechanism["bodies"]), len(mechanism["loops"]), *mechanism["gravity"], mechanism["duration"]]
    for b in mechanism["bodies"]:
        ball = b["type"] == "spherical"
        words += [b["parent"], int(ball), b["at"], b["mass"], b["com"], *b["inertia"], b["q"],
                  *(b["qd"] if ball else [0, 0, b["qd"]])]
    for loop in mechanism["loops"]:
        words += [loop["a"], loop["at_a"], loop["b"], loop["at_b"]]
    return " ".join(repr(word) for word in words)
