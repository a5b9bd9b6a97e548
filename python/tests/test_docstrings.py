"""Examples of the docstrings, those of the extension included."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import subprocess
import sys

import pytest

import torsor

MODULES = ["torsor"] + [f"torsor.{module.name}" for module in pkgutil.iter_modules(torsor.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in finder.find(module, name):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_examples_of_dynamics_hold():
    runner = doctest.DocTestRunner()
    parser = doctest.DocTestParser()
    shown = 0
    for name in ["__doc__", *dir(torsor.Dynamics)]:
        text = torsor.Dynamics.__doc__ if name == "__doc__" else getattr(torsor.Dynamics, name).__doc__
        if text and ">>>" in text:
            shown += 1
            runner.run(parser.get_doctest(text, {}, f"Dynamics.{name}", None, 0))
    assert shown >= 8 and runner.summarize(verbose=False).failed == 0


def test_reference_is_that_of_the_docstrings():
    tool = pathlib.Path(__file__).resolve().parents[2] / "tools/python_reference"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(torsor.__file__).parent.parent)})
    assert done.returncode == 0, done.stderr


def test_all_that_is_public_is_explained():
    for owner in (torsor, torsor.Model, torsor.Run, torsor.Stepper, torsor.Dynamics):
        names = getattr(owner, "__all__", None) or [name for name in vars(owner) if not name.startswith("_")]
        for name in names:
            thing = getattr(owner, name)
            assert not callable(thing) or thing.__doc__, f"{owner}.{name} says nothing"
            if callable(thing) and not isinstance(thing, type):
                assert ">>>" in thing.__doc__, f"{owner}.{name} has no example"
