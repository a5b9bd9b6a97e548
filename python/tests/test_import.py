"""Robots of other formats."""
import pickle

import numpy as np
import pytest

import torsor as ts

INERTIA = '<inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/>'
ROBOT = f"""<robot name="two">
  <link name="base"><inertial><mass value="5"/>{INERTIA}</inertial></link>
  <link name="upper"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>{INERTIA}</inertial>
    <visual><geometry><box size="0.1 0.1 1"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual></link>
  <link name="lower"><inertial><origin xyz="0 0 -0.5" rpy="0.1 0 0"/><mass value="1"/>{INERTIA}</inertial></link>
  <link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="1"/><dynamics damping="0.1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -1"/><axis xyz="0 1 0"/></joint>
  <joint name="wrist" type="fixed"><parent link="lower"/><child link="hand"/><origin xyz="0 0 -1"/></joint>
</robot>
"""


@pytest.fixture
def robot(tmp_path):
    file = tmp_path / "two.urdf"
    file.write_text(ROBOT)
    return file


def test_a_robot_is_a_model(robot):
    model = ts.load(robot)
    assert model.joints == ["shoulder", "elbow"] and model.bodies == ["upper", "lower"]
    rows = model.check()["import"]["rows"]
    assert {"how": "left out", "what": "position limits"}.items() <= next(
        row for row in rows if row["what"] == "position limits").items()
    assert model.simulate(duration=0.5, step=0.01).ledger.energy.max_residual < 1e-6
    assert ts.load(str(robot), floating_base=True).joints[0] == "root_joint"
    assert "range" in ts.load(robot, limits=True).to_dict()["joints"]["shoulder"]
    with pytest.raises(ts.ModelError, match=r"two.urdf:\d+.*strict=True"):
        ts.load(robot, strict=True)


def test_a_text_is_a_robot_like_its_file(robot):
    model = ts.load("\n" + ROBOT)
    assert model.to_dict() == ts.load(robot).to_dict()
    assert model.check()["import"]["format"] == "URDF"
    assert ts.load(ROBOT, floating_base=True).joints[0] == "root_joint"
    ball = ts.load('<mujoco><worldbody><body name="b"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>')
    assert ball.bodies == ["b"]
    with pytest.raises(ts.ModelError, match="heavy"):
        ts.load(ROBOT.replace('value="2"', 'value="heavy"'))


def test_errors_name_the_line_of_the_robot(robot):
    robot.write_text(ROBOT.replace('value="2"', 'value="heavy"'))
    with pytest.raises(ts.ModelError, match="two.urdf:3"):
        ts.load(robot)


def test_a_saved_robot_has_the_same_dynamics(robot, tmp_path):
    model = ts.load(robot)
    model.save(tmp_path / "two.yaml")
    model.save(tmp_path / "again.urdf")
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 2))
    expected = model.dynamics().inverse_dynamics(q, qd, qdd)
    assert np.array_equal(ts.load(tmp_path / "two.yaml").dynamics().inverse_dynamics(q, qd, qdd), expected)
    again = ts.load(tmp_path / "again.urdf").dynamics().inverse_dynamics(q, qd, qdd)
    np.testing.assert_allclose(again, expected, rtol=1e-13)
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.set({"bodies.upper.mass": 3}).to_dict()["bodies"]["upper"]["mass"] == 3


def test_what_urdf_lacks_is_refused(tmp_path):
    with pytest.raises(ts.ModelError, match="dimension"):
        ts.load("tendon_arm").save(tmp_path / "arm.urdf")
