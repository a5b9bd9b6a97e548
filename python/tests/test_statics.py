"""Rest positions, small motions, poses."""
import json
import math
import struct

import numpy as np
import pytest
import scipy.io
import torsor as ts


def rod(angle: float = -math.pi / 2) -> ts.Model:
    model = ts.Model("rod", dimension=2, gravity=(0, -9.81))
    link = model.body("link", mass=1, com=(0.5, 0), inertia=1 / 12)
    model.joint("hinge", "revolute", "world", link, angle=angle)
    model.point("tip", link, (1, 0))
    model.actuator("motor", joint="hinge", effort=0)
    return model


def test_a_rod_rests_below_and_above() -> None:
    rest = rod(0.3).equilibrium()
    assert rest.stability == "stable"
    assert math.remainder(rest.q["hinge"] + math.pi / 2, 2 * math.pi) == pytest.approx(0, abs=1e-13)
    assert [one.stability for one in rod(0.3).equilibria()] == ["stable", "unstable"]


def test_the_motor_holds_the_moment_of_the_weight() -> None:
    held = rod(0.3).hold()
    assert held.holds
    assert held.efforts["motor"] == pytest.approx(9.81 / 2 * math.cos(0.3), rel=1e-13)


def test_a_rod_swings_with_its_frequency(tmp_path) -> None:
    model = rod()
    modes = model.modes("start", out=tmp_path / "rod.json")
    assert modes.symmetric and modes.steady
    assert modes.frequencies[0] == pytest.approx(math.sqrt(1.5 * 9.81) / (2 * math.pi), rel=1e-13)
    assert modes.inputs == ["motor"]
    assert modes.outputs == ["q.hinge", "qd.hinge", "tip.x", "tip.y", "tip.vx", "tip.vy"]
    assert modes.B[1, 0] == pytest.approx(3, rel=1e-13)
    assert modes.C[2, 0] == pytest.approx(1, rel=1e-13)
    assert sorted(np.linalg.eigvals(modes.A).imag)[-1] == pytest.approx(2 * math.pi * modes.frequencies[0], rel=1e-12)
    assert json.loads((tmp_path / "rod.json").read_text())["inputs"] == ["motor"]
    assert modes.rates == ["hinge"] and modes.shapes.shape == (1, 1)


def test_at_a_time_it_is_simulated_to() -> None:
    modes = rod(0.3).set({"simulation.step": 0.01, "simulation.duration": 5}).modes(0.5)
    assert modes.time == pytest.approx(0.5)
    assert not modes.steady


def test_mat_files_are_read_by_others(tmp_path) -> None:
    """By the layout that MATLAB publishes, and by SciPy."""
    model = rod()
    modes = model.modes("start", out=tmp_path / "rod.mat")
    data = (tmp_path / "rod.mat").read_bytes()
    assert data[124:128] == b"\x00\x01IM"
    at, found = 128, {}
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        assert kind == 14 and size % 8 == 0
        flags, = struct.unpack_from("<I", data, at + 16)
        rows, columns = struct.unpack_from("<ii", data, at + 32)
        length, = struct.unpack_from("<I", data, at + 44)
        name = data[at + 48:at + 48 + length].decode()
        if flags == 6:
            start = at + 48 + (length + 7) // 8 * 8
            assert struct.unpack_from("<II", data, start) == (9, 8 * rows * columns)
            numbers = np.frombuffer(data, "<f8", rows * columns, start + 8)
            found[name] = numbers.reshape(columns, rows).T
        at += 8 + size
    assert at == len(data)
    for name in ("A", "B", "C", "D"):
        assert np.array_equal(found[name], getattr(modes, name))
    read = scipy.io.loadmat(tmp_path / "rod.mat")
    assert np.array_equal(read["A"], modes.A)
    assert [str(name[0]) for name in read["states"][:, 0]] == modes.states
    assert np.array_equal(read["eigenvalues"][:, 0], modes.eigenvalues)


def test_poses_reach() -> None:
    pose = rod(0.3).reach(tip=(0, 1))
    assert pose.reaches and pose.q["hinge"] == pytest.approx(math.pi / 2, abs=1e-12)
    assert not rod(0.3).reach(tip=(0, 2)).reaches
    assert rod(0.3).reach_all(tip=(0, 2)) == []
    with pytest.raises(ts.ModelError, match="did you mean"):
        rod().reach(tpi=(0, 1))


def test_a_four_bar_closes_in_two_ways() -> None:
    modes = ts.load("four_bar").assembly_modes()
    assert len(modes) == 2
    assert modes[0].q["drive"] == modes[1].q["drive"]


def test_muscles_are_states() -> None:
    arm = ts.load("muscle_arm")
    rest = arm.equilibrium()
    assert rest.residual < 1e-9
    modes = arm.modes()
    muscles = len(arm.tendons)
    assert modes.steady and modes.mass.shape == (2, 2)
    assert [name for name in modes.states if name.startswith("activation.")] == [f"activation.{name}" for name in arm.tendons]
    assert modes.inputs[-muscles:] == [f"excitation.{name}" for name in arm.tendons]
    assert modes.A.shape == (len(modes.states),) * 2 and modes.B.shape == (len(modes.states), len(modes.inputs))
    found = np.sort(np.linalg.eigvals(modes.A).real)
    pairs = [[s.real] * (2 if s.imag > 0 else 1) for s in modes.eigenvalues]
    assert np.allclose(found, np.sort(np.concatenate(pairs)), rtol=1e-9, atol=1e-9 * np.abs(found).max())


def test_what_has_no_answer_says_so() -> None:
    ball = ts.Model("ball", gravity=(0, 0, -9.81))
    ball.body("ball", mass=1, shape={"sphere": {"radius": 0.1}})
    with pytest.raises(ts.ModelError, match="comes to rest"):
        ball.equilibrium()
    with pytest.raises(ts.ModelError, match="start, equilibrium"):
        rod().modes("there")
    with pytest.raises(ts.ModelError, match="json or .mat"):
        rod().modes(out="modes.txt")
