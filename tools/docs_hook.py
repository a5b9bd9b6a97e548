"""For mkdocs: puts the shim that lets pages opened from the disk be searched beside them (`make docs` installs it)."""
import pathlib

from mkdocs.structure.files import File

SHIM = pathlib.Path("build/docs-tools/node_modules/iframe-worker/shim/index.js")


def on_files(files, config):
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=str(SHIM.resolve())))
    return files
