"""Runs of the program `torsor`, timed."""
import json
import resource
import subprocess


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def quickest(rounds, program, *arguments, timeout=None, more_below=0.0):
    """The ledger of the quickest of some runs, with its `seconds`: those of the clock, or of the processor for the whole
    program where they are less, as on a busy machine. Three times as many runs where they take less than `more_below`.
    None where a run fails or takes too long."""
    best = None
    for turn in range(3 * rounds):
        if turn >= rounds and (best is None or best["seconds"] > more_below):
            break
        before = processor_seconds()
        try:
            done = subprocess.run([program, "run", *arguments, "--json"], capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return best
        if done.returncode != 0:
            return None
        result = json.loads(done.stdout)
        result["seconds"] = min(result["wall_seconds"], processor_seconds() - before)
        if best is None or result["seconds"] < best["seconds"]:
            best = result
    return best
