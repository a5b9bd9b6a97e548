"""Models read, built and taken apart again."""
import copy
import pathlib
import pickle

import numpy as np
import pytest

import torsor as ts

GALLERY = sorted(ts.gallery())


def arm():
    model = ts.Model("Three-link arm with tendons", dimension=2, gravity=(0, -1))
    parent, at = "world", (0, 0)
    for i, joint in enumerate(["shoulder", "elbow", "wrist"], 1):
        link = model.body(f"link{i}", mass=1, com=(0.5, 0), inertia=1)
        model.joint(joint, "revolute", parent, link, in_parent={"position": at}, angle=0)
        parent, at = link, (1, 0)
    points = [model.point("post", "world", (0, 0.4))]
    points += [model.point(f"horn{i}", f"link{i}", (1, 0.4)) for i in (1, 2, 3)]
    for name, a, b in [("over_shoulder", 0, 1), ("over_elbow", 1, 2), ("over_wrist", 2, 3)]:
        model.tendon(name, [points[a], points[b]], stiffness=1, rest_length=0.2)
    model.tendon("biarticular", points[:3], stiffness=1, rest_length=0.4)
    model.simulation(formulation="rotationless", integrator="energy-momentum", step=0.01, duration=50)
    return model


def test_built_model_is_that_of_the_file():
    assert arm().simulate(duration=2) == ts.load("tendon_arm").simulate(duration=2)


@pytest.mark.parametrize("name", GALLERY)
def test_dict_and_text_say_the_same(name):
    model = ts.load(name)
    spec = model.to_dict()
    if any("mesh" in str(body) for body in spec["bodies"].values()):
        pytest.skip("meshes are found beside the file")
    assert ts.load(spec) == model
    assert ts.load(ts.load(spec).to_yaml()).to_dict() == spec
    assert ts.load(spec).check() == model.check()


def test_loads_whatever_says_a_model(tmp_path):
    model = arm()
    model.save(tmp_path / "arm.yaml")
    for source in (tmp_path / "arm.yaml", str(tmp_path / "arm.yaml"), model.to_dict(), model.to_yaml()):
        assert ts.load(source) == model


def test_units_are_factors_or_texts():
    a, b = (ts.Model(dimension=2) for _ in range(2))
    for model, angle in ((a, 30 * ts.deg), (b, "30 deg")):
        model.body("link", mass="1 kg", inertia=0.1)
        model.joint("hinge", "revolute", "world", "link", angle=angle)
    q = [model.simulate(1, 0.1).joints.hinge.position[0] for model in (a, b)]
    assert abs(q[0] - q[1]) < 1e-15 and abs(q[0] - np.pi / 6) < 1e-15


def test_loaded_model_can_be_extended():
    model = ts.load("tendon_arm")
    model.drag("water", "link1", linear=2)
    assert model.simulate(duration=1).ledger.energy.dissipated > 0
    assert "drag" not in ts.load("tendon_arm").to_dict()


def test_stops_friction_bushings_and_drag_are_booked():
    model = ts.Model("limits", dimension=2, gravity=(0, -9.81))
    link = model.body("link", mass=1, com=(0.5, 0), inertia=0.1)
    model.joint("hinge", "revolute", "world", link, range={"lower": "-40 deg", "stiffness": 500, "damping": 1},
                friction={"coulomb": 0.1, "viscous": 0.01})
    model.bushing("mount", "world", link, in_child={"position": (1, 0)}, in_parent={"position": (1, 0)},
                  stiffness={"translation": 2}, damping={"translation": (0.1, 0.2), "rotation": 0.05})
    model.drag("sail", point=model.point("tip", link, (1, 0)), quadratic=0.1)
    run = model.simulate(duration=1, step=0.001, formulation="rotationless", integrator="energy-momentum")
    taken = run.ledger.energy.dissipated_by
    assert all(taken[name] > 0 for name in ("hinge stop", "hinge friction", "mount", "sail"))
    assert run.ledger.energy.max_residual < 1e-12 * run.ledger.energy.scale
    assert run.ledger.touched_stops[0]["overshoot"] > 0


def test_armature_is_part_of_inertia_and_kinetic_energy():
    model = ts.Model("motor", dimension=2)
    model.joint("hinge", "revolute", "world", model.body("link", mass=1, inertia=0.5), armature="0.25 kg m^2", rate=2)
    assert model.dynamics().mass_matrix([0])[0, 0] == 0.75
    assert model.dynamics().energy([0], [2]).kinetic == 1.5
    run = model.simulate(duration=1, step=0.1, formulation="rotationless", integrator="energy-momentum")
    assert run.ledger.energy.initial == 1.5 and run.ledger.energy.max_residual < 1e-14
    # The rotor's angle and the link's directors turn alike to the order of the step: measured 3e-6.
    assert abs(run.joints.hinge.rate[-1] - 2) < 1e-5


def test_values_are_set_as_on_the_command_line(run_program):
    import json

    said = json.loads(run_program("run", "tendon_arm", "--set", "tendons.biarticular.stiffness=5", "--duration", "1", "--json"))
    run = ts.load("tendon_arm").set({"tendons.biarticular.stiffness": 5}).simulate(duration=1)
    assert run.ledger.energy.final == said["energy"]["final"]
    assert run.model == ts.load("tendon_arm").set({"tendons.biarticular.stiffness": 5, "simulation.duration": 1})


def test_errors_name_key_line_and_file(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("torsor: 1\nbodies:\n  link: {mass: -1, inertia: [1, 1, 1]}\n")
    with pytest.raises(ts.ModelError) as caught:
        ts.load(file)
    error = caught.value
    assert (error.key, error.line, error.file) == ("bodies.link.mass", 3, str(file))
    assert error.expected and "-1" in error.found and isinstance(error, ValueError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    for bad in ("no_such_model", {"bodies": {"a": {"mas": 1}}}, {}, "torsor: 1\nbodies: [\n"):
        with pytest.raises(ts.ModelError):
            ts.load(bad)
    with pytest.raises(TypeError):
        ts.load({"bodies": {"a": {"mass": object()}}})


def test_check_is_that_of_the_program(run_program):
    import json

    for name in ("four_bar", "tendon_arm", "stewart"):
        assert ts.load(name).check().to_dict() == json.loads(run_program("check", name, "--json"))


def test_models_are_copied_compared_and_pickled():
    for model in (ts.load("four_bar"), arm(), ts.load("pendulum").set({"simulation.step": 0.02})):
        for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model.copy()):
            assert other == model and other.to_dict() == model.to_dict()
        other.body("more", mass=1, inertia=1 if model.dimension == 2 else [1, 1, 1])
        assert other != model and "more" not in model.bodies
    assert "Three-link" in repr(arm()) and "<pre>" in arm()._repr_html_()


def test_name_is_used_once():
    model = arm()
    with pytest.raises(ValueError, match="there already"):
        model.body("link1", mass=1)


def test_files_come_with_the_package(program):
    folder = pathlib.Path(ts.__file__).parent
    assert (folder / "share/torsor/models/pendulum.yaml").exists() and pathlib.Path(program).exists()


def test_stops_and_friction_of_a_tendon():
    model = ts.load("three_link_arm")
    path = [model.point("post", "world", (0, 0.8)), model.point("hand", "link3", (1, 0))]
    model.tendon("strap", path, range={"upper": 2.5, "stiffness": 300, "damping": 5}, friction={"coulomb": 0.2})
    run = model.simulate(5, 0.01, formulation="rotationless", integrator="energy-momentum", progress=False)
    assert run.ledger.energy.max_residual < 1e-12
    assert run.ledger.touched_stops[0]["tendon"] == "strap"
    assert run["tendons/strap/length"].max() > 2.5
    with pytest.raises(ts.ModelError, match="tendons.strap.range"):
        model.set({"tendons.strap.range": (2, 1)})


def test_a_controller_excites_muscles():
    model = ts.load("reflex_arm")
    assert model.to_dict()["controllers"]["reflex"]["excites"] == {"biceps": 0.01, "triceps": -0.01}
    run = model.simulate(progress=False)
    assert run.ledger.energy.max_residual < 1e-12
    effort = np.ravel(run["controllers/reflex/effort"])
    assert np.allclose(np.ravel(run["muscles/biceps/excitation"]), np.clip(0.05 + 0.01 * effort, 0, 1), atol=1e-14)
    with pytest.raises(ts.ModelError, match="period"):
        ts.Model._of_text(model.to_yaml(), "").set({"controllers.reflex": {
            "type": "pd", "joint": "elbow", "stiffness": 1, "damping": 0, "target": 0, "excites": {"biceps": 1}}})
