"""MJCF files of dm_control, gymnasium and gymnasium-robotics, read here and by MuJoCo: mass matrix, bias, passive and
actuator forces and accelerations at random states. Contacts, equalities, limits and frictionloss, which MuJoCo solves as
constraints, are switched off on both sides.

    python mjcf_against_mujoco.py [--table FILE.md] [PART OF A PATH]...
"""
from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path

import mujoco
import numpy as np

import torsor as ts

STATES = 20
BOUND = 1e-9
FOLDERS = [("dm_control", "suite"), ("dm_control", "locomotion"), ("gymnasium", ""), ("gymnasium_robotics", "")]
ALLOWANCES = ["fluid", "actuators", "muscles", "fixed-tendons"]


def model_files():
    """Every XML file with a root <mujoco>; others are pieces that such files include."""
    for package, folder in FOLDERS:
        base = Path(importlib.util.find_spec(package).origin).parent
        for file in sorted((base / folder).rglob("*.xml")):
            if "<mujoco>" in (text := file.read_text(errors="replace")) or "<mujoco " in text:
                yield base.parent, file


def load(file, allow):
    return ts.load(file, files_outside=True, allow=allow)


def without_constraints(spec):
    """Closing joints, couplings, stops and friction taken away: in MuJoCo they are constraints."""
    carried = set()
    for name, joint in list(spec["joints"].items()):
        if joint["child"] in carried:
            del spec["joints"][name]
        else:
            carried.add(joint["child"])
            joint.pop("range", None), joint.pop("friction", None)
    for tendon in spec.get("tendons", {}).values():
        tendon.pop("range", None), tendon.pop("friction", None)
    spec.pop("couplings", None)
    spec.get("initial", {}).pop("assemble", None)
    spec["simulation"]["formulation"] = "joint"
    spec["simulation"]["integrator"] = "rkmk4"
    return spec


def parts_of(m, i):
    """How many entries of `actuators` and `loads` the actuator i became, and of springs."""
    kind, target, gear = mujoco.mjtTrn(m.actuator_trntype[i]), m.actuator_trnid[i, 0], m.actuator_gear[i]
    feedback = m.actuator_biastype[i] == int(mujoco.mjtBias.mjBIAS_AFFINE) and np.any(m.actuator_biasprm[i, 1:3] != 0)
    if kind == mujoco.mjtTrn.mjTRN_JOINT:
        joint = mujoco.mjtJoint(m.jnt_type[target])
        if joint in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            return 1, 0, int(feedback)
        if joint == mujoco.mjtJoint.mjJNT_BALL:
            return int(np.count_nonzero(gear[:3])), 0, 0
        return int(np.count_nonzero(gear[3:])), int(np.any(gear[:3] != 0)), 0
    if kind == mujoco.mjtTrn.mjTRN_TENDON:
        first = m.tendon_adr[target]
        if m.wrap_type[first] == int(mujoco.mjtWrap.mjWRAP_JOINT):
            return int(m.tendon_num[target]), 0, int(feedback)
        return 1, 0, 0
    if kind == mujoco.mjtTrn.mjTRN_SITE:
        return 0, int(np.any(gear[:3] != 0)) + int(np.any(gear[3:] != 0)), 0
    return 0, 0, 0


def commanded(spec, m, u, a):
    """Commands and activations of all actuators; returns how many springs are theirs."""
    efforts = list(spec.get("actuators", {}).values())
    total_loads = sum(parts_of(m, i)[1] for i in range(m.nactuator))
    loads = list(spec.get("loads", {}).values())
    loads = loads[len(loads) - total_loads:]
    springs, next_effort, next_load = 0, 0, 0

    def put(program, i):
        if isinstance(program, dict):
            program["u"] = float(u[m.actuator_ctrladr[i]])
            if "a" in program:
                program["a"] = float(a[m.actuator_actadr[i]])

    for i in range(m.nactuator):
        count, load_count, spring_count = parts_of(m, i)
        springs += spring_count
        for _ in range(count):
            put(efforts[next_effort]["effort"], i)
            next_effort += 1
        for _ in range(load_count):
            for key in ("force", "moment"):
                for program in loads[next_load].get(key, []):
                    put(program, i)
            next_load += 1
    assert next_effort == len(efforts), "actuators are not those of MuJoCo"
    return springs, total_loads


class State:
    """A state of MuJoCo in our order, with the map from its rates to ours at each free joint."""

    def __init__(self, m, random):
        self.qpos, self.qvel = np.zeros(m.nq), random.normal(size=m.nv)
        self.q, self.qd, self.S = [], np.zeros(m.nv), np.zeros((m.nv, m.nv))
        self.drift = np.zeros(m.nv)  # of our rates where those of MuJoCo are constant
        for j in range(m.njnt):
            kind, at, v = mujoco.mjtJoint(m.jnt_type[j]), m.jnt_qposadr[j], m.jnt_dofadr[j]
            low, high = m.jnt_range[j] if m.jnt_limited[j] else (-2.0, 2.0)
            if kind == mujoco.mjtJoint.mjJNT_SLIDE and not m.jnt_limited[j]:
                low, high = -0.5, 0.5
            if kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
                self.qpos[at] = random.uniform(low, high)
                self.q.append(float(self.qpos[at]))
                self.S[v, v] = 1
                continue
            quat = random.normal(size=4)
            quat /= np.linalg.norm(quat)
            if kind == mujoco.mjtJoint.mjJNT_BALL:
                self.qpos[at:at + 4] = quat
                self.q += list(quat)
                self.S[v:v + 3, v:v + 3] = np.eye(3)
                continue
            self.qpos[at:at + 3] = random.normal(size=3)
            self.qpos[at + 3:at + 7] = quat
            self.q += [*quat, *self.qpos[at:at + 3]]
            R = np.zeros(9)
            mujoco.mju_quat2Mat(R, quat)
            R = R.reshape(3, 3)
            self.S[v:v + 3, v + 3:v + 6] = np.eye(3)
            self.S[v + 3:v + 6, v:v + 3] = R.T
            omega, linear = self.qvel[v + 3:v + 6], R.T @ self.qvel[v:v + 3]
            self.drift[v + 3:v + 6] = -np.cross(omega, linear)
        self.q = np.array(self.q)
        self.qd = self.S @ self.qvel


def named(model, values, count):
    """A vector of our order as `evaluate` takes it."""
    result, at = {}, 0
    for name, joint in model.to_dict()["joints"].items():
        n = {"free": 7 if count == 0 else 6, "spherical": 4 if count == 0 else 3}.get(joint["type"], 1)
        part = [float(x) for x in values[at:at + n]]
        result[name] = part[0] if n == 1 else part
        at += n
    assert at == len(values)
    return result


def relative(ours, theirs):
    size = np.max(np.abs(theirs)) if np.size(theirs) else 0
    return float(np.max(np.abs(ours - theirs)) / size) if size > 0 else float(np.max(np.abs(ours), initial=0))


def compare(spec, file, states):
    m = mujoco.MjModel.from_xml_path(str(file))
    m.opt.density = m.opt.viscosity = 0
    flags = mujoco.mjtDisableBit
    m.opt.disableflags |= (flags.mjDSBL_CONTACT | flags.mjDSBL_EQUALITY | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS)
    feedback = (m.actuator_biastype == int(mujoco.mjtBias.mjBIAS_AFFINE)) & np.any(m.actuator_biasprm[:, 1:3] != 0, axis=1)
    m.actuator_forcelimited[feedback] = 0  # approximated
    d = mujoco.MjData(m)
    random = np.random.default_rng(1)
    worst = dict.fromkeys(["M", "bias", "passive", "actuator", "qacc"], 0.0)
    spec = without_constraints(spec)
    dynamics = ts.load(spec).dynamics()
    for _ in range(states):
        state = State(m, random)
        u, a = random.uniform(-1.2, 1.2, size=m.nu), random.uniform(-1, 1, size=m.na)
        springs, loads = commanded(spec, m, u, a)
        d.qpos, d.qvel, d.ctrl, d.act = state.qpos, state.qvel, u, a
        mujoco.mj_forward(m, d)
        S, zero = state.S, state.drift
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        worst["M"] = max(worst["M"], relative(S.T @ dynamics.mass_matrix(state.q) @ S, M))
        bias = dynamics.inverse_dynamics(state.q, state.qd, zero)
        worst["bias"] = max(worst["bias"], relative(S.T @ bias, d.qfrc_bias))

        def forces(model):
            at = {"q": named(model, state.q, 0), "qd": named(model, state.qd, 1), "qdd": named(model, zero, 1)}
            whole = np.array(model.evaluate("inverse_dynamics", **at)["inverse_dynamics"])
            qdd = np.array(model.evaluate("forward_dynamics", **at)["forward_dynamics"])
            return S.T @ (bias - whole), np.linalg.solve(S, qdd - zero)

        both, qacc = forces(ts.load(spec))
        passive = dict(spec)
        passive.pop("actuators", None)
        if springs:
            kept = list(spec["joint_springs"].items())
            passive["joint_springs"] = dict(kept[:len(kept) - springs])
        if loads:
            kept = list(spec["loads"].items())
            passive["loads"] = dict(kept[:len(kept) - loads])
        alone, _ = forces(ts.load(passive))
        worst["passive"] = max(worst["passive"], relative(alone, d.qfrc_passive))
        worst["actuator"] = max(worst["actuator"], relative(both - alone, d.qfrc_actuator))
        worst["qacc"] = max(worst["qacc"], relative(qacc, d.qacc))
    return m, worst


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parts", nargs="*")
    arguments.add_argument("--table")
    arguments.add_argument("--states", type=int, default=STATES)
    options = arguments.parse_args()
    rows, failed, loaded, equal, refused, theirs = [], [], 0, 0, 0, 0
    for base, file in model_files():
        name = str(file.relative_to(base))
        if options.parts and not any(part in name for part in options.parts):
            continue
        allow, reason, begin = [], "", time.perf_counter()
        while True:
            try:
                model = load(file, allow)
                reason = ""
                break
            except ts.ModelError as error:
                reason = f"{error.key}: {error.found}" if error.found else str(error)
                wanted = [one for one in ALLOWANCES if f"`--allow {one}`" in error.expected and one not in allow]
                if not wanted:
                    break
                allow.append(wanted[0])
        seconds = time.perf_counter() - begin
        if reason:
            refused += 1
            try:
                m = mujoco.MjModel.from_xml_path(str(file))
                also = "" if m.nv else " (nothing moves in it)"
            except ValueError:
                also, theirs = " (MuJoCo refuses it, too)", theirs + 1
            rows.append((name, "refused", "", reason.replace("|", "/")[:160] + also, {}))
            print(f"{name}: refused: {reason}{also}", flush=True)
            continue
        loaded += 1
        m, worst = compare(model.to_dict(), file, options.states)
        good = all(value <= BOUND for value in worst.values())
        equal += good
        if not good:
            failed.append(name)
        rows.append((name, "equal" if good else "differs", f"{m.nv}", ", ".join(allow), worst))
        print(f"{name}: nv {m.nv}, {seconds:.2f} s", *(f"{k} {v:.1e}" for k, v in worst.items()),
              f"allow {allow}" if allow else "", "" if good else "DIFFERS", flush=True)
    summary = (f"{len(rows)} files: {loaded} load, of which {equal} agree within {BOUND:g}; {refused} are refused, "
               f"{theirs} of them by MuJoCo, too.")
    print(summary)
    if options.table:
        with open(options.table, "w", encoding="utf-8") as out:
            out.write("| file | rates | M | bias | passive | actuators | qacc | allowed |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
            for name, how, nv, note, worst in rows:
                if how != "refused":
                    figures = " | ".join(f"{worst[k]:.0e}" for k in ("M", "bias", "passive", "actuator", "qacc"))
                    out.write(f"| {name} | {nv} | {figures} | {note} |\n")
            out.write(f"\n{summary}\n\n| refused | why |\n| --- | --- |\n")
            for name, how, nv, note, worst in rows:
                if how == "refused":
                    out.write(f"| {name} | {note} |\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
