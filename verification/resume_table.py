#!/usr/bin/env python3
"""Cuts runs off by kill -9 at random times, resumes them, and compares with the run that was never stopped.

    verification/resume_table.py [PROGRAM] [--cuts 5] [--only NAME] [--seed 1]

Every record and the whole ledger must be the same to the last bit, but for the time that it took. Prints a table of
models and methods; exit status 1 if one differs.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

CASES = [
    ("tendon_arm", "rotationless", "energy-momentum"),
    ("four_bar", "rotationless", "energy-momentum"),
    ("stewart", "rotationless", "energy-momentum"),
    ("n_four_bar_40", "rotationless", "energy-momentum"),
    ("driven_arm", "rotationless", "petrov-galerkin"),
    ("spatial_four_bar", "rotationless", "petrov-galerkin"),
    ("bricard", "rotationless", "generalized-alpha"),
    ("servo_crane", "rotationless", "energy-momentum"),
    ("three_link_arm", "cartesian", "energy-momentum"),
    ("tendon_arm", "cartesian", "petrov-galerkin"),
    ("double_pendulum", "joint", "dopri5"),
    ("heavy_top", "joint", "rkmk4"),
    ("spherical_chain", "joint", "gauss-legendre"),
    ("all_joints", "joint", "implicit-midpoint"),
    ("free_body", "joint", "variational"),
    ("chain16", "joint", "generalized-alpha"),
    ("sampled_impedance_3d", "joint", "dopri5"),
    ("muscle_arm", "joint", "implicit-midpoint"),
    ("stop_pendulum", "joint", "rkmk4"),
    ("reflex_arm", "rotationless", "energy-momentum"),
]
WALL = 1.0  # [s] that a run shall take


def ledger(text):
    kept = json.loads(text)
    for key in ("wall_seconds", "realtime_factor", "resumed"):
        kept.pop(key, None)
    return kept


def records(program, result, folder):
    table = os.path.join(folder, "records.csv")
    subprocess.run([program, "export", result, table], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(table, "rb") as file:
        return file.read()


def kill_at(command, delay):
    """False if it had ended by itself."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    ended = process.poll() is not None
    process.kill()
    process.wait()
    return not ended


def settings_of(program, model, formulation, integrator):
    """As the model says, but for so long that a run takes about a second; records stay below 20,000."""
    base = [program, "run", model, "--formulation", formulation, "--integrator", integrator, "--json"]
    duration = 1.0
    for _ in range(12):
        began = time.monotonic()
        done = subprocess.run([*base, "--duration", repr(duration)], capture_output=True, text=True)
        took = time.monotonic() - began
        if done.returncode != 0:
            duration = max(duration / 2, 0.1)
            break
        if took > 0.3 * WALL:
            duration *= WALL / took
            break
        duration *= 4
    steps = json.loads(done.stdout)["steps"] if done.returncode == 0 else 1000
    return [*base, "--duration", repr(round(duration, 3)), "--record-every", str(1 + int(4 * steps) // 20000)]


def cut(program, command, whole, folder, rng, took):
    """Whether the run that was cut off, perhaps twice, is the whole one in the end; and at which share of it."""
    result = os.path.join(folder, "cut.h5")
    for _ in range(50):
        if os.path.exists(result):
            os.remove(result)
        share = rng.random()
        every = rng.choice(["0.02 s", "0.1 s", "37 steps", "1000 steps"])
        killed = kill_at([*command, "--out", result, "--checkpoint", every], share * took)
        if killed and os.path.exists(result):
            break
    if rng.random() < 0.3:  # and in the middle of going on
        kill_at([program, "resume", result, "--checkpoint", "0.05 s"], rng.random() * took)
    done = subprocess.run([program, "resume", result, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return f"resume: {done.stderr.strip()}"
    if ledger(done.stdout) != whole[0]:
        return "another ledger"
    return "" if records(program, result, folder) == whole[1] else "other records"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="build/bin/torsor")
    parser.add_argument("--cuts", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    program = os.path.abspath(asked.program)
    rng = random.Random(asked.seed)
    equal = count = 0
    print("| model | formulation | integrator | records | bit-equal after kill -9 |\n| --- | --- | --- | --- | --- |")
    for model, formulation, integrator in CASES:
        if asked.only and asked.only != model:
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = settings_of(program, model, formulation, integrator)
            result = os.path.join(folder, "whole.h5")
            began = time.monotonic()
            done = subprocess.run([*command, "--out", result], capture_output=True, text=True)
            took = time.monotonic() - began
            if done.returncode != 0:
                print(f"| {model} | {formulation} | {integrator} | failed: {done.stderr.strip()} |")
                count += asked.cuts
                continue
            whole = (ledger(done.stdout), records(program, result, folder))
            faults = [cut(program, command, whole, folder, rng, took) for _ in range(asked.cuts)]
            good = sum(not fault for fault in faults)
            equal, count = equal + good, count + asked.cuts
            note = "".join(f"; {fault}" for fault in faults if fault)
            rows = whole[1].count(b"\n") - 1
            print(f"| {model} | {formulation} | {integrator} | {rows} | {good} of {asked.cuts}{note} |",
                  flush=True)
    print(f"\n{equal} of {count} bit-equal")
    sys.exit(0 if equal == count else 1)


main()
