"""Result files, tables, pages, comparisons."""
import copy
import json
import os
import pickle

import numpy as np
import pytest

import torsor as ts


@pytest.fixture(scope="module")
def run():
    return ts.load("tendon_arm").simulate(duration=2)


def test_saved_run_is_read_back(run, tmp_path):
    run.save(tmp_path / "run.h5")
    again = ts.read(tmp_path / "run.h5")
    assert again == run and again.ledger == run.ledger and str(again.ledger) == str(run.ledger)
    assert again.components("bodies/link1/com") == ["x", "y"] and again.settings == run.settings
    assert sorted(again.paths) == sorted(run.paths)


def test_csv_is_that_of_the_program(run, run_program, tmp_path):
    run.save(tmp_path / "mine.csv")
    run_program("run", "tendon_arm", "--duration", 2, "--out", tmp_path / "program.csv")
    assert (tmp_path / "mine.csv").read_text() == (tmp_path / "program.csv").read_text()


def test_file_is_plain_hdf5(run, tmp_path):
    import h5py

    run.save(tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        assert np.array_equal(file["bodies/link3/com"][()], run["bodies/link3/com"])
        assert file["time"].attrs["unit"] == b"s" and b"torsor: 1" in file["text/model"][()]
        # Programs outside read these.
        assert b"torsor: 1" in file.attrs["model"] and file.attrs["version"] == file["text/version"][()]
        assert json.loads(file["text/ledger"][()])["status"] == "done" and json.loads(file.attrs["settings"])["step"] == 0.01


def test_model_of_a_run_has_its_overrides_and_no_others():
    model = ts.load('''torsor: 1
# --set bodies.rod.mass=5
dimension: 2
bodies: {rod: {mass: 1, inertia: 1}}
joints: {pivot: {type: revolute, parent: world, child: rod}}
''').set({"bodies.rod.inertia": 2})
    run = model.simulate(duration=0.1, step=0.01, formulation="joint", integrator="rkmk4")
    assert run.model.to_dict()["bodies"]["rod"] == {"mass": 1, "inertia": 2}


def test_table_has_the_columns_of_the_csv_file(run, tmp_path):
    table = run.to_pandas()
    run.save(tmp_path / "run.csv")
    header = (tmp_path / "run.csv").read_text().splitlines()[0].split(",")
    assert [table.index.name, *table.columns] == header
    assert np.array_equal(table["bodies.link3.com.y"], run["bodies/link3/com"][:, 1])


def test_report_is_a_page(run, tmp_path):
    run.report(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text()
    assert "Three-link arm" in page and len(page) > 100_000
    assert "<iframe" in run.animate()._repr_html_() and "<iframe" in run._repr_html_()


def test_plot_draws_what_is_asked(run):
    import matplotlib

    matplotlib.use("Agg")
    assert len(run.plot("energy").lines) == 7
    assert len(run.plot("bodies/link3/com", "joints/elbow/position").lines) == 3
    with pytest.raises(KeyError):
        run.plot("nothing")


def test_compare_finds_the_largest_difference(run):
    assert max(ts.compare(run, run).values()) == 0
    other = ts.load("tendon_arm").simulate(duration=2, step=0.005)
    difference = ts.compare(run, other)
    expected = np.abs(run["bodies/link3/com"] - other["bodies/link3/com"][::2]).max()
    assert difference["bodies/link3/com"] == pytest.approx(expected, rel=1e-6)
    assert "bodies/*/com" in repr(difference)


def test_runs_are_copied_and_pickled(run):
    again = pickle.loads(pickle.dumps(run))
    assert again == run and again.ledger == run.ledger and again.unit("time") == "s"
    assert copy.copy(run) == run == copy.deepcopy(run)
    assert run != ts.load("tendon_arm").simulate(duration=1)
    assert pickle.loads(pickle.dumps(run.settings)) == run.settings
    assert "done" in repr(run)


def test_wrong_files_are_refused(tmp_path):
    (tmp_path / "text.h5").write_text("no result")
    for file in (tmp_path / "text.h5", tmp_path / "missing.h5"):
        with pytest.raises(ts.ModelError):
            ts.read(file)
    with pytest.raises(ts.ModelError):
        ts.load("pendulum").simulate(1, 0.1).save(tmp_path / "run.txt")


@pytest.mark.parametrize("name, text, write", [
    ("mine.csv", "time,voltage\n0,1\n", lambda run, file, **how: run.save(file, **how)),
    ("mine.json", '{"model": "gpt"}', lambda run, file, **how: run.export(file, **how)),
    ("mine.html", "<html>mine</html>", lambda run, file, **how: run.report(file, **how)),
    ("mine.html", "<html>mine</html>", lambda run, file, **how: run.model.show(file, **how)),
    ("mine.csv", "time,voltage\n0,1\n", lambda run, file, **how: run.model.simulate(0.1, out=file, **how)),
    ("mine.json", '{"model": "gpt"}', lambda run, file, **how: run.model.modes("start", out=file, **how)),
], ids=["save", "export", "report", "show", "simulate", "modes"])
def test_foreign_files_are_written_over_by_force_alone(tmp_path, name, text, write):
    run, file = ts.load("pendulum").simulate(0.1), tmp_path / name
    file.write_text(text)
    with pytest.raises(ts.ModelError, match="force=True"):
        write(run, file)
    assert file.read_text() == text
    write(run, file, force=True)
    write(run, file)  # now it is ours


def writers(model, folder):
    """All that writes a file, onto a file in the folder."""
    csv, page, text = (folder / name for name in ("m.csv", "m.html", "m.json"))
    run = model.simulate(0.1)
    again = pickle.loads(pickle.dumps(run))
    table = ts.sweep(model, {"bodies.rod.mass": {"list": [1, 2]}}, {"top": {"max": "energy.kinetic"}}, simulation={"duration": 0.1})
    return [lambda: model.simulate(0.1, out=csv, force=True), lambda: model.show(page, force=True),
            lambda: model.modes("start", out=text, force=True), lambda: run.save(csv, force=True),
            lambda: run.export(text, force=True), lambda: run.report(page, force=True), lambda: again.save(csv, force=True),
            lambda: table.save(csv, force=True), lambda: table.report(page, force=True)]


MODELS = {"m.yaml": """torsor: 1
dimension: 2
bodies: {rod: {mass: 1, inertia: 1, shape: {mesh: rod.obj}}}
joints: {pivot: {type: revolute, parent: world, child: rod}}
simulation: {formulation: joint, integrator: rkmk4, step: 0.01, duration: 1}
""", "m.xml": '<mujoco model="swing"><include file="rod.xml"/></mujoco>'}
PARTS = {"rod.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
         "rod.xml": '<mujoco><worldbody><body name="rod"><joint axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body></worldbody></mujoco>'}


@pytest.mark.parametrize("name, read", [("m.yaml", "m.yaml"), ("m.yaml", "rod.obj"), ("m.xml", "m.xml"), ("m.xml", "rod.xml")])
def test_the_model_is_never_written_over(tmp_path, monkeypatch, name, read):
    for file, text in {name: MODELS[name], **PARTS}.items():
        (tmp_path / file).write_text(text)
    for link in ("m.csv", "m.html", "m.json"):
        os.link(tmp_path / read, tmp_path / link)
    text = (tmp_path / read).read_text()
    monkeypatch.chdir(tmp_path)
    model = ts.load(name)
    monkeypatch.chdir("/")
    for write in writers(model, tmp_path):
        with pytest.raises(ts.ModelError, match="another file than those that are read"):
            write()
    assert (tmp_path / read).read_text() == text


def test_resumed_runs_are_the_runs_that_never_stopped(tmp_path):
    model = ts.load("tendon_arm")
    whole = model.simulate(duration=2)
    file = tmp_path / "run.h5"
    model.simulate(duration=1, out=file, checkpoint="30 steps")
    with pytest.raises(ts.ModelError, match="finished"):
        ts.resume(file)
    longer = ts.resume(file, duration=2)
    assert longer == whole and len(longer.ledger.resumed) == 1
    assert ts.read(file) == whole
    with pytest.raises(ts.ModelError, match="checkpoint"):
        model.simulate(duration=1, out=tmp_path / "run.csv", checkpoint="1 s")
