#!/usr/bin/env python3
"""Long runs: verification/soak.py TORSOR [--minutes M] [--steps N] [MODEL ..].

Twelve models of the gallery and one that flies away, by energy-momentum, 10^7 steps each, or as many as fit into M minutes in all. Of the
balance of energy, E - E(0) - work + dissipated, it fits a straight line over the run and prints the largest value and the slope, over the
scale of the energy that moved. Ends with status 1 where the largest, or the rise of the line over the run, is above 1e-11 (1e-12 of
free_chain). What a run that is shorter says of 10^7 steps is printed beside it: the random walk of rounding makes it too large.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

MODELS = {  # with the step [s]
    "four_bar": 0.01, "slider_crank": 0.005, "five_bar": 0.01, "tendon_arm": 0.01, "three_link_arm": 0.01, "spatial_four_bar": 0.01,
    "heavy_top": 0.0005, "spherical_chain": 0.01, "stewart": 0.01, "delta_robot": 0.01, "joint_springs": 0.01, "andrews": 0.0001,
    "free_chain": 0.01,
}
BALANCE = 1e-11  # over the scale
OWN_BALANCE = {"free_chain": 1e-12}
WHOLE = 10_000_000
PROBE = 2000


def run(torsor, model, step, steps, out, every):
    call = [torsor, "run", model, "--formulation", "rotationless", "--integrator", "energy-momentum", "--step", repr(step), "--duration",
            repr(step * steps), "--record", "energy", "--record-every", str(every), "--out", str(out), "--checkpoint", "off", "--json"]
    done = subprocess.run(call, capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1]
    return json.loads(done.stdout), ""


def line(xs, ys):
    """Slope of the straight line of least squares."""
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    square = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / square if square > 0 else 0.0


def soak(torsor, model, step, seconds, most, folder):
    begin = time.monotonic()
    ledger, fault = run(torsor, model, step, PROBE, folder / "probe.csv", PROBE)
    if fault:
        return None, fault
    rate = PROBE / max(ledger["wall_seconds"], 1e-6)
    left = seconds - (time.monotonic() - begin)
    steps = int(min(most, max(PROBE, 0.9 * rate * left))) // 1000 * 1000
    out = folder / f"{model}.csv"
    ledger, fault = run(torsor, model, step, steps, out, steps // 1000)
    if fault:
        return None, fault
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    scale = ledger["energy"]["scale"]
    times = [float(row["time"]) / step for row in rows]
    residual = [float(row["energy.residual"]) / scale for row in rows]
    return {"steps": steps, "balance": ledger["energy"]["max_residual"] / scale, "slope": line(times, residual),
            "constraints": ledger["constraints"]["position_max"], "seconds": ledger["wall_seconds"]}, ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("torsor", type=pathlib.Path)
    arguments.add_argument("models", nargs="*", default=list(MODELS))
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--steps", type=int, default=WHOLE)
    given = arguments.parse_intermixed_args()
    failed = False
    print("| model | step [s] | steps | largest balance | slope x steps | slope x 1e7 | constraints [m] | time [s] |\n" + "| --- " * 8 + "|")
    with tempfile.TemporaryDirectory() as name:
        for model in given.models:
            step = MODELS.get(model, 0.01)
            seen, fault = soak(str(given.torsor.resolve()), model, step, 60 * given.minutes / len(given.models), given.steps, pathlib.Path(name))
            if fault:
                print(f"| {model} | {step} | {fault} | | | | | |", flush=True)
                failed = True
                continue
            drift = abs(seen["slope"]) * seen["steps"]
            bound = OWN_BALANCE.get(model, BALANCE)
            holds = seen["balance"] <= bound and drift <= bound
            failed = failed or not holds
            constraints = "" if seen["constraints"] is None else f"{seen['constraints']:.1e}"
            print(f"| {model} | {step} | {seen['steps']} | {seen['balance']:.1e} | {drift:.1e}{'' if holds else ' **missed**'} |"
                  f" {abs(seen['slope']) * WHOLE:.1e} | {constraints} |"
                  f" {seen['seconds']:.0f} |", flush=True)
    return 1 if failed else 0


sys.exit(main())
