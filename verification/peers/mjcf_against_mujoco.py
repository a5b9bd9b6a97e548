"""MJCF files of dm_control, gymnasium and gymnasium-robotics, and those of `models` beside this for what they do not use, read here and by
MuJoCo: mass matrix, bias, passive and
actuator forces and accelerations at random states. Contacts, equalities, limits and frictionloss, which MuJoCo solves as
constraints, are switched off on both sides.

    python mjcf_against_mujoco.py [--write] [PART OF A PATH]...

All are relative to their largest entry, but to no less than: for forces 1e-6 of the largest force of any kind (ours are differences of
inverse dynamics); for bias forces 1e-6, for accelerations 1e-4 of what gravity and the largest rate make usual, since they may cancel.
Where a file differs since MuJoCo diagonalises the inertia of meshes to 1e-6 only, the comparison is repeated with the inertias that
MuJoCo has compiled.
"""
from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
import time
from pathlib import Path

import mujoco
import numpy as np

import torsor as ts

STATES = 20
BOUND = 1e-9
FOLDERS = [("dm_control", "suite"), ("dm_control", "locomotion"), ("gymnasium", ""), ("gymnasium_robotics", "")]
ALLOWANCES = ["fluid", "actuators", "muscles"]
OWN = Path(__file__).resolve().parent / "models"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "import-mjcf.md"


def model_files():
    """Every XML file with a root <mujoco>; others are pieces that such files include."""
    for file in sorted(OWN.glob("*.xml")):
        yield OWN.parent, file
    for package, folder in FOLDERS:
        base = Path(importlib.util.find_spec(package).origin).parent
        for file in sorted((base / folder).rglob("*.xml")):
            if "<mujoco>" in (text := file.read_text(errors="replace")) or "<mujoco " in text:
                yield base.parent, file


def without_constraints(spec):
    """Closing joints, couplings, stops and friction taken away: in MuJoCo they are constraints."""
    carried = set()
    for name, joint in list(spec["joints"].items()):
        if joint["child"] in carried:
            del spec["joints"][name]
        else:
            carried.add(joint["child"])
            joint.pop("range", None), joint.pop("friction", None)
    for name, tendon in spec.get("tendons", {}).items():
        tendon.pop("friction", None)
        if not name.endswith("_band"):  # a spring with two lengths
            tendon.pop("range", None)
    spec.pop("couplings", None)
    spec.get("initial", {}).pop("assemble", None)
    spec["simulation"]["formulation"] = "joint"
    spec["simulation"]["integrator"] = "rkmk4"
    return spec


def is_muscle(m, i):
    return m.actuator_dyntype[i] == int(mujoco.mjtDyn.mjDYN_MUSCLE)


def tendons_of(m, i):
    """How many tendons the actuator i got of its own: springs of servos on tendons; muscles on joints, geared, or second ones."""
    kind, target = mujoco.mjtTrn(m.actuator_trntype[i]), m.actuator_trnid[i, 0]
    if is_muscle(m, i):
        first = not any(is_muscle(m, k) and m.actuator_trntype[k] == m.actuator_trntype[i] and m.actuator_trnid[k, 0] == target
                        and m.actuator_gear[k, 0] == 1 for k in range(i))
        return int(kind == mujoco.mjtTrn.mjTRN_JOINT or m.actuator_gear[i, 0] != 1 or not first)
    return int(kind == mujoco.mjtTrn.mjTRN_TENDON and has_feedback(m, i))


def has_feedback(m, i):
    return m.actuator_biastype[i] == int(mujoco.mjtBias.mjBIAS_AFFINE) and bool(np.any(m.actuator_biasprm[i, 1:3] != 0))


def parts_of(m, i):
    """How many entries of `actuators` and `loads` the actuator i became, and of springs."""
    if is_muscle(m, i):
        return 0, 0, 0
    kind, target, gear = mujoco.mjtTrn(m.actuator_trntype[i]), m.actuator_trnid[i, 0], m.actuator_gear[i]
    feedback = has_feedback(m, i)
    if kind == mujoco.mjtTrn.mjTRN_JOINT:
        joint = mujoco.mjtJoint(m.jnt_type[target])
        if joint in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            return 1, 0, int(feedback)
        if joint == mujoco.mjtJoint.mjJNT_BALL:
            return int(np.count_nonzero(gear[:3])), 0, 0
        return int(np.count_nonzero(gear[3:])), int(np.any(gear[:3] != 0)), 0
    if kind == mujoco.mjtTrn.mjTRN_TENDON:
        return 1, 0, 0
    if kind == mujoco.mjtTrn.mjTRN_SITE:
        return 0, int(np.any(gear[:3] != 0)) + int(np.any(gear[3:] != 0)), 0
    return 0, 0, 0


def commanded(spec, m, u, a):
    """Commands and activations of all actuators; returns how many springs, loads and tendons are theirs."""
    efforts = list(spec.get("actuators", {}).values())
    total_loads = sum(parts_of(m, i)[1] for i in range(m.nactuator))
    loads = list(spec.get("loads", {}).values())
    loads = loads[len(loads) - total_loads:]
    springs, next_effort, next_load = 0, 0, 0
    total_tendons = sum(tendons_of(m, i) for i in range(m.nactuator))
    names = list(spec.get("tendons", {}))
    added = iter(names[len(names) - total_tendons:])

    def put(program, i):
        if isinstance(program, dict):
            program["u"] = float(u[m.actuator_ctrladr[i]])
            if "a" in program:
                program["a"] = float(a[m.actuator_actadr[i]])

    for i in range(m.nactuator):
        own = next(added) if tendons_of(m, i) else m.tendon(m.actuator_trnid[i, 0]).name if is_muscle(m, i) else ""
        if is_muscle(m, i):
            muscle = spec["tendons"][own]["muscle"]
            muscle["excitation"] = float(u[m.actuator_ctrladr[i]])
            muscle["initial"] = float(a[m.actuator_actadr[i]])
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
    return springs, total_loads, total_tendons


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


def relative(ours, theirs, least=0.0):
    size = max(np.max(np.abs(theirs)) if np.size(theirs) else 0, least)
    return float(np.max(np.abs(ours - theirs)) / size) if size > 0 else float(np.max(np.abs(ours), initial=0))


def compiled_inertias(spec, m):
    """Bodies with the inertia of MuJoCo's model, those welded to them added."""
    def rotation(quat):
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, quat)
        return R.reshape(3, 3)

    own = [name for name, body in spec["bodies"].items() if not body.get("idealised")]
    moving = [b for b in range(1, m.nbody) if m.body_weldid[b] == b and m.body_dofnum[b] > 0]
    assert len(own) == len(moving)
    for name, b in zip(own, moving):
        mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        for k in range(b, m.nbody):
            if m.body_weldid[k] != b:
                continue
            R, p, at = np.eye(3), np.zeros(3), k
            while at != b:
                step = rotation(m.body_quat[at])
                R, p = step @ R, step @ p + m.body_pos[at]
                at = m.body_parentid[at]
            c = R @ m.body_ipos[k] + p
            Q = R @ rotation(m.body_iquat[k])
            mass += m.body_mass[k]
            first += m.body_mass[k] * c
            second += Q @ np.diag(m.body_inertia[k]) @ Q.T + m.body_mass[k] * (c @ c * np.eye(3) - np.outer(c, c))
        c = first / mass
        J = second - mass * (c @ c * np.eye(3) - np.outer(c, c))
        spec["bodies"][name].update(mass=float(mass), com=[float(x) for x in c],
                                    inertia=[float(J[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


def compare(spec, file, states, allow, theirs=False):
    m = mujoco.MjModel.from_xml_path(str(file))
    if theirs:
        compiled_inertias(spec, m)
    for body in spec["bodies"].values():
        body.pop("shapes", None)
    spec.pop("world", None)
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
        for i in range(m.nactuator):
            if is_muscle(m, i):  # their activations are no others
                a[m.actuator_actadr[i]] = random.uniform(0, 1)
        springs, loads, tendons = commanded(spec, m, u, a)
        d.qpos, d.qvel, d.ctrl, d.act = state.qpos, state.qvel, u, a
        mujoco.mj_forward(m, d)
        S, zero = state.S, state.drift
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        worst["M"] = max(worst["M"], relative(S.T @ dynamics.mass_matrix(state.q) @ S, M))
        bias = dynamics.inverse_dynamics(state.q, state.qd, zero)
        usual = np.max(state.qvel ** 2) + np.linalg.norm(m.opt.gravity)  # of accelerations
        worst["bias"] = max(worst["bias"], relative(S.T @ bias, d.qfrc_bias, 1e-6 * usual * np.max(M)))

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
        if "tendons" in spec:
            kept = list(spec["tendons"].items())
            passive["tendons"] = {name: {key: value for key, value in tendon.items() if key != "muscle"}
                                  for name, tendon in kept[:len(kept) - tendons]}
        if loads:
            kept = list(spec["loads"].items())
            passive["loads"] = dict(kept[:len(kept) - loads])
        alone, _ = forces(ts.load(passive))
        least = 1e-6 * np.max(np.abs([d.qfrc_bias, d.qfrc_passive, d.qfrc_actuator]), initial=0)
        worst["passive"] = max(worst["passive"], relative(alone, d.qfrc_passive, least))
        worst["actuator"] = max(worst["actuator"], relative(both - alone, d.qfrc_actuator, least))
        worst["qacc"] = max(worst["qacc"], relative(qacc, d.qacc, 1e-4 * usual))
    return m, worst


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("parts", nargs="*")
    arguments.add_argument("--write", action="store_true", help="the table of docs/import-mjcf.md")
    arguments.add_argument("--states", type=int, default=STATES)
    options = arguments.parse_args()
    sys.path[:] = [os.path.abspath(folder) for folder in sys.path]
    os.chdir(tempfile.gettempdir())  # where MuJoCo may leave its log
    lines, refusals, failed, repeated, theirs = [], [], [], 0, 0
    for base, file in model_files():
        name = str(file.relative_to(base))
        if options.parts and not any(part in name for part in options.parts):
            continue
        allow, begin = [], time.perf_counter()
        while True:
            try:
                model, reason = ts.load(file, files_outside=True, allow=allow), ""
                break
            except ts.ModelError as error:
                reason = error.found
                wanted = [one for one in ALLOWANCES if f"allow=['{one}']" in error.expected and one not in allow]
                if not wanted:
                    break
                allow.append(wanted[0])
        seconds = time.perf_counter() - begin
        if reason:
            try:
                also = "" if mujoco.MjModel.from_xml_path(str(file)).nv else "; nothing moves in it for MuJoCo, either"
            except ValueError:
                also, theirs = "; MuJoCo refuses it, too", theirs + 1
            reason = reason.replace(str(base) + "/", "").replace("|", "/")
            refusals.append(f"| `{name}` | {reason}{also} |")
            print(f"{name}: refused: {reason}{also}", flush=True)
            continue
        m, worst = compare(model.to_dict(), file, options.states, allow)
        remark = "without " + ", ".join(allow) if allow else ""
        if max(worst.values()) > BOUND and m.nmesh:
            m, again = compare(model.to_dict(), file, options.states, allow, theirs=True)
            if max(again.values()) <= BOUND:
                remark += f"{'; ' if remark else ''}with MuJoCo's inertia of meshes {max(again.values()):.0e}"
                repeated += 1
                worst_of_all = again
            else:
                worst_of_all = worst
        else:
            worst_of_all = worst
        if max(worst_of_all.values()) > BOUND:
            failed.append(name)
        figures = " | ".join(f"{worst[k]:.0e}" for k in worst)
        lines.append(f"| `{name}` | {m.nv} | {figures} | {remark} |")
        print(f"{name}: {m.nv} rates, read in {seconds:.2f} s;", *(f"{k} {v:.1e}" for k, v in worst.items()), remark,
              "DIFFERS" if name in failed else "", flush=True)
    summary = (f"{len(lines) + len(refusals)} files: {len(lines)} are read, of which {len(lines) - len(failed)} agree within {BOUND:g} "
               f"({repeated} of them with MuJoCo's inertia of meshes) and {len(failed)} do not; {len(refusals)} are refused, {theirs} of these "
               f"by MuJoCo, too (MuJoCo {mujoco.__version__}).")
    print(summary)
    if options.write:
        table = [summary, "", "| file | rates | M | bias | passive | actuators | qacc | remark |", "| --- | --- | --- | --- | --- | --- | --- | --- |",
                 *lines, "", "| refused | why |", "| --- | --- |", *refusals]
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split("<!-- mjcf peers: begin -->\n")
        tail = rest.split("<!-- mjcf peers: end -->")[1]
        PAGE.write_text(head + "<!-- mjcf peers: begin -->\n" + "\n".join(table) + "\n<!-- mjcf peers: end -->" + tail, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
