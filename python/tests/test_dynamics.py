"""Algorithms of trees by identities between two routes, on one state and on many, whatever the memory looks like."""
import concurrent.futures

import numpy as np
import pytest

import torsor as ts

MODELS = ["seven_dof_arm", "all_joints", "tree_robot", "free_chain", "spherical_chain", "three_link_arm"]
RNG = np.random.default_rng(5)


def random_states(tree, count=None):
    lead = () if count is None else (count,)
    q = tree.retract(np.broadcast_to(tree.neutral(), (*lead, tree.nq)), RNG.normal(size=(*lead, tree.nv)))
    return q, *RNG.normal(size=(3, *lead, tree.nv))


@pytest.fixture(params=MODELS, scope="module")
def tree(request):
    return ts.load(request.param).dynamics()


def close(a, b, tolerance=1e-9):
    scale = 1 + np.abs(b).max()
    assert np.abs(a - b).max() <= tolerance * scale, np.abs(a - b).max()


def test_forward_dynamics_inverts_inverse_dynamics(tree):
    q, qd, qdd, _ = random_states(tree)
    close(tree.forward_dynamics(q, qd, tree.inverse_dynamics(q, qd, qdd)), qdd)


def test_equations_add_up(tree):
    q, qd, qdd, _ = random_states(tree)
    M, C = tree.mass_matrix(q), tree.coriolis_matrix(q, qd)
    close(M @ qdd + C @ qd + tree.gravity_forces(q), tree.inverse_dynamics(q, qd, qdd))
    close(C @ qd + tree.gravity_forces(q), tree.bias_forces(q, qd))
    close(np.einsum("ijk,k->ij", tree.christoffel(q), qd) @ qd, C @ qd)


def test_energy_is_half_the_mass_matrix(tree):
    q, qd, *_ = random_states(tree)
    close(tree.energy(q, qd).kinetic, 0.5 * qd @ tree.mass_matrix(q) @ qd)


def test_work_of_gravity_is_its_potential(tree):
    q, qd, *_ = random_states(tree)
    h = 1e-5
    ahead, behind = (tree.energy(tree.retract(q, s * h * qd), qd).potential for s in (1, -1))
    close((ahead - behind) / (2 * h), tree.gravity_forces(q) @ qd, 1e-7)


def test_jacobian_gives_the_twist_and_moves_wrenches(tree):
    q, qd, qdd, _ = random_states(tree)
    for representation in ("body", "spatial", "hybrid", "mixed"):
        twists = tree.twists(q, qd, representation)
        for i, body in enumerate(tree.bodies):
            close(tree.jacobian(q, body, representation) @ qd, twists[i])
    wrenches = RNG.normal(size=(len(tree.bodies), 6))
    pushed = sum(tree.jacobian(q, body).T @ wrench for body, wrench in zip(tree.bodies, wrenches))
    close(tree.inverse_dynamics(q, qd, qdd, wrenches), tree.inverse_dynamics(q, qd, qdd) - pushed)
    close(tree.forward_dynamics(q, qd, tree.inverse_dynamics(q, qd, qdd, wrenches=wrenches), wrenches=wrenches), qdd)


def test_point_of_a_jacobian_moves_as_its_pose(tree):
    q, qd, *_ = random_states(tree)
    body, point, h = tree.bodies[-1], np.array([0.3, -0.2, 0.5]), 1e-6
    places = [(tree.poses(tree.retract(q, s * h * qd))[-1] @ [*point, 1])[:3] for s in (1, -1)]
    close(tree.jacobian(q, body, point=point)[3:] @ qd, (places[0] - places[1]) / (2 * h), 1e-7)


def test_accelerations_and_jerks_are_derivatives(tree):
    q, qd, qdd, qddd = random_states(tree)
    h = 1e-5

    def at(s):
        return (tree.retract(q, s * h * qd + 0.5 * (s * h) ** 2 * qdd), qd + s * h * qdd + 0.5 * (s * h) ** 2 * qddd,
                qdd + s * h * qddd)

    for representation in ("body", "spatial", "hybrid", "mixed"):
        twists = [tree.twists(*at(s)[:2], representation) for s in (1, -1)]
        close(tree.accelerations(q, qd, qdd, representation), (twists[0] - twists[1]) / (2 * h), 1e-6)
        accelerations = [tree.accelerations(*at(s), representation) for s in (1, -1)]
        close(tree.jerks(q, qd, qdd, qddd, representation), (accelerations[0] - accelerations[1]) / (2 * h), 1e-5)


def test_derivatives_are_differences(tree):
    q, qd, qdd, _ = random_states(tree)
    h = 1e-6
    effort, by_q, by_qd = tree.inverse_dynamics_derivatives(q, qd, qdd)
    close(effort, tree.inverse_dynamics(q, qd, qdd))
    steps = h * np.eye(tree.nv)

    def difference(f):
        return ((f(steps) - f(-steps)) / (2 * h)).T

    close(by_q, difference(lambda s: tree.inverse_dynamics(tree.retract(q, s), qd, qdd)), 1e-6)
    close(by_qd, difference(lambda s: tree.inverse_dynamics(q, qd + s, qdd)), 1e-6)
    forward = tree.forward_dynamics_derivatives(q, qd, effort)
    close(forward.qdd, qdd)
    close(forward.by_effort @ tree.mass_matrix(q), np.eye(tree.nv))
    close(forward.by_q, -forward.by_effort @ by_q)
    second = tree.inverse_dynamics_second_derivatives(q, qd, qdd)
    for k in range(min(tree.nv, 4)):
        ahead, behind = (tree.inverse_dynamics_derivatives(q, qd + s * steps[k], qdd).by_q for s in (1, -1))
        close(second.by_q_qd[:, :, k], (ahead - behind) / (2 * h), 1e-5)


def test_linearisation_has_the_derivatives(tree):
    q, qd, effort, _ = random_states(tree)
    A, B, qdd = tree.linearise(q, qd, effort)
    forward = tree.forward_dynamics_derivatives(q, qd, effort)
    close(A[tree.nv:, : tree.nv], forward.by_q)
    close(B[tree.nv:], forward.by_effort)
    close(qdd, forward.qdd)


def test_modes_are_eigenvalues():
    tree = ts.load("double_pendulum").dynamics()
    A = RNG.normal(size=(4, 4))
    modes = tree.modes(A)
    values = np.linalg.eigvals(A)
    for mode in modes:
        assert np.abs(values - mode.eigenvalue).min() < 1e-10  # measured 2e-15


def test_regressor_is_linear_in_the_parameters(tree):
    q, qd, qdd, _ = random_states(tree)
    close(tree.regressor(q, qd, qdd) @ tree.inertial_parameters().ravel(), tree.inverse_dynamics(q, qd, qdd))


def test_time_derivatives_follow_the_motion(tree):
    q, qd, qdd, qddd = random_states(tree)
    rates = tree.inverse_dynamics_rates(q, qd, qdd, qddd, np.zeros(tree.nv))
    close(rates.effort, tree.inverse_dynamics(q, qd, qdd))
    h = 1e-5
    ahead, behind = (tree.inverse_dynamics(tree.retract(q, s * h * qd + 0.5 * (s * h) ** 2 * qdd),
                                           qd + s * h * qdd + 0.5 * (s * h) ** 2 * qddd, qdd + s * h * qddd) for s in (1, -1))
    close(rates.first, (ahead - behind) / (2 * h), 1e-6)


def test_difference_inverts_retract(tree):
    q, increment, *_ = random_states(tree)
    increment = 0.5 * increment
    close(tree.difference(q, tree.retract(q, increment)), increment)
    close(tree.normalize(q), q)


CALLS = {
    "inverse_dynamics": "qvaw", "forward_dynamics": "qvaw", "mass_matrix": "q", "coriolis_matrix": "qv", "christoffel": "q",
    "bias_forces": "qv", "gravity_forces": "q", "regressor": "qva", "energy": "qv", "momentum": "qv", "poses": "q", "com": "q",
    "twists": "qv", "accelerations": "qva", "jerks": "qvaa", "inverse_dynamics_derivatives": "qva",
    "forward_dynamics_derivatives": "qva", "inverse_dynamics_second_derivatives": "qva", "inverse_dynamics_rates": "qvaaa",
    "linearise": "qva", "geometric_sensitivity": "qva", "retract": "qv", "difference": "qq", "normalize": "q",
}


def parts(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("count", [0, 1, 7, 8, 300])
def test_many_states_are_each_alone(name, count):
    tree = ts.load("all_joints").dynamics()
    q, qd, qdd, _ = random_states(tree, count)
    given = {"q": q, "v": qd, "a": qdd, "w": RNG.normal(size=(count, len(tree.bodies), 6))}
    arguments = [given[kind] for kind in CALLS[name]]
    call = getattr(tree, name)
    many = parts(call(*arguments))
    for i in {0, count // 2, count - 1} if count else ():
        for whole, alone in zip(many, parts(call(*(argument[i] for argument in arguments)))):
            assert whole.shape == (count, *alone.shape)
            close(whole[i], alone, 1e-10)


def test_memory_layout_does_not_matter():
    tree = ts.load("seven_dof_arm").dynamics()
    Q, QD, QDD = RNG.normal(size=(3, 50, 7))
    expected = tree.inverse_dynamics(Q, QD, QDD)
    wide = np.zeros((50, 21))
    wide[:, ::3] = Q
    for other in (np.asfortranarray(Q), wide[:, ::3], Q[::-1][::-1], Q.astype(">f8"), Q.tolist(), Q.astype(np.longdouble)):
        assert np.array_equal(tree.inverse_dynamics(other, QD, QDD), expected)
    single = Q.astype(np.float32)
    assert np.array_equal(tree.inverse_dynamics(single, QD, QDD), tree.inverse_dynamics(single.astype(float), QD, QDD))
    assert np.array_equal(tree.mass_matrix(np.zeros(7, int)), tree.mass_matrix(np.zeros(7)))
    cube = tree.inverse_dynamics(Q.reshape(5, 10, 7), QD.reshape(5, 10, 7), QDD.reshape(5, 10, 7))
    assert np.array_equal(cube.reshape(50, 7), expected)
    assert np.array_equal(tree.inverse_dynamics(Q, QD[0], QDD), tree.inverse_dynamics(Q, np.tile(QD[0], (50, 1)), QDD))


def test_wrong_shapes_and_types_are_refused_with_both():
    tree = ts.load("seven_dof_arm").dynamics()
    good = np.zeros(7)
    with pytest.raises(ValueError, match=r"qd: expected shape \(7,\) or \(N, 7\), found \(6,\)"):
        tree.inverse_dynamics(good, np.zeros(6), good)
    with pytest.raises(ValueError, match=r"qd: expected as many states as q has, \(5, 7\), found \(4, 7\)"):
        tree.inverse_dynamics(np.zeros((5, 7)), np.zeros((4, 7)), good)
    with pytest.raises(ValueError, match=r"\(7, 6\)"):
        tree.inverse_dynamics(good, good, good, np.zeros((6, 6)))
    for wrong in (np.zeros(7, complex), ["a"] * 7, np.array([None] * 7), object()):
        with pytest.raises((TypeError, ValueError)):
            tree.mass_matrix(wrong)
    with pytest.raises(ValueError, match="representation"):
        tree.twists(good, good, "other")
    with pytest.raises(ts.ModelError):
        tree.jacobian(good, "nobody")


def test_nan_stays_where_it_is():
    tree = ts.load("seven_dof_arm").dynamics()
    Q = RNG.normal(size=(20, 7))
    Q[3, 2] = np.nan
    result = tree.inverse_dynamics(Q, Q * 0, Q * 0)
    assert np.isnan(result[3]).any() and np.isfinite(np.delete(result, 3, axis=0)).all()


def test_loops_are_refused_unless_cut():
    model = ts.load("four_bar")
    with pytest.raises(ts.ModelError, match="loop"):
        model.dynamics()
    tree = model.dynamics(cut_loops=True)
    assert tree.mass_matrix(tree.neutral()).shape == (tree.nv, tree.nv)


def test_threads_share_a_tree():
    tree = ts.load("seven_dof_arm").dynamics()
    Q, QD, QDD = RNG.normal(size=(3, 2000, 7))
    expected = tree.inverse_dynamics(Q, QD, QDD)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: tree.inverse_dynamics(Q, QD, QDD), range(20)):
            assert np.array_equal(result, expected)
    tree.threads = 1
    assert np.array_equal(tree.inverse_dynamics(Q, QD, QDD), expected)


def test_tree_keeps_its_model_alive(run_python):
    run_python("import torsor as ts, gc\n"
               "tree = ts.load('seven_dof_arm').dynamics()\ngc.collect()\n"
               "junk = [ts.load('pendulum') for _ in range(50)]\n"
               "assert len(tree.bodies) == 7 and tree.jacobian(tree.neutral(), tree.bodies[3]).shape == (6, 7)\n")
