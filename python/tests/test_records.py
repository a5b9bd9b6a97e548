"""What runs record: channels that are chosen, extrema, exports, starts."""
import numpy as np
import pytest

import torsor as ts


def test_chosen_channels_hold_the_numbers_of_the_whole_record():
    model = ts.load("tendon_arm")
    whole, part = model.simulate(duration=0.5), model.simulate(duration=0.5, record=["points.horn3", "joints.*.reaction"])
    assert set(part.paths) < set(whole.paths)
    assert "time" in part and "energy/total" not in part
    for path in part.paths:
        assert np.array_equal(part[path], whole[path]), path
    with pytest.raises(KeyError, match="recorded were points.horn3"):
        part["energy/total"]
    with pytest.raises(ts.ModelError, match="did you mean 'points.horn3'"):
        model.simulate(duration=0.5, record="points.hron3")


def test_newtons_law_of_the_last_link():
    model = ts.load("three_link_arm")
    run = model.simulate(duration=1, formulation="rotationless", integrator="energy-momentum")
    words = model.to_dict()
    force = run["joints/wrist/reaction_world"][:, 1:] + words["bodies"]["link3"]["mass"] * np.array(words["gravity"])
    mass_times_acceleration = words["bodies"]["link3"]["mass"] * run["bodies/link3/acceleration"]
    assert np.abs(force - mass_times_acceleration).max() <= 1e-12 * np.abs(force).max()  # measured 1e-15


def test_extrema_are_those_of_the_arrays():
    run = ts.load("tendon_arm").simulate(duration=2, extrema=True)
    rate = run["joints/elbow/rate"]
    extremum = run.extrema()["joints.elbow.rate"]
    assert extremum == (rate.min(), run.t[rate.argmin()], rate.max(), run.t[rate.argmax()], "rad/s")
    assert run.ledger.extrema["joints.elbow.rate"]["max"] == rate.max()
    assert "joints.elbow.rate" in str(run.ledger)


def test_fewer_records_keep_the_extremes():
    model = ts.load("tendon_arm")
    whole = model.simulate(duration=5)
    thin = model.simulate(duration=5, record_every={"steps": 100, "keep": ["energy.kinetic"]})
    assert 6 < len(thin.t) < 30
    assert thin["energy/kinetic"].max() == whole["energy/kinetic"].max()
    assert thin["energy/kinetic"].min() == whole["energy/kinetic"].min()


def test_export_is_the_table_of_the_run(tmp_path):
    model = ts.load("tendon_arm")
    run = model.simulate(duration=0.3, out=tmp_path / "run.csv")
    run.export(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "run.csv").read_bytes()
    run.export(tmp_path / "tip.csv", record="points.horn3.position", every=10, units=True)
    lines = (tmp_path / "tip.csv").read_text().splitlines()
    assert lines[:2] == ["time,points.horn3.position.x,points.horn3.position.y", "# s,m,m"]
    assert len(lines) == 2 + 4


def test_the_start_alone(tmp_path):
    run = ts.load("four_bar").simulate(duration=0)
    assert len(run.t) == 1 and run.ledger.steps == 0
    ts.load("four_bar").show(tmp_path / "start.html")
    assert "@torsor-data@" not in (tmp_path / "start.html").read_text()
