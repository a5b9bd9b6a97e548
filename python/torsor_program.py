#!python
"""The program `torsor` that came with the package: found without importing it, so that it starts at once."""
import importlib.util
import os
import sys

spec = importlib.util.find_spec("torsor")
if spec is None or not spec.submodule_search_locations:
    sys.exit("torsor: the package torsor is not installed for " + sys.executable)
program = os.path.join(spec.submodule_search_locations[0], "bin", "torsor")
os.execv(program, [program, *sys.argv[1:]])
