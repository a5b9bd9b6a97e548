"""Types: the package and its examples by mypy and pyright."""
import os
import pathlib
import subprocess
import sys

import pytest

import torsor

PYTHON = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = sorted((PYTHON / "examples").glob("*.py"))
PACKAGES = pathlib.Path(torsor.__file__).parent.parent


def checked(*words, **more):
    done = subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": str(PACKAGES), "PYTHONPATH": str(PACKAGES), **more})
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_nothing_in_examples(tmp_path):
    checked("mypy", "--strict", "--cache-dir", tmp_path, *EXAMPLES)


def test_mypy_finds_nothing_in_the_package(tmp_path):
    checked("mypy", "--strict", "--cache-dir", tmp_path, "-p", "torsor")


def test_pyright_finds_nothing_in_examples(tmp_path):
    pytest.importorskip("pyright")
    (tmp_path / "pyrightconfig.json").write_text(
        f'{{"extraPaths": ["{PACKAGES}"], "include": [{", ".join(repr(str(file)) for file in EXAMPLES)}]}}'.replace("'", '"'))
    checked("pyright", "-p", tmp_path / "pyrightconfig.json", "--pythonpath", sys.executable)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example_runs(file):
    subprocess.run([sys.executable, str(file)], check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(PACKAGES)})


def test_stubs_know_all_of_the_extension():
    from torsor import _core

    stubs = (PACKAGES / "torsor/_core.pyi").read_text()
    for name in dir(_core.Dynamics):
        assert name.startswith("_") or f"def {name}(" in stubs
