"""The package is that of the build folder (python/CMakeLists.txt), or one that is installed."""
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    import torsor

    return os.path.join(os.path.dirname(torsor.__file__), "bin", "torsor")


@pytest.fixture(scope="session")
def run_program(program):
    def run(*words, **options):
        return subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True, **options).stdout

    return run


@pytest.fixture
def run_python():
    """A script in an interpreter of its own, which must not crash."""

    def run(code, **options):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
