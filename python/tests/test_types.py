"""Types: the package and its examples by mypy and pyright."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import torsor

PYTHON = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = sorted((PYTHON / "examples").glob("*.py"))
PACKAGES = pathlib.Path(torsor.__file__).parent.parent


def checked(*words, folder=None):
    done = subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "MYPYPATH": str(PACKAGES), "PYTHONPATH": str(PACKAGES)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_mypy_finds_nothing_in_examples(tmp_path):
    checked("mypy", "--strict", "--cache-dir", tmp_path, *EXAMPLES)


def test_mypy_finds_nothing_in_the_package(tmp_path):
    checked("mypy", "--strict", "--cache-dir", tmp_path, "-p", "torsor")


def test_pyright_finds_nothing_in_examples(tmp_path):
    """In a project that has the package beside it: pyright takes no other paths."""
    (tmp_path / "torsor").mkdir()
    for file in [*PACKAGES.glob("torsor/*.py"), *PACKAGES.glob("torsor/*.pyi"), PACKAGES / "torsor/py.typed"]:
        shutil.copy(file, tmp_path / "torsor")
    for file in EXAMPLES:
        shutil.copy(file, tmp_path)
    said = checked("pyright", "--pythonpath", sys.executable, "--stats", *(file.name for file in EXAMPLES), folder=tmp_path)
    assert f"Total files checked: {len(EXAMPLES)}" in said or "0 errors" in said


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_example_runs(file):
    subprocess.run([sys.executable, str(file)], check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(PACKAGES)})


def test_stubs_know_all_of_the_extension():
    from torsor import _core

    stubs = (PACKAGES / "torsor/_core.pyi").read_text()
    for name in dir(_core.Dynamics):
        assert name.startswith("_") or f"def {name}(" in stubs
