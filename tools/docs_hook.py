"""For mkdocs: puts the shim that lets pages opened from the disk be searched beside them (`make docs` installs it), and adds
the reference of the C++ interface."""
import importlib.machinery
import importlib.util
import pathlib

from mkdocs.structure.files import File

SHIM = pathlib.Path("build/docs-tools/node_modules/iframe-worker/shim/index.js")
REFERENCE = importlib.machinery.SourceFileLoader("api_reference", "tools/api_reference")


def on_files(files, config):
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=str(SHIM.resolve())))
    reference = importlib.util.module_from_spec(importlib.util.spec_from_loader(REFERENCE.name, REFERENCE))
    REFERENCE.exec_module(reference)
    for name, _, text in reference.pages():
        files.append(File.generated(config, name, content=text))
    return files
