"""Ten robots in free motion, contact off: 5 s of ours (dopri5 to 1e-12) beside MuJoCo's RK4 at small steps; and their energy at steps
of 0.002 s, driven and damped by energy-momentum, beside what MuJoCo loses or gains of it without drive and damping.

    python mjcf_motion.py [--write] [PART OF A PATH]...
"""
from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

import torsor as ts

sys.path[:] = [os.path.abspath(folder) for folder in sys.path]
sys.path.insert(0, str(Path(__file__).resolve().parent))
from mjcf_against_mujoco import PAGE, State, commanded, without_constraints  # noqa: E402

ROBOTS = ["dm_control/suite/acrobot.xml", "dm_control/suite/cheetah.xml", "dm_control/suite/hopper.xml", "dm_control/suite/walker.xml",
          "dm_control/suite/humanoid.xml", "gymnasium/envs/mujoco/assets/ant.xml", "gymnasium/envs/mujoco/assets/hopper.xml",
          "gymnasium/envs/mujoco/assets/half_cheetah.xml", "gymnasium/envs/mujoco/assets/inverted_double_pendulum.xml",
          "gymnasium/envs/mujoco/assets/walker2d.xml"]
DURATION, COARSE, FINE, STEP = 5.0, 5e-5, 1e-5, 0.002


def unconstrained(file):
    m = mujoco.MjModel.from_xml_path(str(file))
    flags = mujoco.mjtDisableBit
    m.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_EQUALITY | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    m.actuator_forcelimited[:] = 0
    return m


def moved(m, state, u, step, integrator=mujoco.mjtIntegrator.mjINT_RK4):
    d = mujoco.MjData(m)
    m.opt.timestep, m.opt.integrator = step, integrator
    d.qpos, d.qvel, d.ctrl = state.qpos, state.qvel, u
    mujoco.mj_step(m, d, nstep=round(DURATION / step))
    return d.qpos.copy()


def in_our_order(m, qpos):
    q = []
    for j in range(m.njnt):
        at, kind = m.jnt_qposadr[j], mujoco.mjtJoint(m.jnt_type[j])
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            q += [*qpos[at + 3:at + 7], *qpos[at:at + 3]]
        else:
            q += list(qpos[at:at + (4 if kind == mujoco.mjtJoint.mjJNT_BALL else 1)])
    return np.array(q)


def conserved(file, state, integrator):
    """The largest change of MuJoCo's energy without drive and damping."""
    m = unconstrained(file)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    m.dof_damping[:] = 0
    m.opt.timestep, m.opt.integrator = STEP, integrator
    d = mujoco.MjData(m)
    d.qpos, d.qvel = state.qpos, state.qvel
    mujoco.mj_forward(m, d)
    first, worst, kinetic = sum(d.energy), 0.0, [d.energy[1]]
    for _ in range(round(DURATION / STEP)):
        mujoco.mj_step(m, d)
        mujoco.mj_forward(m, d)
        worst = max(worst, abs(sum(d.energy) - first))
        kinetic.append(d.energy[1])
    return worst / (max(kinetic) - min(kinetic))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parts", nargs="*")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    os.chdir(tempfile.gettempdir())
    lines, failed = [], []
    for name in ROBOTS:
        if options.parts and not any(part in name for part in options.parts):
            continue
        file = Path(importlib.util.find_spec(name.split("/")[0]).origin).parent.parent / name
        m = unconstrained(file)
        random = np.random.default_rng(3)
        state = State(m, random)
        state.qvel *= 0.1
        state.qd = state.S @ state.qvel
        u = random.uniform(-0.02, 0.02, size=m.nu)  # without limits more would make them whirl
        spec = without_constraints(ts.load(file, files_outside=True, meshes=False).to_dict())
        commanded(spec, m, u, np.zeros(m.na))
        spec["initial"] = {"joints": {}, "rates": {}}
        at = v = 0
        for joint, what in spec["joints"].items():
            n, k = {"free": (7, 6), "spherical": (4, 3), "fixed": (0, 0)}.get(what["type"], (1, 1))
            q, qd = [float(x) for x in state.q[at:at + n]], [float(x) for x in state.qd[v:v + k]]
            if what["type"] == "free":
                spec["initial"]["joints"][joint] = {"position": q[4:], "rotation": {"quaternion": q[:4]}}
            else:
                spec["initial"]["joints"][joint] = q[0] if n == 1 else q
            spec["initial"]["rates"][joint] = qd[0] if k == 1 else qd
            at, v = at + n, v + k
        model = ts.load(spec)
        run = model.simulate(duration=DURATION, step=0.05, formulation="joint", integrator="dopri5", tolerance=1e-12)
        ours = np.concatenate([np.atleast_1d(run[f"joints/{joint}/position"][-1]) for joint in spec["joints"]
                               if spec["joints"][joint]["type"] != "fixed"])
        coarse, fine = (in_our_order(m, moved(m, state, u, step)) for step in (COARSE, FINE))
        apart, own = np.max(np.abs(ours - fine)), np.max(np.abs(coarse - fine))
        ledger = model.simulate(duration=DURATION, step=STEP, formulation="rotationless",
                                integrator="energy-momentum").ledger.to_dict()["energy"]
        residual = ledger["max_residual"] / ledger["scale"]
        euler = conserved(file, state, mujoco.mjtIntegrator.mjINT_EULER)
        rk4 = conserved(file, state, mujoco.mjtIntegrator.mjINT_RK4)
        if residual > 1e-11 or apart > max(own, 1e-9):
            failed.append(name)
        lines.append(f"| `{name}` | {m.nv} | {apart:.0e} | {own:.0e} | {residual:.0e} | {euler:.0e} | {rk4:.0e} |")
        print(lines[-1], "DIFFERS" if name in failed else "", flush=True)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split("<!-- mjcf motion: begin -->\n")
        tail = rest.split("<!-- mjcf motion: end -->")[1]
        table = ["| robot | rates | ours - MuJoCo at 1e-5 s | MuJoCo at 5e-5 s - 1e-5 s | residual of the ledger | MuJoCo Euler | MuJoCo RK4 |",
                 "| --- | --- | --- | --- | --- | --- | --- |", *lines]
        PAGE.write_text(head + "<!-- mjcf motion: begin -->\n" + "\n".join(table) + "\n<!-- mjcf motion: end -->" + tail, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
