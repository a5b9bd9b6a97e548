#!/usr/bin/env python3
"""Runs that are killed, or whose disk is full, at any of their writes: verification/faults.py TORSOR FAULT_IO [--last N] [--random N] [--full N].

Of six runs (two of HDF5, one with --verify, one that goes on, CSV, a sweep) each is killed before every one of its last writes and at
random ones, and in the middle of random ones, by fault_io.c; whatever it left must open, and hold the first records of the whole run, in order. HDF5 goes on to the whole
run, a sweep to the same table. With a full disk the program must end with status 5 and its ledger printed, and leave no file of 0 bytes.
Ends with status 1 where anything is lost; prints what was seen.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SWEEP = """torsor_sweep: 1
model: double_pendulum
vary:
  bodies.lower.mass: {uniform: [0.5, 2]}
samples: {method: sobol, count: 12, seed: 3}
measure:
  reach: {max: bodies.lower.com.x}
simulation: {duration: 0.2, formulation: joint, integrator: rkmk4}
"""
OUTPUT_FAILED = 5
SHIFT = 10  # calls by which runs differ: when a file is flushed depends on the time that writing takes


class Faults:
    def __init__(self, torsor, fault_io, folder):
        self.torsor, self.fault_io, self.folder = str(torsor), str(fault_io), folder
        self.failures = []

    def run(self, arguments, fault=None, at=None):
        environment = dict(os.environ)
        if fault:
            environment |= {"LD_PRELOAD": self.fault_io, "TORSOR_FAULT": fault, "TORSOR_FAULT_COUNT": str(self.folder / "count")}
            if at is not None:
                environment["TORSOR_FAULT_AT"] = str(at)
        return subprocess.run([self.torsor, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)

    def count(self, case):
        case.prepare(self)
        done = self.run(case.arguments, "count")
        if done.returncode != 0:
            raise SystemExit(f"{case.name}: {done.stderr}")
        return int((self.folder / "count").read_text())

    def expect(self, holds, text):
        if not holds:
            self.failures.append(text)
            print(text, flush=True)


class Case:
    """A run that writes `out`, and how its records are read."""

    def __init__(self, name, out, arguments, resume=("resume",)):
        self.name, self.out, self.arguments, self.resume = name, out, arguments, resume

    def prepare(self, faults):
        for path in list(faults.folder.iterdir()):
            if path.name not in ("whole.h5", "s.yaml"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def rows(self, faults):
        out = faults.folder / self.out
        if not out.exists():
            return []
        if out.suffix == ".csv":
            text = out.read_text()
            if text and not text.endswith("\n"):
                raise ValueError("a torn line")
            return text.splitlines()
        table = faults.folder / "rows.csv"
        done = faults.run(["export", self.out, table.name, "--force"])
        if done.returncode != 0:
            raise ValueError(done.stderr.strip())
        return table.read_text().splitlines()

    def goes_on(self, faults, whole, at):
        if not (faults.folder / self.out).exists() or pathlib.Path(self.out).suffix != ".h5":
            return
        done = faults.run([*self.resume, self.out])
        faults.expect(done.returncode == 0, f"{self.name}, call {at}: resume: {done.stderr.strip()}")
        try:
            faults.expect(self.rows(faults) == whole, f"{self.name}, call {at}: another run after resume")
        except ValueError as fault:
            faults.expect(False, f"{self.name}, call {at}, after resume: {fault}")


class Resumed(Case):
    """Goes on from a run that reached half its time."""

    def prepare(self, faults):
        super().prepare(faults)
        shutil.copy(faults.folder / "whole.h5", faults.folder / self.out)


class Sweep(Case):
    def rows(self, faults):
        table = faults.folder / self.out / "table.csv"
        return table.read_text().splitlines() if table.exists() else []

    def goes_on(self, faults, whole, at):
        done = faults.run(self.arguments)
        faults.expect(done.returncode == 0, f"{self.name}, call {at}: {done.stderr.strip()}")
        faults.expect(self.rows(faults) == whole, f"{self.name}, call {at}: another table")


def cases():
    method = ["--formulation", "joint", "--integrator", "rkmk4", "--step", "0.01"]
    run = ["run", "double_pendulum", *method]
    return [
        Case("HDF5", "a.h5", [*run, "--duration", "0.5", "--out", "a.h5", "--checkpoint", "1000 steps"]),
        Case("HDF5, checkpoints", "b.h5", [*run, "--duration", "0.3", "--out", "b.h5", "--checkpoint", "3 steps"]),
        Case("HDF5, verified", "c.h5", [*run, "--duration", "0.3", "--out", "c.h5", "--verify", "--checkpoint", "10 steps"]),
        Resumed("HDF5, resumed", "d.h5", ["resume", "d.h5", "--duration", "0.6", "--checkpoint", "5 steps"],
                ("resume", "--duration", "0.6")),
        Case("CSV", "e.csv", [*run, "--duration", "100", "--out", "e.csv"]),
        Sweep("sweep", "f", ["sweep", "s.yaml", "--out", "f", "--threads", "1", "--no-page"]),
    ]


def is_beginning(case, rows, whole):
    if isinstance(case, Resumed):  # the last record of the run before is made again
        rows = rows[:-1]
    return rows == whole[:len(rows)]


def kill_all(faults, case, last, anywhere, rng):
    calls = faults.count(case)
    whole = case.rows(faults)
    points = set(range(max(1, calls - last + 1), calls + 1)) | set(rng.sample(range(1, calls + 1), min(anywhere, calls)))
    torn = rng.sample(range(1, calls + 1), min(anywhere, calls))
    seen = []  # calls, and the rows that were left
    for at, fault in sorted([(at, "kill") for at in points] + [(at, "tear") for at in torn]):
        case.prepare(faults)
        done = faults.run(case.arguments, fault, at)
        if done.returncode == 0:  # the number of writes varies a little with the time that a run takes
            continue
        faults.expect(done.returncode == -9, f"{case.name}, {fault} at call {at}: status {done.returncode}, not killed")
        try:
            rows = case.rows(faults)
        except ValueError as error:
            faults.expect(False, f"{case.name}, {fault} at call {at} of {calls}: {error}")
            continue
        faults.expect(is_beginning(case, rows, whole), f"{case.name}, call {at}: {len(rows)} rows that are not the first")
        least = max((count for earlier, count in seen if earlier <= at - SHIFT), default=0)
        faults.expect(len(rows) >= least, f"{case.name}, call {at}: {len(rows)} rows, {least} after an earlier call")
        seen.append((at, len(rows)))
        case.goes_on(faults, whole, at)
    print(f"{case.name:18} killed before {len(points)} and in {len(torn)} of {calls} calls, {len(whole)} rows in all", flush=True)


def fill_all(faults, case, times, rng):
    calls = faults.count(case)
    points = sorted(rng.sample(range(1, calls + 1), min(times, calls)))
    ended = 0
    for at in points:
        case.prepare(faults)
        done = faults.run([*case.arguments, "--json"], "full", at)
        where = f"{case.name}, full at {at} of {calls}"
        if done.returncode == 0:  # nothing was left to write
            continue
        ended += 1
        faults.expect(done.returncode == OUTPUT_FAILED, f"{where}: status {done.returncode}: {done.stderr.strip()}")
        if case.arguments[0] == "run" and done.returncode == OUTPUT_FAILED and (faults.folder / case.out).exists():
            try:
                json.loads(done.stdout)
            except ValueError:
                faults.expect(False, f"{where}: no ledger")
        for path in faults.folder.rglob("*"):
            faults.expect(path.suffix not in (".h5", ".html", ".csv") or path.stat().st_size > 0, f"{where}: {path.name} of 0 bytes")
        try:
            case.rows(faults)
        except ValueError as fault:
            faults.expect(False, f"{where}: {fault}")
        case.goes_on(faults, faults.wholes[case.name], at)
    print(f"{case.name:18} disk full at {ended} calls", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("torsor", type=pathlib.Path)
    arguments.add_argument("fault_io", type=pathlib.Path)
    arguments.add_argument("--last", type=int, default=200)
    arguments.add_argument("--random", type=int, default=200)
    arguments.add_argument("--full", type=int, default=50)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        faults = Faults(given.torsor.resolve(), given.fault_io.resolve(), pathlib.Path(name))
        (faults.folder / "s.yaml").write_text(SWEEP)
        half = [*cases()[0].arguments[:-5], "0.3", "--out", "whole.h5"]
        done = faults.run(half)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        faults.wholes = {}
        for case in cases():
            case.prepare(faults)
            faults.run(case.arguments)
            faults.wholes[case.name] = case.rows(faults)
            kill_all(faults, case, given.last, given.random, rng)
            fill_all(faults, case, given.full, rng)
        print(f"{len(faults.failures)} faults")
        return 1 if faults.failures else 0


sys.exit(main())
