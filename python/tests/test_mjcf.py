"""MJCF wherever a model is taken."""
import numpy as np
import pytest

import torsor as ts

PENDULUM = """<mujoco model="swing"><option timestep="0.005" integrator="RK4"/><worldbody><body name="rod">
<joint name="hinge" axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 -1" mass="2"/></body></worldbody>
<actuator><motor name="drive" joint="hinge" gear="3" ctrlrange="-1 1"/></actuator>
<keyframe><key name="out" qpos="1.5" qvel="0.5" ctrl="0.5"/></keyframe></mujoco>
"""


@pytest.fixture
def pendulum(tmp_path):
    file = tmp_path / "swing.xml"
    file.write_text(PENDULUM)
    return file


def test_a_file_is_a_model(pendulum):
    model = ts.load(pendulum)
    assert model.name == "swing" and model.joints == ["hinge"] and model.actuators == ["drive"]
    run = model.simulate(duration=0.1)
    assert run.ledger.integrator == "rkmk4"
    again = ts.load(model.to_dict())
    assert np.array_equal(again.simulate(duration=0.1)["joints/hinge/position"], run["joints/hinge/position"])


def test_commands_are_set_by_their_letter(pendulum):
    driven = ts.load(pendulum).set({"actuators.drive.effort.u": 5})
    assert driven.simulate(duration=0.01)["actuators/drive/effort"][0] == pytest.approx(3)  # cut to 1, times the gear


def test_keyframes_are_starts(pendulum):
    start = ts.load(pendulum, keyframe="out").simulate(duration=0.01)
    assert start["joints/hinge/position"][0] == 1.5 and start["joints/hinge/rate"][0] == 0.5
    assert start["actuators/drive/effort"][0] == 1.5
    with pytest.raises(ts.ModelError, match="keyframe"):
        ts.load(pendulum, keyframe="in")


def test_what_changes_the_motion_is_allowed_by_name(tmp_path):
    file = tmp_path / "wet.xml"
    file.write_text(PENDULUM.replace('integrator="RK4"', 'density="1000"'))
    with pytest.raises(ts.ModelError, match=r"allow=\['fluid'\]"):
        ts.load(file)
    rows = ts.load(file, allow=["fluid"]).check()["import"]
    assert any(row["what"] == "density" and row["how"] == "left out" for row in rows["rows"])
