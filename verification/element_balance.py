#!/usr/bin/env python3
"""The energy balance of every element over long runs: verification/element_balance.py VERIFICATION_TEST [--steps N] [--only CASES].

Runs the test EachElement.BalancesWithoutATrend with N steps (100,000) of energy-momentum at each of three step sizes, case by case, and
prints a table: of the balance, over the scale of energy, the largest value and the rise of a fitted line over the run. Ends with status 1
where a case fails.
"""
import argparse
import fnmatch
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TEST = "Each/EachElement.BalancesWithoutATrend/"
STEPS = {"h_1_ms": "0.001 s", "h_10_ms": "0.01 s", "h_50_ms": "0.05 s"}


def cases(program):
    listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter={TEST}*"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0].split("/")[1] for line in listed.splitlines() if line.startswith("  ")]


def run(program, case, steps):
    """What was found at each step, and whether the test passed."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "balance.xml"
        done = subprocess.run([program, f"--gtest_filter={TEST}{case}", f"--gtest_output=xml:{out}"], stdout=subprocess.PIPE, text=True,
                              env=os.environ | {"TORSOR_BALANCE_STEPS": str(steps)})
        if done.returncode != 0:
            print(done.stdout, file=sys.stderr)
        found = xml.etree.ElementTree.parse(out).getroot().iter("property") if out.exists() else []
        return {one.get("name"): one.get("value") for one in found}, done.returncode == 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--steps", type=int, default=100_000)
    arguments.add_argument("--only", default="*", help="cases, with * for anything: 'winch_*'")
    given = arguments.parse_args()
    program, fine = given.program.resolve(), True
    print(f"| element | {' | '.join(STEPS.values())} |\n" + "| --- " * (1 + len(STEPS)) + "|")
    for case in fnmatch.filter(cases(program), given.only):
        found, passed = run(program, case, given.steps)
        kind, _, dimension = case.rpartition("_")
        print(f"| {kind.replace('_', ' ')}, {dimension.upper()}{'' if passed else ' **failed**'} |"
              f" {' | '.join(found.get(step, '') for step in STEPS)} |", flush=True)
        fine &= passed
    return 0 if fine else 1


sys.exit(main())
