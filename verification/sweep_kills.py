#!/usr/bin/env python3
"""A sweep that is killed again and again: verification/sweep_kills.py TORSOR [--kills N].

Kills `torsor sweep` (SIGKILL) at random times, goes on, and holds the table to that of a sweep that was never interrupted, byte for
byte. Ends with status 1 where they differ.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time

SWEEP = """torsor_sweep: 1
model: tendon_arm
vary:
  tendons.biarticular.stiffness: {log: [0.5, 5]}
  initial.joints.elbow: {uniform: [-10 deg, 10 deg]}
  bodies.link3.mass: {list: [0.5, 1, -1]}
samples: {method: latin-hypercube, count: 3000, seed: 7}
measure:
  reach: {max: points.horn3.position.x}
  swing: {frequency: joints.elbow.position}
simulation: {duration: 5}
"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("torsor", type=pathlib.Path)
    arguments.add_argument("--kills", type=int, default=20)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "s.yaml").write_text(SWEEP)
        call = [str(given.torsor.resolve()), "sweep", "s.yaml", "--no-page", "--out"]
        begin = time.monotonic()
        subprocess.run([*call, "whole"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        span = time.monotonic() - begin
        random.seed(1)
        killed = 0
        for _ in range(given.kills):
            process = subprocess.Popen([*call, "cut"], cwd=folder, stdout=subprocess.DEVNULL)
            time.sleep(random.uniform(0.005, 2 * span / given.kills))
            killed += process.poll() is None
            process.kill()
            process.wait()
        subprocess.run([*call, "cut"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        equal = (folder / "cut/table.h5").read_bytes() == (folder / "whole/table.h5").read_bytes()
        print(f"{killed} of {given.kills} kills while it ran ({span:.1f} s without): tables {'equal' if equal else 'DIFFER'}")
        return 0 if equal else 1


sys.exit(main())
