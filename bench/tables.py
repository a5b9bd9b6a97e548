"""Tables of docs/benchmarks.md from what the benchmark programs print."""
import csv
import io
import json
import pathlib
import platform
import re
import subprocess

TIMES = ("one", "pack4", "pack8", "pinocchio")
PACKED, DERIVATIVES = ("RNEA", "ABA", "CRBA"), ("dRNEA", "dABA")


def number(text):
    return float(text) if text else None


def markdown(head, rows):
    """Columns aligned, the first to the left."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    line = lambda row: "| " + " | ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                                         for i, (cell, w) in enumerate(zip(row, widths))) + " |"
    return "\n".join([line(head), "| --- |" + " ---: |" * (len(head) - 1), *map(line, rows)])


def least_of(starts):
    """Rows of several starts of torsor_bench, each time the least."""
    merged = {}
    for text in starts:
        for row in csv.DictReader(io.StringIO(text)):
            key = row["algorithm"], row["family"], int(row["joints"])
            times = {name: number(row[name]) for name in TIMES}
            if key not in merged:
                merged[key] = {**row, **times}
                continue
            known = merged[key]
            for name, time in times.items():
                if time is not None and time < known[name]:
                    known[name] = time
                    if name == "pinocchio":
                        known["convention"] = row["convention"]
    return merged


def kernels(starts):
    rows = least_of(starts)
    ratio = lambda row, name: f"{row[name] / row['pinocchio']:.3f}" if row["pinocchio"] and row[name] else "-"
    pinocchio = lambda row: f"{row['pinocchio']:.0f} {row['convention']}" if row["pinocchio"] else "-"
    shown = lambda time: "-" if time is None else f"{time:.1f}"
    error = lambda text: f"{float(text):.0e}"
    blocks = {}
    for algorithm in PACKED + DERIVATIVES:
        lines = []
        for (of, family, joints), row in rows.items():
            if of != algorithm:
                continue
            cells = [f"{family} {joints}", f"{row['one']:.0f}", f"{row['one'] / joints:.1f}", pinocchio(row), ratio(row, "one")]
            if algorithm in PACKED:
                cells += [shown(row["pack4"]), ratio(row, "pack4"), shown(row["pack8"]), ratio(row, "pack8")]
            if algorithm != "dRNEA":
                cells.append(error(row["error"]))
            cells.append(error(row["its_error"]) if row["pinocchio"] else "-")
            lines.append(cells)
        packs = ["pack of 4", "ratio", "pack of 8", "ratio"] if algorithm in PACKED else []
        ends = ["difference"] if algorithm == "dRNEA" else ["error", "its error"]
        blocks[algorithm.lower()] = markdown(["mechanism", "one state", "a joint", "Pinocchio", "ratio", *packs, *ends], lines)
    growth = []
    for algorithm in PACKED:
        few, many = (rows[algorithm, "revolute", joints] for joints in (256, 1024))
        growth.append([algorithm, f"{many['one'] / few['one']:.2f}", f"{many['pack8'] / few['pack8']:.2f}"])
    blocks["growth"] = markdown(["1024 against 256 revolute joints", "one state", "pack of 8"], growth)
    return blocks


def compilers(rows):
    """Of bench/compare_compilers: a build's rows by its name; the last column of each kind is the last build over the first."""
    names = list(rows)
    kinds = {"one": "ours", "pack8": "ours, packs of 8", "pinocchio": "Pinocchio"}
    head = ["kernel"] + [f"{what}, {name}" for what in kinds.values() for name in [*names, "ratio"]]
    lines = []
    for key in rows[names[0]]:
        cells = [f"{key[0]}, {key[1]} {key[2]}"]
        for kind in kinds:
            times = [rows[name][key][kind] for name in names]
            cells += ["-" if time is None else f"{time:.0f}" for time in times]
            cells.append("-" if None in times else f"{times[-1] / times[0]:.2f}")
        lines.append(cells)
    return markdown(head, lines)


def matrix(text):
    """Of tree_kkt_bench: microseconds along the tree and by KLU."""
    times, order = {}, []
    for entry in json.loads(text)["benchmarks"]:
        shape, solver, nodes = re.match(r"(.*), (tree|KLU)/(\d+)", entry["name"]).groups()
        if (shape, nodes) not in times:
            order.append((shape, nodes))
        times.setdefault((shape, nodes), {})[solver] = entry["real_time"]
    rows = []
    for shape, nodes in order:
        tree, klu = times[shape, nodes]["tree"], times[shape, nodes].get("KLU")
        rows.append([shape, nodes, f"{tree:.1f}", f"{klu:.1f}" if klu else "-", f"{tree / klu:.2f}" if klu else "-"])
    return markdown(["matrix", "bodies", "along the tree [us]", "KLU [us]", "ratio"], rows)


def machine(program, root):
    names = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text()) or [platform.processor()]
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    compiler = re.search(r"(?:GNU|Clang) [\d.]+", version)
    pinocchio = root / ".tools" / "pinocchio" / "version"
    system = re.search(r'PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release").read_text())
    parts = [f"{names[0]}, {len(names)} cores as seen by the system", system[1] if system else platform.system(),
             compiler[0] if compiler else "compiler unknown",
             f"Pinocchio {pinocchio.read_text().strip()}" if pinocchio.exists() else "no Pinocchio"]
    return "; ".join(parts) + "."
