// Equations of motion: inverse and forward dynamics, matrices, energies.

#include "dynamics.h"
#include "torsor/tree/armature.h"
#include "torsor/tree/energy.h"
#include "torsor/tree/kinematics.h"
#include "torsor/tree/representation.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace torsor::python {
namespace {

template <class W>
using ScalarOf = typename std::remove_cvref_t<W>::Scalar;

nb::object inverse(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd) {
  return evaluate_one<Many::packed, 3>(
      d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {qdd, "qdd", d.rates()}}}, d.rates(),
      [](auto& w, const auto& in, const auto& out) {
        inverse_dynamics<ScalarOf<decltype(w)>>(w.tree, w.inverse(), in[0], in[1], in[2], {}, out[0]);
      });
}

/// Wrenches on bodies at their origins, in world axes, as wrenches on nodes in their own frames.
template <class W, class S>
void place_wrenches(W& w, std::span<const S> q, std::span<const S> wrenches) {
  node_poses<S>(w.tree, q, w.X);
  for (Wrench<S>& F : w.F) F = {};
  for (std::size_t b = 0; b < w.tree.body_node.size(); ++b) {
    const S* n = wrenches.data() + 6 * b;
    const int node = w.tree.body_node[b];
    const Pose<S> X_WB = w.X[node] * w.tree.X_NB[b];
    const Wrench<S> F_B = convert(Representation::hybrid, Representation::body, X_WB,
                                  Wrench<S>{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}});
    w.F[node] += to_parent(w.tree.X_NB[b], F_B);
  }
}

nb::object inverse_with_wrenches(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd,
                                 nb::handle wrenches) {
  if (wrenches.is_none()) return inverse(d, q, qd, qdd);
  return evaluate_one<Many::packed, 4>(d,
                                       {{{q, "q", d.coordinates()},
                                         {qd, "qd", d.rates()},
                                         {qdd, "qdd", d.rates()},
                                         {wrenches, "wrenches", d.bodies(6)}}},
                                       d.rates(), [](auto& w, const auto& in, const auto& out) {
                                         using S = ScalarOf<decltype(w)>;
                                         place_wrenches(w, in[0], in[3]);
                                         inverse_dynamics<S>(w.tree, w.inverse(), in[0], in[1], in[2], w.F,
                                                             out[0]);
                                       });
}

nb::object forward(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle effort) {
  return evaluate_one<Many::packed, 3>(
      d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {effort, "effort", d.rates()}}}, d.rates(),
      [](auto& w, const auto& in, const auto& out) {
        forward_dynamics<ScalarOf<decltype(w)>>(w.tree, w.forward(), in[0], in[1], in[2], {}, out[0]);
      });
}

nb::object forward_with_wrenches(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle effort,
                                 nb::handle wrenches) {
  if (wrenches.is_none()) return forward(d, q, qd, effort);
  return evaluate_one<Many::packed, 4>(d,
                                       {{{q, "q", d.coordinates()},
                                         {qd, "qd", d.rates()},
                                         {effort, "effort", d.rates()},
                                         {wrenches, "wrenches", d.bodies(6)}}},
                                       d.rates(), [](auto& w, const auto& in, const auto& out) {
                                         using S = ScalarOf<decltype(w)>;
                                         place_wrenches(w, in[0], in[3]);
                                         forward_dynamics<S>(w.tree, w.forward(), in[0], in[1], in[2], w.F,
                                                             out[0]);
                                       });
}

nb::object mass(PyDynamics& d, nb::handle q) {
  return evaluate_one<Many::packed, 1>(d, {{{q, "q", d.coordinates()}}}, d.rate_matrix(),
                                       [](auto& w, const auto& in, const auto& out) {
                                         mass_matrix<ScalarOf<decltype(w)>>(w.tree, w.mass(), in[0], out[0]);
                                       });
}

nb::object coriolis(PyDynamics& d, nb::handle q, nb::handle qd) {
  return evaluate_one<Many::each, 2>(
      d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}}}, d.rate_matrix(),
      [](auto& w, const auto& in, const auto& out) {
        coriolis_matrix<double>(w.tree, w.template get<CoriolisWorkspace<double>>(), in[0], in[1], out[0]);
      });
}

nb::object christoffel(PyDynamics& d, nb::handle q) {
  return evaluate_one<Many::each, 1>(
      d, {{{q, "q", d.coordinates()}}}, d.rate_cube(), [](auto& w, const auto& in, const auto& out) {
        christoffel_symbols(w.tree, w.template get<ChristoffelWorkspace>(), in[0], out[0]);
      });
}

nb::object bias(PyDynamics& d, nb::handle q, nb::handle qd) {
  return evaluate_one<Many::packed, 2>(d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}}}, d.rates(),
                                       [](auto& w, const auto& in, const auto& out) {
                                         inverse_dynamics<ScalarOf<decltype(w)>>(w.tree, w.inverse(), in[0],
                                                                                 in[1], w.zero, {}, out[0]);
                                       });
}

nb::object gravity(PyDynamics& d, nb::handle q) {
  return evaluate_one<Many::packed, 1>(
      d, {{{q, "q", d.coordinates()}}}, d.rates(), [](auto& w, const auto& in, const auto& out) {
        inverse_dynamics<ScalarOf<decltype(w)>>(w.tree, w.inverse(), in[0], w.zero, w.zero, {}, out[0]);
      });
}

nb::object regressor(PyDynamics& d, nb::handle q, nb::handle qd, nb::handle qdd) {
  const npy_intp columns = kInertialParameters * npy_intp(d.tree.body_node.size());
  return evaluate_one<Many::each, 3>(
      d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}, {qdd, "qdd", d.rates()}}},
      {2, {d.tree.rate_count, columns}}, [](auto& w, const auto& in, const auto& out) {
        inverse_dynamics_regressor<double>(w.tree, w.template get<RegressorWorkspace<double>>(), in[0], in[1],
                                           in[2], out[0]);
      });
}

/// Of the model's bodies in their own frames: mass, first moment, tensor about the origin.
nb::object inertial_parameters(const PyDynamics& d) {
  const npy_intp shape[] = {npy_intp(d.tree.body_node.size()), kInertialParameters};
  nb::object array = nb::steal(require(PyArray_SimpleNew(2, shape, NPY_DOUBLE)));
  auto* pi = static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
  for (const Body& body : d.model->bodies()) {
    const double m = body.mass;
    const Vec3<double>& c = body.com;
    const double moments[] = {m, m * c.x, m * c.y, m * c.z};
    std::copy(std::begin(moments), std::end(moments), pi);
    const auto& I = body.inertia;
    const double tensor[] = {I.xx + m * (c.y * c.y + c.z * c.z),
                             I.yy + m * (c.x * c.x + c.z * c.z),
                             I.zz + m * (c.x * c.x + c.y * c.y),
                             I.xy - m * c.x * c.y,
                             I.xz - m * c.x * c.z,
                             I.yz - m * c.y * c.z};
    std::copy(std::begin(tensor), std::end(tensor), pi + 4);
    pi += kInertialParameters;
  }
  return array;
}

template <class W, class S>
void move(W& w, std::span<const S> q, std::span<const S> qd) {
  forward_kinematics<S>(w.tree, q, qd, w.X, w.V);
}

nb::object energy(PyDynamics& d, nb::handle q, nb::handle qd) {
  const Tail number{0, {}};
  return named_tuple(
      "Energy", evaluate<Many::packed, 2, 2>(d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}}},
                                             {number, number}, [](auto& w, const auto& in, const auto& out) {
                                               using S = ScalarOf<decltype(w)>;
                                               move(w, in[0], in[1]);
                                               out[0][0] = kinetic_energy<S>(w.tree, w.V) +
                                                           rotor_energy<S>(w.tree, in[1]);
                                               out[1][0] = gravity_potential<S>(w.tree, w.X);
                                             }));
}

nb::object total_momentum(PyDynamics& d, nb::handle q, nb::handle qd) {
  return evaluate_one<Many::packed, 2>(d, {{{q, "q", d.coordinates()}, {qd, "qd", d.rates()}}}, {1, {6}},
                                       [](auto& w, const auto& in, const auto& out) {
                                         using S = ScalarOf<decltype(w)>;
                                         move(w, in[0], in[1]);
                                         const Wrench<S> p = momentum<S>(w.tree, w.X, w.V);
                                         for (int i = 0; i < 3; ++i) {
                                           out[0][i] = p.moment[i];
                                           out[0][3 + i] = p.force[i];
                                         }
                                       });
}

}  // namespace

void bind_equations(DynamicsClass& c) {
  c.def("inverse_dynamics", inverse_with_wrenches, "q"_a, "qd"_a, "qdd"_a, "wrenches"_a.none() = nb::none(),
        nb::sig("def inverse_dynamics(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
                "numpy.typing.ArrayLike, wrenches: numpy.typing.ArrayLike | None = None) -> "
                "numpy.typing.NDArray[numpy.float64]"),
        R"(Efforts [N m, N] for accelerations, M qdd + C qd + g - J^T wrenches: recursive Newton-Euler, O(n).

wrenches: (bodies, 6), moment [N m] and force [N] on each body at the origin of its frame, in world axes.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> rest = np.zeros(7)
>>> bool(np.allclose(tree.inverse_dynamics(rest, rest, rest), tree.gravity_forces(rest)))
True
)")
      .def(
          "forward_dynamics", forward_with_wrenches, "q"_a, "qd"_a, "effort"_a,
          "wrenches"_a.none() = nb::none(),
          nb::sig("def forward_dynamics(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, effort: "
                  "numpy.typing.ArrayLike, wrenches: numpy.typing.ArrayLike | None = None) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(Accelerations qdd for efforts [N m, N], by the articulated-body algorithm, O(n). wrenches: as in inverse_dynamics.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("pendulum").dynamics()
>>> tree.forward_dynamics([0.0], [0.0], [0.0]).shape
(1,)
)")
      .def("mass_matrix", mass, "q"_a,
           nb::sig("def mass_matrix(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           R"(M(q), both triangles, shape (nv, nv).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> M = tree.mass_matrix(tree.neutral())
>>> bool(np.allclose(M, M.T)), bool(np.linalg.eigvalsh(M).min() > 0)
(True, True)
)")
      .def("coriolis_matrix", coriolis, "q"_a, "qd"_a,
           nb::sig("def coriolis_matrix(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(C(q, qd), shape (nv, nv), with C qd the velocity terms and Mdot - 2 C skew.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> C = tree.coriolis_matrix(q, qd)
>>> bool(np.allclose(C @ qd + tree.gravity_forces(q), tree.bias_forces(q, qd)))
True
)")
      .def(
          "christoffel", christoffel, "q"_a,
          nb::sig("def christoffel(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
          R"(Christoffel symbols of the first kind, shape (nv, nv, nv): C[i, j] = sum over k of G[i, j, k] qd[k].

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> C = np.einsum("ijk,k->ij", tree.christoffel(q), qd)
>>> bool(np.allclose(C, tree.coriolis_matrix(q, qd)))
True
)")
      .def("bias_forces", bias, "q"_a, "qd"_a,
           nb::sig("def bias_forces(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(C(q, qd) qd + g(q) [N m, N], shape (nv,).

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> bool(np.allclose(tree.bias_forces(q, qd), tree.inverse_dynamics(q, qd, 0 * qd)))
True
)")
      .def("gravity_forces", gravity, "q"_a,
           nb::sig(
               "def gravity_forces(self, q: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           R"(g(q) [N m, N], shape (nv,): the efforts that hold the mechanism.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> bool(np.allclose(tree.forward_dynamics(q, 0 * qd, tree.gravity_forces(q)), 0))
True
)")
      .def("regressor", regressor, "q"_a, "qd"_a, "qdd"_a,
           nb::sig("def regressor(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike, qdd: "
                   "numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
           R"(Y, shape (nv, 10 bodies), with Y pi = inverse_dynamics for any inertial parameters pi.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(1).normal(size=(3, 7))
>>> Y, pi = tree.regressor(q, qd, qdd), tree.inertial_parameters().ravel()
>>> bool(np.allclose(Y @ pi, tree.inverse_dynamics(q, qd, qdd)))
True
)")
      .def(
          "inertial_parameters", inertial_parameters,
          nb::sig("def inertial_parameters(self) -> numpy.typing.NDArray[numpy.float64]"),
          R"(Inertial parameters of the model, shape (bodies, 10): mass [kg], first moment x y z [kg m], tensor about the body frame's origin xx yy zz xy xz yz [kg m^2].

>>> import torsor as ts
>>> ts.load("seven_dof_arm").dynamics().inertial_parameters()[:, 0]              # kg
array([4. , 4. , 3. , 2.7, 1.7, 1.8, 0.3])
)")
      .def("energy", energy, "q"_a, "qd"_a,
           nb::sig("def energy(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike) -> "
                   "torsor._tuples.Energy"),
           R"((kinetic, potential) [J], the latter that of gravity, zero at the world origin.

>>> import numpy as np, torsor as ts
>>> tree = ts.load("seven_dof_arm").dynamics()
>>> q, qd, qdd = np.random.default_rng(4).normal(size=(3, 7))
>>> kinetic, potential = tree.energy(q, qd)
>>> bool(np.isclose(kinetic, qd @ tree.mass_matrix(q) @ qd / 2))
True
)")
      .def(
          "momentum", total_momentum, "q"_a, "qd"_a,
          nb::sig("def momentum(self, q: numpy.typing.ArrayLike, qd: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(Total momentum of the bodies, shape (6,): angular about the world origin [kg m^2/s], linear [kg m/s], world axes.

>>> import torsor as ts
>>> tree = ts.load("free_body").dynamics()
>>> tree.momentum(tree.neutral(), [0, 0, 0, 1, 0, 0]).shape
(6,)
)");
}

}  // namespace torsor::python
