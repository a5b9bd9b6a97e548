"""Notebooks run from top to bottom."""
import pathlib
import subprocess
import sys

import pytest

nbclient = pytest.importorskip("nbclient")
NOTEBOOKS = sorted((pathlib.Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook_runs(file, tmp_path):
    import nbformat

    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert any(output.get("data", {}).get("image/png") for cell in notebook.cells for output in cell.get("outputs", [])) \
        or file.stem == "identification"


def test_pages_have_the_cells_of_the_notebooks():
    tool = NOTEBOOKS[0].parents[2] / "tools/notebook_pages"
    done = subprocess.run([sys.executable, tool, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_notebooks_are_stored_without_output():
    for file in NOTEBOOKS:
        assert '"image/png"' not in file.read_text()
